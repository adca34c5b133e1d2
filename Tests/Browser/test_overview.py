# Longbox
# SPDX-License-Identifier: MIT
"""The overview of all comics, and the page about Longbox."""

import re

import pytest
from playwright.sync_api import expect

import recording
from watch import DEVICES

ALL_NUMBERS = {number for number in range(1, recording.LATEST + 1) if number != 404}


def numbers_linked(page):
    links = page.get_by_role("main").locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    return {int(found.group(1)) for link in links if (found := re.fullmatch(r"/(\d+)/", link or ""))}


@pytest.mark.parametrize("device", DEVICES)
def test_every_comic_is_a_link_in_it(open_page, site, keep_picture, device):
    page = open_page(f"{site}/comics", device=device)
    keep_picture(page, f"comics-{device}")
    assert numbers_linked(page) == ALL_NUMBERS


def test_shows_one_year_on_request(open_page, site):
    page = open_page(f"{site}/comics")
    assert page.get_by_role("link", name=re.compile(r"^20\d\d$")).all_text_contents() == ["2008", "2007", "2006"]
    page.get_by_role("link", name="2007", exact=True).click()
    expect(page).to_have_url(re.compile("2007"))
    found = numbers_linked(page)
    assert found == {number for number in ALL_NUMBERS if recording.day_of(number).year == 2007}


def test_stands_as_a_grid_of_pictures_or_as_a_list(open_page, site, keep_picture):
    page = open_page(f"{site}/comics")
    page.get_by_role("link", name="List", exact=True).click()
    page.wait_for_load_state()
    expect(page.get_by_role("main").get_by_role("link", name=re.compile("Python"))).to_be_visible()
    assert page.get_by_role("main").locator("li img").count() == 0
    keep_picture(page, "comics-list-desktop")

    page.get_by_role("link", name="Grid", exact=True).click()
    page.wait_for_load_state()
    thumbnail = page.get_by_role("main").locator("li img").first
    expect(thumbnail).to_be_visible()
    assert thumbnail.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    keep_picture(page, "comics-grid-desktop")


def test_loads_no_thumbnail_that_is_far_from_view(open_page, site):
    page = open_page(f"{site}/comics", device="phone")
    page.wait_for_load_state("networkidle")
    loaded = page.locator("li img").evaluate_all("images => images.filter(image => image.naturalWidth > 0).length")
    assert 0 < loaded < len(ALL_NUMBERS) / 2


def test_a_comic_is_one_press_away(open_page, site):
    page = open_page(f"{site}/comics")
    page.get_by_role("main").locator(f"a[href='/{recording.LATEST}/']").first.click()
    expect(page.get_by_role("img", name=re.compile(f"^Comic {recording.LATEST}: "))).to_be_visible()


def test_the_main_navigation_says_where_one_is(open_page, site):
    page = open_page(f"{site}/comics")
    link = page.get_by_role("navigation", name="Main").get_by_role("link", name="Comics", exact=True)
    expect(link).to_have_attribute("aria-current", "page")


def test_about_states_the_licence(open_page, site, keep_picture):
    page = open_page(f"{site}/about", device="phone")
    main = page.get_by_role("main")
    expect(main).to_contain_text("Randall Munroe")
    expect(main).to_contain_text("Attribution-NonCommercial 2.5")
    expect(main.locator("a[href='https://creativecommons.org/licenses/by-nc/2.5/']").first).to_be_visible()
    expect(main.locator("a[href^='https://xkcd.com/']").first).to_be_visible()
    keep_picture(page, "about-phone")
