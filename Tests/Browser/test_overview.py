# Longbox
# SPDX-License-Identifier: MIT
"""The overview of all comics, and the page about Longbox."""

import re

import pytest
from playwright.sync_api import expect

import page_acts
import recording
from pages import numbers_linked
from watch import DEVICES

ALL_NUMBERS = {number for number in range(1, recording.LATEST + 1) if number != 404}


@pytest.mark.parametrize("device", DEVICES)
def test_links_to_every_comic(open_page, site, keep_picture, device):
    page = open_page(f"{site}/comics", device=device)
    keep_picture(page, f"comics-{device}")
    assert numbers_linked(page) == ALL_NUMBERS


@pytest.mark.below_a_path
def test_shows_only_the_chosen_year(open_page, site):
    page = open_page(f"{site}/comics")
    assert page.get_by_role("link", name=re.compile(r"^20\d\d$")).all_text_contents() == ["2008", "2007", "2006"]
    page.get_by_role("link", name="2007", exact=True).click()
    expect(page).to_have_url(re.compile("2007"))
    page.wait_for_load_state()
    found = numbers_linked(page)
    assert found == {number for number in ALL_NUMBERS if recording.day_of(number).year == 2007}


@pytest.mark.below_a_path
def test_shows_covers_or_a_list(open_page, site, keep_picture):
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


def test_the_cover_of_a_wide_strip_shows_all_of_it(open_page, site):
    page = open_page(f"{site}/comics")
    page.wait_for_load_state()

    def fit(number):
        return page.locator(f".covers a[href$='/{number}/'] img").evaluate("image => getComputedStyle(image).objectFit")

    assert (fit(recording.WIDE), fit(recording.LATEST)) == ("contain", "cover")


def test_loads_only_thumbnails_near_the_viewport(open_page, site):
    page = open_page(f"{site}/comics", device="phone")
    page.wait_for_load_state("networkidle")
    loaded = page.locator("li img").evaluate_all("images => images.filter(image => image.naturalWidth > 0).length")
    assert 0 < loaded < len(ALL_NUMBERS) / 2


@pytest.mark.below_a_path
def test_a_cover_opens_its_comic(open_page, site):
    page = open_page(f"{site}/comics")
    page.get_by_role("main").locator(f"a[href$='/{recording.LATEST}/']").first.click()
    expect(page.get_by_role("img", name=re.compile(f"^Comic {recording.LATEST}: "))).to_be_visible()


def test_the_main_navigation_marks_the_current_page(open_page, site):
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


def scrubber(page):
    return page.get_by_role("slider", name="Scroll to comic")


@pytest.mark.parametrize("device", DEVICES)
def test_a_handle_scrolls_through_all_years(open_page, site, keep_picture, device):
    page = open_page(f"{site}/comics", device=device)
    expect(scrubber(page)).to_have_attribute("aria-valuetext", f"#{recording.LATEST}, 2008")
    box = scrubber(page).bounding_box()
    assert box["width"] >= 44
    page.mouse.move(box["x"] + 22, box["y"] + 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 22, box["y"] + box["height"] / 2, steps=4)
    middle = scrubber(page).get_attribute("aria-valuetext")
    keep_picture(page, f"scrubber-{device}")
    page.mouse.up()
    number = int(re.match(r"#(\d+), \d{4}$", middle)[1])
    assert abs(number - recording.LATEST / 2) < recording.LATEST / 10
    expect(page.get_by_role("main").locator(f"a[href$='/{number}/']")).to_be_in_viewport()


def test_the_handle_works_by_keyboard(open_page, site):
    page = open_page(f"{site}/comics")
    scrubber(page).press("End")
    expect(scrubber(page)).to_have_attribute("aria-valuetext", "#1, 2006")
    expect(page.get_by_role("main").locator("a[href$='/1/']")).to_be_in_viewport()
    scrubber(page).press("PageUp")
    expect(scrubber(page)).to_have_attribute("aria-valuetext", re.compile(", 2006$"))
    scrubber(page).press("PageUp")
    expect(scrubber(page)).to_have_attribute("aria-valuetext", re.compile(", 2007$"))
    scrubber(page).press("Home")
    expect(scrubber(page)).to_have_attribute("aria-valuetext", f"#{recording.LATEST}, 2008")


def test_the_chosen_year_is_in_view(open_page, site):
    page = open_page(f"{site}/comics?year=2006", device="phone", viewport={"width": 240, "height": 700})
    expect(page.get_by_role("navigation", name="Years").get_by_role("link", name="2006")).to_be_in_viewport(ratio=1)


@pytest.mark.below_a_path
def test_filters_work_without_scripts(open_page, site):
    page = open_page(f"{site}/about", java_script_enabled=False)
    page_acts.favorite(page, site, 353)
    page.goto(f"{site}/comics")
    filters = page.get_by_role("navigation", name="Comics to show")
    filters.get_by_role("link", name="Favorites").click()
    expect(filters.get_by_role("link", name="Favorites")).to_have_attribute("aria-current", "true")
    page.wait_for_load_state()
    assert numbers_linked(page) == {353}
    filters.get_by_role("link", name="All", exact=True).click()
    expect(filters.get_by_role("link", name="All", exact=True)).to_have_attribute("aria-current", "true")
    page.wait_for_load_state()
    assert numbers_linked(page) == ALL_NUMBERS


def test_a_missing_thumbnail_is_replaced_by_the_number(open_page, site):
    page = open_page(f"{site}/about")
    page.route("**/thumbnail*", lambda route: route.fulfill(status=200, body=b"", content_type="image/webp"))
    page.goto(f"{site}/comics")
    tile = page.get_by_role("main").locator(f"a[href$='/{recording.LATEST}/']").first
    expect(tile.locator(".cover .number")).to_be_visible()
    expect(tile.locator(".cover .number")).to_have_text(f"#{recording.LATEST}")


def test_going_back_scrolls_to_the_comic_last_read(open_page, site):
    page = open_page(f"{site}/comics")
    page.get_by_role("main").locator(f"a[href$='/{recording.LATEST}/']").first.click()
    expect(page.get_by_role("img", name=re.compile(f"^Comic {recording.LATEST}: "))).to_be_visible()
    page.evaluate("history.replaceState(null, '', '/7/')")
    page.go_back()
    expect(page.get_by_role("main").locator("a[href$='/7/']")).to_be_in_viewport()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_going_back_leads_to_the_very_place(open_page, site, size):
    page = open_page(f"{site}/comics", device=size)
    link = page.get_by_role("main").locator("a[href$='/7/']").first
    # Twice, since the parts above get their real height only near the window.
    for _ in range(2):
        link.evaluate("link => link.scrollIntoView({ block: 'center' })")
    before = link.evaluate("link => link.getBoundingClientRect().top")
    link.click()
    expect(page.get_by_role("img", name=re.compile("^Comic 7: "))).to_be_visible()
    page.go_back()
    is_there = "before => Math.abs(document.querySelector('main a[href$=\"/7/\"]').getBoundingClientRect().top - before) < 3"
    page.wait_for_function(is_there, arg=before)
