# Longbox
# SPDX-License-Identifier: MIT
"""Search and lists, and the way back to them, in three engines."""

import re

import pytest

import recording
from acts import check_paper, is_shown, link, ready, tab, wait_shown
from engines import DESKTOP, PHONE

WIDE_WINDOW = (1440, 900)
# So low that the preview scrolls.
LOW_WINDOW = (1280, 520)
# A tile in the middle of a long list.
PLACE = 180


def box(page):
    return page.by_role("searchbox", "Search comics")


def results(page):
    return page.by_role("list", "Results").by_role("listitem")


@pytest.mark.core
def test_results_change_while_typing(open_page, site):
    page = open_page(site).install("/search").go("/search")
    box(page).fill("pyth")
    link(page, re.compile("^#353 Python")).wait()
    page.wait_path(re.compile(r".*q=pyth"))
    box(page).fill("quizzaciously")
    results(page).wait_gone()


@pytest.mark.core
def test_a_deep_search_finds_words_of_the_texts(open_page, site):
    page = open_page(site).install("/search").go("/search")
    page.by_role("checkbox", "Deep search").click()
    box(page).fill("terrarium")
    link(page, re.compile("^#353 Python")).wait()
    page.until(lambda: page.by_selector("mark").texts()[:1] == ["terrarium"], "the word is marked")


def test_keys_move_between_the_results(open_page, site):
    page = open_page(site, size=DESKTOP).install("/search").go("/search")
    box(page).fill("harbour")
    results(page).nth(1).wait()
    cards = results(page).by_role("link")
    page.press("ArrowDown")
    cards.nth(0).wait_focused()
    page.press("ArrowDown")
    cards.nth(1).wait_focused()
    page.press("ArrowUp")
    page.press("ArrowUp")
    box(page).wait_focused()


def test_a_wide_window_previews_a_result(open_page, site):
    page = open_page(site, size=WIDE_WINDOW).install("/search").go("/search?q=21-29")
    preview = page.by_role("complementary", "Preview").wait()
    cards = results(page).by_role("link")
    page.until(lambda: is_shown(preview.by_role("img")), "the preview has its picture")
    second = cards.nth(1)
    x, y = second.place()
    page.move_to(x, y)
    wanted = second.property("href")
    page.until(lambda: preview.by_role("link", "Open comic").property("href") == wanted, "the preview follows the mouse")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_paper_of_a_preview_that_scrolls_has_the_pages_colour(open_page, site, dark):
    page = open_page(site, size=LOW_WINDOW, dark=dark).install("/search").go(f"/search?q={recording.TALL}-{recording.TALL}")
    preview = page.by_role("complementary", "Preview").wait()
    page.until(lambda: is_shown(preview.by_role("img")), "the preview has its picture")
    assert preview.evaluate("([part]) => part.scrollHeight > part.clientHeight")
    check_paper(page, preview.by_role("img"))


@pytest.mark.core
@pytest.mark.parametrize("text", ["#353", "xkcd 353"])
def test_a_number_opens_its_comic(open_page, site, text):
    page = open_page(site).install("/search").go("/search")
    box(page).fill(text)
    page.press("Enter")
    wait_shown(page, 353)


def test_recent_searches_are_offered_and_cleared(open_page, site):
    page = open_page(site).install("/search").go("/search")
    box(page).fill("python")
    link(page, re.compile("^#353 Python")).click()
    wait_shown(page, 353)
    page.go("/search")
    page.by_role("link", "python").wait()
    page.by_role("button", "Clear recent searches").click()
    page.by_role("link", "python").wait_gone()


def test_the_preview_leaves_no_gap_for_a_missing_picture(open_page, site):
    page = open_page(site, size=WIDE_WINDOW).install("/search").go(f"/search?q={recording.NO_PICTURE}-{recording.NO_PICTURE + 1}")
    preview = page.by_role("complementary", "Preview").wait()
    of_none = results(page).by_role("link", re.compile(f"^#{recording.NO_PICTURE} ")).wait()
    page.move_to(*of_none.place())
    page.until(
        lambda: f"/{recording.NO_PICTURE}/" in preview.by_role("link", "Open comic").property("href"),
        "the preview follows the mouse",
    )
    gap = """([preview]) => [...preview.querySelectorAll("img")]
      .filter((image) => image.checkVisibility() && image.complete && image.naturalWidth <= 1)
      .map((image) => image.getBoundingClientRect().height)"""
    page.until(lambda: not [height for height in preview.evaluate(gap) if height > 40], "no gap is left")


@pytest.mark.core
def test_back_leads_to_the_results(open_page, site):
    page = open_page(site).install("/search").go("/search")
    box(page).fill("python")
    link(page, re.compile("^#353 Python")).click()
    wait_shown(page, 353)
    page.back()
    page.wait_path(re.compile(r"/search\?.*q=python"))
    box(page).wait_property("value", "python")
    link(page, re.compile("^#353 Python")).wait()


@pytest.mark.core
@pytest.mark.parametrize("page_cache", [True, False], ids=["kept", "reloaded"])
def test_the_search_tab_remembers_its_search(open_page, site, page_cache):
    page = open_page(site, page_cache=page_cache).install("/353/").go("/353/")
    tab(page, "Search").click()
    page.wait_path(re.compile("/search"))
    box(page).fill("harbour")
    results(page).nth(1).wait()
    tab(page, "Settings").click()
    page.wait_path("/settings")
    tab(page, "Comics").click()
    wait_shown(page, 353)
    page.back()
    page.wait_path("/settings")
    page.back()
    page.wait_path(re.compile("/search"))
    tab(page, "Settings").click()
    page.wait_path("/settings")
    tab(page, "Search").click()
    page.wait_path(re.compile("/search.*harbour"))


@pytest.mark.core
@pytest.mark.parametrize("page_cache", [True, False], ids=["kept", "reloaded"])
def test_back_to_all_comics_leads_to_the_comic_last_read(open_page, site, page_cache):
    page = open_page(site, page_cache=page_cache).install("/353/").go("/353/").go("/comics")
    tile = page.by_role("main").by_selector(f"#c{PLACE}")
    tile.evaluate("([tile]) => tile.scrollIntoView({ block: 'center', behavior: 'instant' })")
    tile.by_role("link").click()
    ready(page)
    page.wait_path(f"/{PLACE}/")
    page.back()
    page.wait_path("/comics")
    wait_in_sight(page, tile)


@pytest.mark.parametrize("page_cache", [True, False], ids=["kept", "reloaded"])
def test_a_comic_read_before_a_list_does_not_move_it(open_page, site, page_cache):
    """As if the reader went back before the comic's page could note that it was shown."""
    page = open_page(site, page_cache=page_cache).install("/353/").go("/353/")
    wait_shown(page, 353)
    page.go("/comics")
    tile = page.by_role("main").by_selector(f"#c{PLACE}")
    # Again and again: what is above it gets its height only now.
    wait_in_sight(page, tile, before="([tile]) => tile.scrollIntoView({ block: 'center', behavior: 'instant' })")
    tab(page, "Settings").click()
    page.wait_path("/settings")
    page.back()
    page.wait_path("/comics")
    wait_in_sight(page, tile)


def wait_in_sight(page, tile, before="() => {}"):
    """Waits until a tile is in sight, and stays there; runs a script before each look."""
    seen = []

    def is_in_sight():
        tile.evaluate(before)
        at = tile.box()
        seen.append(0 <= at["y"] + at["height"] / 2 <= 844)
        # It stays: what is above it may still change its height.
        return seen[-8:] == [True] * 8

    page.until(is_in_sight, f"{tile} stays in sight")


def test_the_next_comic_read_is_the_one_that_a_list_returns_to(open_page, site):
    page = open_page(site, page_cache=True).install("/353/").go("/353/").go("/comics")
    tile = page.by_role("main").by_selector(f"#c{PLACE}")
    tile.by_role("link").click()
    ready(page)
    for number in range(PLACE + 1, PLACE + 3):
        link(page, "Next comic").click()
        wait_shown(page, number)
    page.back()
    page.wait_path("/comics")
    last = page.by_role("main").by_selector(f"#c{PLACE + 2}")
    page.until(lambda: 0 <= last.box()["y"] <= 844, "the comic read last is in sight")


@pytest.mark.parametrize("size", [(320, 640), PHONE, WIDE_WINDOW])
def test_a_year_takes_its_room_before_its_covers_are_near(open_page, site, size):
    page = open_page(site, size=size).install().go("/comics")
    heights = "[...document.querySelectorAll('.year')].map((year) => Math.round(year.getBoundingClientRect().height))"
    page.until(lambda: page.evaluate("document.querySelector('.scrubber') !== null"), "the page's scripts have run")
    before = page.evaluate(heights)
    page.evaluate("() => { for (const list of document.querySelectorAll('.covers')) list.style.contentVisibility = 'visible' }")
    assert page.evaluate(heights) == before


def test_titles_are_shortened_only_where_they_do_not_fit(open_page, site):
    page = open_page(site).install().go("/comics")
    # What is hidden beside a title is for screen readers, and must not count as its text.
    cut = """() => [...document.querySelectorAll(".covers li")].slice(0, 60).filter((tile) => {
      const caption = tile.querySelector(".caption")
      const before = caption.scrollHeight > caption.clientHeight + 1
      const hidden = [...caption.querySelectorAll(".aside")]
      for (const one of hidden) one.remove()
      return before !== caption.scrollHeight > caption.clientHeight + 1
        || (hidden.length > 0 && getComputedStyle(caption).webkitLineClamp !== "none")
    }).map((tile) => tile.textContent.trim())"""
    assert page.evaluate(cut) == []


def test_the_progress_has_no_border(open_page, site):
    page = open_page(site).install().go("/comics?view=map")
    widths = page.evaluate("[...document.querySelectorAll('progress')].map((bar) => getComputedStyle(bar).borderTopWidth)")
    assert widths and set(widths) == {"0px"}


def test_a_handle_scrolls_through_all_comics(open_page, site):
    page = open_page(site, size=DESKTOP).install().go("/comics")
    handle = page.by_role("slider", "Scroll to comic")
    at = handle.box()
    x = at["x"] + at["width"] / 2
    page.drag((x, at["y"] + 10), (x, at["y"] + at["height"] / 2))
    page.until(lambda: 120 < int(handle.attribute("aria-valuetext").split(",")[0][1:]) < 290, "the list is in the middle")
