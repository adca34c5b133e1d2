# Longbox
# SPDX-License-Identifier: MIT
"""A list is read through: the pager of a comic opened from it goes through that list. Back returns to it."""

import re

import pytest
from playwright.sync_api import expect

import details
import page_acts
import recording
from device import origin
from layout import SIDEWAYS


def step(page, name):
    return page.get_by_role("navigation", name="Comics").get_by_role("link", name=f"{name} comic", exact=True)


def strip(page):
    return page.get_by_role("group", name="List", exact=True)


def comic(page, number):
    expect(page.get_by_role("img", name=re.compile(f"^Comic {number}: "))).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_favorites_are_read_through(open_page, site, scripts, axe, keep_picture):
    page = open_page(f"{site}/about", device="phone", java_script_enabled=scripts)
    page_acts.favorite(page, site, 5, 353, 7)
    page.goto(f"{site}/favorites")
    page.get_by_role("link", name="#7 ").click()
    comic(page, 7)
    expect(strip(page)).to_contain_text("Favorites 1 of 3")
    expect(step(page, "Previous")).to_have_attribute("aria-disabled", "true")
    step(page, "Next").click()
    comic(page, 353)
    expect(page).to_have_url(f"{site}/353/?in=favorites")
    expect(strip(page)).to_contain_text("Favorites 2 of 3")
    keep_picture(page, f"reading-favorites-{scripts}")
    if scripts:
        axe(page)
    step(page, "Next").click()
    comic(page, 5)
    expect(step(page, "Next")).to_have_attribute("title", "This is the last comic of this list.")
    strip(page).get_by_role("link", name="Leave this list").click()
    expect(page).to_have_url(f"{site}/5/")
    expect(strip(page)).to_have_count(0)
    step(page, "Next").click()
    comic(page, 6)


def test_the_card_at_the_end_of_a_list_is_named_by_the_list(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    page_acts.favorite(page, site, 5, 7)
    for number, direction, name in ((5, "Next", "End of this list"), (7, "Previous", "Start of this list")):
        page.goto(f"{site}/{number}/?in=favorites")
        comic(page, number)
        # The link is disabled, and a press on it shows why.
        step(page, direction).click(force=True)
        expect(page.get_by_role("complementary", name=name)).to_be_visible()


def test_back_leads_to_the_comic_read_last_in_the_list(open_page, site):
    page = open_page(f"{site}/about")
    page_acts.favorite(page, site, *range(1, 30))
    page.goto(f"{site}/favorites")
    page.get_by_role("link", name=re.compile("^#29 ")).click()
    comic(page, 29)
    for number in range(28, 4, -1):
        page.keyboard.press("ArrowRight")
        comic(page, number)
    page.go_back()
    expect(page.get_by_role("link", name=re.compile("^#5 "))).to_be_in_viewport()


def test_a_random_favorite_stays_among_the_favorites(open_page, site):
    page = open_page(f"{site}/about")
    page_acts.favorite(page, site, 5, 7)
    page.goto(f"{site}/favorites")
    page.get_by_role("link", name="Random favorite").click()
    for _ in range(4):
        expect(page).to_have_url(re.compile(rf"^{re.escape(site)}/(5|7)/\?in=favorites$"))
        step(page, "Random").click()


def test_a_year_and_results_are_read_through(open_page, site):
    year = recording.day_of(recording.PLAIN).year
    page = open_page(f"{site}/comics?year={year}")
    page.get_by_role("main").get_by_role("link", name=re.compile(f"^#{recording.PLAIN} ")).click()
    expect(strip(page)).to_contain_text(re.compile(rf"{year} \d+ of \d+"))
    page.goto(f"{site}/search?q=python&deep=1")
    page.get_by_role("list", name="Results").get_by_role("link").first.click()
    expect(strip(page)).to_contain_text(re.compile("“python” 1 of "))
    strip(page).get_by_role("link", name="“python”").click()
    expect(page).to_have_url(re.compile(r"/search\?q=python&deep=1$"))


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (844, 390), (820, 1180), (1440, 900)])
def test_the_strip_covers_nothing(open_page, site, size):
    page = open_page(f"{site}/about")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{site}/{recording.PLAIN}/?in=unread")
    strip(page).scroll_into_view_if_needed()
    # A press in the middle reaches it.
    strip(page).get_by_role("link", name="Leave this list").click(trial=True)
    assert page.evaluate(SIDEWAYS, size[0]) == []


# Back


@pytest.mark.parametrize("name", ["Random", "First", "Latest"])
def test_back_returns_from_a_jump(open_page, site, name):
    page = open_page(f"{site}/about")
    page.goto(f"{site}/{recording.PLAIN}/")
    step(page, "Next").click()
    comic(page, recording.PLAIN + 1)
    step(page, name).click()
    page.wait_for_url(lambda url: url != f"{site}/{recording.PLAIN + 1}/")
    page.go_back()
    comic(page, recording.PLAIN + 1)
    expect(page).to_have_url(f"{site}/{recording.PLAIN + 1}/")
    page.go_back()
    expect(page).to_have_url(f"{site}/about")


def test_back_returns_from_the_number_pad(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    page.goto(f"{site}/{recording.PLAIN}/")
    comic(page, recording.PLAIN)
    page.get_by_role("button", name="Go to comic number").click()
    page.get_by_role("textbox", name="Comic number").fill("12")
    page.get_by_role("dialog").get_by_role("button", name="Go", exact=True).click()
    comic(page, 12)
    page.go_back()
    comic(page, recording.PLAIN)


def test_a_long_comic_keeps_its_place(open_page, site):
    page = open_page(f"{site}/{recording.TALL}/", device="phone")
    comic(page, recording.TALL)
    page.evaluate("scrollTo(0, 700)")
    before = page.evaluate("scrollY")
    assert before > 100
    there = "before => Math.abs(scrollY - before) < 3"
    step(page, "Next").click()
    comic(page, recording.TALL + 1)
    page.wait_for_function("() => scrollY === 0")
    step(page, "Previous").click()
    comic(page, recording.TALL)
    page.wait_for_function(there, arg=before)
    page.reload()
    page.wait_for_function(there, arg=before)
    step(page, "First").click()
    comic(page, 1)
    page.go_back()
    comic(page, recording.TALL)
    page.wait_for_function(there, arg=before)


def test_sorting_adds_no_history(open_page, site):
    page = open_page(f"{site}/about")
    page_acts.favorite(page, site, 5, 7)
    page.goto(f"{site}/favorites")
    sort = page.get_by_role("navigation", name="Sort")
    for name in ["Number", "Title", "Newest"]:
        sort.get_by_role("link", name=name).click()
        expect(sort.get_by_role("link", name=name)).to_have_attribute("aria-current", "true")
        page.wait_for_load_state()
    page.go_back()
    expect(page).not_to_have_url(re.compile("/favorites"))


# All comics on a phone


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (844, 390)])
def test_all_comics_are_one_tap_away_on_a_phone(open_page, site, size, axe, keep_picture):
    page = open_page(f"{site}/about", device="phone")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{site}/{recording.PLAIN}/")
    comic(page, recording.PLAIN)
    link = page.get_by_role("link", name="All comics", exact=True)
    box = link.bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44
    for name in ["First", "Previous", "Random", "Next", "Latest"]:
        other = step(page, name).bounding_box()
        assert other["x"] + other["width"] <= box["x"] + 1 or other["y"] + other["height"] <= box["y"] + 1, name
        step(page, name).click(trial=True)
    keep_picture(page, f"all-comics-{size[0]}")
    axe(page)
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All comics")


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("is_new", [False, True], ids=["known", "new"])
def test_the_head_of_all_comics_has_two_rows_on_a_phone(open_page, site, width, is_new):
    page = open_page(f"{site}/about", device="phone")
    page.set_viewport_size({"width": width, "height": 800})
    if not is_new:
        page_acts.favorite(page, site, 5)
        page.goto(f"{site}/7/")
    page.goto(f"{site}/comics")
    choices = page.locator(".choices")
    expect(choices).to_be_visible()
    assert page.locator(".bar").bounding_box()["height"] <= 72
    assert choices.bounding_box()["height"] <= 64
    page.get_by_role("navigation", name="Years").get_by_role("link", name="2006").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Comics of 2006")
    expect(page.get_by_role("navigation", name="Years").get_by_role("link", name="2006")).to_be_in_viewport(ratio=1)


def test_the_chosen_filter_is_in_view_beside_the_place_to_continue(open_page, site):
    page = open_page(f"{site}/about", device="phone", viewport={"width": 320, "height": 640})
    page_acts.favorite(page, site, 5)
    page.goto(f"{site}/7/")
    page.goto(f"{site}/comics?unread=1")
    filters = page.get_by_role("navigation", name="Comics to show")
    expect(filters.get_by_role("link", name="Unread", exact=True)).to_be_in_viewport(ratio=1)


# Notes


def test_a_note_is_read_and_written_on_the_comic(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    page_acts.favorite(page, site, recording.PLAIN)
    page.goto(f"{site}/{recording.PLAIN}/")
    page.get_by_text("Add a note").click()
    note = page.get_by_role("textbox", name="Note on #353 Python")
    expect(note).to_be_focused()
    # No letter is a shortcut here, nor once the focus is elsewhere.
    page.keyboard.type("for the farthest rail")
    note.blur()
    page.keyboard.press("ArrowRight")
    expect(note).to_have_value("for the farthest rail")
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_role("status").get_by_text("Note on 353 saved.")).to_be_visible()
    expect(page.locator(".own-note").get_by_text("for the farthest rail").first).to_be_visible()
    expect(page).to_have_url(f"{site}/353/")
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (844, 390)])
def test_a_note_opens_with_room_to_write_and_save_it(open_page, site, size):
    page = open_page(f"{site}/about", device="phone", viewport={"width": size[0], "height": size[1]})
    page_acts.favorite(page, site, recording.PLAIN)
    page.goto(f"{site}/{recording.PLAIN}/")
    details.show(page).get_by_text("Add a note").click()
    note = page.get_by_role("textbox", name="Note on #353 Python")
    expect(note).to_be_focused()
    expect(note).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Save note")).to_be_in_viewport(ratio=1)


def test_a_note_left_open_in_a_closed_sheet_keeps_no_key(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    page_acts.favorite(page, site, recording.PLAIN)
    page.goto(f"{site}/{recording.PLAIN}/")
    details.show(page).get_by_text("Add a note").click()
    expect(page.get_by_role("textbox", name="Note on #353 Python")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)


def test_a_note_shows_in_full_and_opens_with_the_cursor_at_its_end(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    page_acts.favorite(page, site, 5)
    words = "a long note " * 20 + "and its end"
    page.request.post(f"{site}/favorites/note", form={"comic": "5", "note": words, "back": "/"}, headers={"Origin": origin(site)})
    page.goto(f"{site}/favorites")
    line = page.locator(".note-of summary span")
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth && line.getBoundingClientRect().height > 60")
    page.locator(".note-of summary").click()
    note = page.get_by_role("textbox", name=re.compile("^Note on #5"))
    expect(note).to_be_focused()
    assert note.evaluate("note => note.selectionStart") == len(words)


def test_undo_covers_two_quick_removals(open_page, site):
    page = open_page(f"{site}/about")
    page_acts.favorite(page, site, 5, 7, 9)
    page.goto(f"{site}/favorites")
    tiles = page.get_by_role("list", name="Favorites").get_by_role("listitem")
    page.get_by_role("button", name=re.compile("^Remove 5 ")).click()
    expect(tiles).to_have_count(2)
    page.get_by_role("button", name=re.compile("^Remove 7 ")).click()
    expect(page.get_by_role("status").get_by_text("Removed 2 favorites.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(tiles).to_have_count(3)


def test_pages_of_albums_lead_to_the_page_above(open_page, site):
    page = open_page(f"{site}/albums/9104?country=us")
    page.get_by_role("link", name=re.compile("^Back to The Paper Lanterns")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Paper Lanterns")
    page.get_by_role("link", name="Back to Albums").click()
    expect(page.get_by_role("searchbox", name="Artist")).to_be_visible()
