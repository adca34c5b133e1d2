# Longbox
# SPDX-License-Identifier: MIT
"""Longbox comes back to where the reader was, in each tab and after a while away."""

import re

import pytest
from playwright.sync_api import expect

import device
import layout
import recording


@pytest.fixture
def app(browser, site):
    with device.app(browser, site) as app:
        yield app.install("/5/")


def tab(page, name):
    return page.get_by_role("navigation", name="Main").get_by_role("link", name=name, exact=True)


@pytest.mark.below_a_path
def test_the_comics_tab_opens_the_last_comic_and_then_the_latest(app):
    page = app.open("/353/")
    tab(page, "Favorites").click()
    expect(page).to_have_url(f"{app.site}/favorites")
    tab(page, "Comics").click()
    expect(page).to_have_url(f"{app.site}/353/")
    tab(page, "Comics").click()
    expect(page).to_have_url(f"{app.site}/")


@pytest.mark.below_a_path
def test_each_tab_keeps_its_address_and_scroll_position(app):
    page = app.open("/comics?view=list")
    page.evaluate("scrollTo(0, 900)")
    before = page.evaluate("scrollY")
    tab(page, "Search").click()
    page.goto(f"{app.site}/search?q=cat&deep=0")
    tab(page, "Comics").click()
    expect(page).to_have_url(f"{app.site}/comics?view=list")
    page.wait_for_function("before => Math.abs(scrollY - before) < 4", arg=before)
    tab(page, "Search").click()
    expect(page).to_have_url(f"{app.site}/search?q=cat&deep=0")


@pytest.mark.below_a_path
def test_the_current_tab_scrolls_to_the_top(app):
    page = app.open("/settings")
    page.evaluate("scrollTo(0, 500)")
    tab(page, "Settings").click()
    page.wait_for_function("() => scrollY === 0")
    page = app.open("/search?q=cat")
    tab(page, "Search").click()
    expect(page).to_have_url(re.compile(r"/search"))


@pytest.mark.below_a_path
def test_a_new_session_opens_where_the_last_one_ended(app, base_path):
    app.read(42)
    app.stop_worker()
    assert app.open("/open").url == f"{app.site}/42/"
    # Without scripts, too, Comics leads back.
    page = app.open("/favorites")
    page.evaluate("sessionStorage.clear()")
    page = app.open("/favorites")
    assert tab(page, "Comics").get_attribute("href") in (f"{base_path}/open", f"{base_path}/42/")


@pytest.mark.below_a_path
def test_after_a_day_away_the_latest_comic_offers_to_continue(app, axe, keep_picture):
    app.read(42)
    app.let_a_day_pass()
    page = app.open("/open")
    assert page.url == f"{app.site}/"
    link = page.get_by_role("link", name="Continue at #42", exact=True)
    expect(link).to_be_visible()
    axe(page)
    page.wait_for_function(f"() => ({layout.PAINTED_OVER})().length === 0")
    keep_picture(page, "continue")
    # A message takes its place.
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(link).to_be_hidden()
    app.until_read(recording.LATEST)
    # Reading the latest does not lose the place.
    page = app.open("/")
    page.get_by_role("link", name="Continue at #42", exact=True).click()
    expect(page).to_have_url(f"{app.site}/42/")


# Keeps the picture of both pages, which covers the new one, long enough for a test.
SLOW_TRANSITION = """
const sheet = new CSSStyleSheet()
sheet.replaceSync(`::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) {
  animation-duration: 60s !important }`)
document.adoptedStyleSheets.push(sheet)"""
TRANSITION = """document.getAnimations().some(({ effect }) => effect.pseudoElement?.startsWith("::view-transition"))"""


@pytest.mark.parametrize(("name", "address"), [("Settings", "/settings"), ("Comics", "/")])
def test_a_click_while_a_page_fades_into_the_next_counts(open_page, site, name, address):
    page = open_page(f"{site}/search")
    page.add_init_script(SLOW_TRANSITION)
    page.goto(f"{site}/search")
    box = tab(page, name).bounding_box()
    tab(page, "Favorites").click()
    page.wait_for_url(f"{site}/favorites")
    page.wait_for_function(TRANSITION)
    # Once the page's scripts listen.
    page.wait_for_load_state("load")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(f"{site}{address}")
