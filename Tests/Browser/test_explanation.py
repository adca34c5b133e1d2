# Longbox
# SPDX-License-Identifier: MIT
"""What explain xkcd says: hidden until asked for, with scripts or without, with a connection or without."""

import json
import time
import urllib.request

import pytest
from playwright.sync_api import expect

import device
import recording
from test_device import download, favorite
from watch import DEVICES


@pytest.fixture(scope="module")
def explained_site(site):
    """The address of a server that has all explanations."""
    for _ in range(600):
        with urllib.request.urlopen(f"{site}/device.json") as reply:
            if json.load(reply)["explanations"]["count"] == recording.LATEST - 2:
                return site
        time.sleep(0.1)
    raise RuntimeError("The explanations are not fetched.")


@pytest.fixture
def app(browser, explained_site):
    with device.app(browser, explained_site) as app:
        yield app


def disclosure(page):
    return page.locator(".explanation")


def opened(page):
    disclosure(page).locator("summary").click()
    return disclosure(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", DEVICES)
def test_the_whole_takes_the_place_of_the_beginning(open_page, explained_site, axe, keep_picture, device, scheme):
    page = open_page(f"{explained_site}/353/", device=device, scheme=scheme)
    expect(disclosure(page).get_by_text("The joke of number 353 is old.")).to_be_hidden()
    shown = opened(page)
    expect(shown.locator(".lead")).to_contain_text("The joke of number 353 is old.")
    expect(shown).to_contain_text("As of 30 September 2025")
    more = shown.get_by_role("link", name="Show more on explain xkcd")
    expect(more).to_have_attribute("href", "https://www.explainxkcd.com/wiki/index.php/353")
    axe(page)
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown.get_by_role("heading", name="A section")).to_be_visible()
    expect(shown.get_by_role("link", name="Another")).to_have_attribute("href", "/4/")
    assert page.evaluate("document.activeElement.className") == "explanation-text"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
    keep_picture(page, f"explanation-{device}-{scheme}")


def test_a_wide_table_scrolls_by_itself_by_keyboard_too(open_page, explained_site, axe):
    page = open_page(f"{explained_site}/353/explanation", device="phone")
    table = page.get_by_role("group", name="Table")
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("table => table.scrollLeft > 0", arg=table.element_handle())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)


def test_works_with_scripts_switched_off(browser, explained_site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{explained_site}/163/")
    shown = opened(page)
    expect(shown).to_contain_text("They call it incomplete.")
    shown.get_by_role("link", name="The whole explanation").click()
    expect(page.get_by_role("heading", name="Explanation", exact=True)).to_be_visible()
    page.get_by_role("link", name="Back to the comic").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Quoting")
    context.close()


def test_what_nobody_has_written_yet_is_said(open_page, explained_site):
    page = open_page(f"{explained_site}/{recording.LATEST}/")
    expect(opened(page)).to_contain_text("There is no explanation of this comic yet.")


def test_what_was_seen_and_favorites_stay_without_a_connection(app):
    app.install("/353/")
    app.open("/200/")
    page = app.open("/353/")
    favorite(page).click()
    expect(favorite(page)).to_have_attribute("aria-pressed", "true")
    app.page.wait_for_function("""async () => {
      const request = indexedDB.open("longbox-explanations")
      const database = await new Promise(resolve => { request.onsuccess = () => resolve(request.result) })
      const keys = database.transaction("texts").objectStore("texts").getAllKeys()
      await new Promise(resolve => { keys.onsuccess = resolve })
      database.close()
      return keys.result.includes(353) && keys.result.includes(200)
    }""")
    app.set_offline(True)
    app.stop_worker()
    shown = opened(app.open("/353/"))
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown.get_by_role("heading", name="A section")).to_be_visible()
    expect(opened(app.open("/200/"))).to_contain_text("The joke of number 200")
    expect(opened(app.open("/favorites"))).to_contain_text("The joke of number 353")
    expect(opened(app.open("/201/"))).to_contain_text("This explanation is not on this device yet.")
    app.page.goto(f"{app.site}/353/explanation")
    assert app.page.url.endswith("/353/#explanation")
    expect(disclosure(app.page)).to_contain_text("The joke of number 353")


def test_a_page_that_was_made_before_its_explanation_came_shows_the_beginning_first(app):
    app.install("/353/")
    app.set_offline(True)
    page = app.open("/201/")
    app.set_offline(False)
    shown = opened(page)
    expect(shown.locator(".lead")).to_contain_text("The joke of number 201")
    shown.get_by_role("link", name="The whole explanation").click()
    expect(shown.locator(".lead")).to_have_count(0)
    expect(shown).to_contain_text("The joke of number 201")


def test_all_can_be_downloaded(app):
    app.install()
    page = app.open("/settings")
    group = page.get_by_role("group", name="Download for offline")
    expect(group.locator("#size-explanations")).to_contain_text("about")
    page = download(app, "Explanations")
    expect(page.get_by_role("group", name="Download for offline")).to_contain_text(f"{recording.LATEST - 2} explanations")
    app.set_offline(True)
    app.stop_worker()
    expect(opened(app.open("/77/"))).to_contain_text("The joke of number 77")
