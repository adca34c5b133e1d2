# Longbox
# SPDX-License-Identifier: MIT
"""The page of favorites: a grid of covers with sort, search, notes and selection."""

import re

import pytest
from playwright.sync_api import expect

import page_acts


def tiles(page):
    return page.get_by_role("list", name="Favorites").get_by_role("listitem")


def shown(page):
    return [int(re.match(r"#(\d+) ", text)[1]) for text in tiles(page).get_by_role("link").all_inner_texts()]


@pytest.fixture(params=["scripts", "no scripts"])
def reader(request, open_page, site):
    page = open_page(f"{site}/about", java_script_enabled=request.param == "scripts")
    page_acts.favorite(page, site, 5, 353, 7)
    page.goto(f"{site}/favorites")
    return page


@pytest.mark.below_a_path
def test_the_chosen_sort_order_is_remembered(reader, site):
    sort = reader.get_by_role("navigation", name="Sort")
    expect(sort.get_by_role("link", name="Newest")).to_have_attribute("aria-current", "true")
    assert shown(reader) == [7, 353, 5]
    sort.get_by_role("link", name="Number").click()
    expect(sort.get_by_role("link", name="Number")).to_have_attribute("aria-current", "true")
    reader.wait_for_load_state()
    assert shown(reader) == [5, 7, 353]
    reader.goto(f"{site}/favorites")
    assert shown(reader) == [5, 7, 353]


@pytest.mark.below_a_path
def test_a_favorite_is_removed_by_its_heart_and_restored_by_undo(reader):
    reader.get_by_role("button", name="Remove 353 Python from favorites").click()
    expect(tiles(reader)).to_have_count(2)
    expect(reader.get_by_role("status").get_by_text("Removed 353 from favorites.")).to_be_visible()
    reader.get_by_role("button", name="Undo").click()
    expect(tiles(reader)).to_have_count(3)


@pytest.mark.parametrize("reader", ["scripts"], indirect=True)
def test_removing_and_undoing_are_no_steps_of_the_history(reader):
    before = reader.evaluate("history.length")
    reader.get_by_role("button", name="Remove 353 Python from favorites").click()
    expect(tiles(reader)).to_have_count(2)
    reader.get_by_role("button", name="Undo").click()
    expect(tiles(reader)).to_have_count(3)
    assert reader.evaluate("history.length") == before


@pytest.mark.below_a_path
def test_several_favorites_can_be_removed_together(reader):
    reader.get_by_role("link", name="Select", exact=True).click()
    reader.get_by_role("checkbox", name=re.compile("^#5 ")).check()
    reader.get_by_role("checkbox", name="#353 Python").check()
    reader.get_by_role("button", name=re.compile("^Remove")).click()
    expect(reader.get_by_role("status").get_by_text("Removed 2 favorites.")).to_be_visible()
    reader.wait_for_load_state()
    assert shown(reader) == [7]
    reader.get_by_role("button", name="Undo").click()
    expect(tiles(reader)).to_have_count(3)


def test_all_or_none_can_be_selected_at_once(reader):
    reader.get_by_role("link", name="Select", exact=True).click()
    reader.get_by_role("link", name="All", exact=True).click()
    for box in reader.get_by_role("checkbox").all():
        expect(box).to_be_checked()
    reader.get_by_role("link", name="None", exact=True).click()
    for box in reader.get_by_role("checkbox").all():
        expect(box).not_to_be_checked()
    reader.get_by_role("link", name="Done", exact=True).click()
    expect(reader.get_by_role("link", name="Select", exact=True)).to_be_visible()


@pytest.mark.below_a_path
def test_a_note_can_be_added_to_a_favorite(reader):
    reader.get_by_text("Add a note").first.click(force=True)
    reader.get_by_role("textbox", name=re.compile("^Note on #")).fill("For the office door")
    reader.get_by_role("button", name="Save note").click()
    expect(reader.get_by_text("For the office door").first).to_be_visible()


def test_the_selection_is_counted_and_can_be_shared_as_a_list(open_page, site):
    page = open_page(f"{site}/about")
    page.add_init_script("navigator.share = async (data) => { window.shared = data.text }")
    page_acts.favorite(page, site, 353, 7)
    page.goto(f"{site}/favorites?select=1")
    expect(page.get_by_role("button", name="Remove", exact=True)).to_be_disabled()
    page.get_by_role("checkbox", name="#353 Python").check()
    expect(page.get_by_role("heading", level=1)).to_have_text("1 selected")
    expect(page.get_by_role("button", name="Remove 1 favorite", exact=True)).to_be_enabled()
    page.get_by_role("button", name="Share list").click()
    assert page.evaluate("window.shared").endswith("#353 Python https://xkcd.com/353/")


def test_the_list_is_copied_if_the_browser_cannot_share(open_page, site):
    page = open_page(f"{site}/about")
    page.add_init_script("""
        Object.defineProperty(navigator, "share", { value: undefined })
        navigator.clipboard.writeText = async (text) => { window.copied = text }
    """)
    page_acts.favorite(page, site, 353, 7)
    page.goto(f"{site}/favorites?select=1")
    page.get_by_role("checkbox", name="#353 Python").check()
    page.get_by_role("button", name="Share list").click()
    expect(page.get_by_role("status").get_by_text("List copied.")).to_be_visible()
    assert page.evaluate("window.copied").endswith("#353 Python https://xkcd.com/353/")


@pytest.mark.below_a_path
def test_favorites_can_be_searched_without_scripts(open_page, site):
    page = open_page(f"{site}/about", java_script_enabled=False)
    page_acts.favorite(page, site, 353, *range(1, 12))
    page.goto(f"{site}/favorites")
    page.get_by_role("searchbox", name="Search favorites").fill("pyTHON")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("status").get_by_text("1 of 12 favorites")).to_be_visible()
    page.wait_for_load_state()
    assert shown(page) == [353]
