# Longbox
# SPDX-License-Identifier: MIT
"""Reading a comic: links, keys, gestures, and how it looks, in three engines."""

import re

import pytest

import recording
from acts import FINGERS, check_paper, choose, heart, link, picture, press_pager, ready, trail, wait_shown
from engines import DESKTOP
from layout import BEYOND, CUT_OFF, ENLARGE, SIDEWAYS

NARROW = 12


def zoom_of(page):
    """The zoom in percent, as the page shows it; 100 at rest."""
    level = page.by_selector(".zoom-level").texts()
    return int(level[0].split()[0]) if level else 100


@pytest.mark.core
def test_links_lead_to_the_other_comics(open_page, site):
    page = open_page(site).install("/353/")
    ready(page)
    press_pager(page, "Next comic", 354)
    press_pager(page, "Previous comic", 353)
    press_pager(page, "First comic", 1)
    link(page, "Random comic").click()
    page.until(lambda: re.fullmatch(r"/\d+/", page.path()) and page.path() != "/1/", "a random comic is open")
    link(page, "Latest comic").click()
    wait_shown(page, recording.LATEST)


@pytest.mark.core
def test_keys_turn_pages(open_page, site):
    page = ready(open_page(site, size=DESKTOP).install("/353/").go("/353/"))
    for key, number in [("ArrowRight", 354), ("ArrowLeft", 353), ("l", 354), ("h", 353), ("Home", 1), ("End", recording.LATEST)]:
        page.press(key)
        wait_shown(page, number)
    page.press("r")
    page.until(lambda: re.fullmatch(r"/\d+/", page.path()) and page.path() != "/1/", "a random comic is open")
    ready(page)
    page.press("?")
    page.by_role("dialog", "Keyboard shortcuts").wait()
    page.press("Escape")
    page.by_role("dialog").wait_gone()


def test_a_typed_number_opens_its_comic(open_page, site):
    page = ready(open_page(site).install("/353/").go("/353/"))
    page.by_role("button", "Go to comic number").click()
    dialog = page.by_role("dialog", "Go to comic number").wait()
    dialog.by_role("textbox", "Comic number").fill("62")
    dialog.by_role("button", "Go").click()
    wait_shown(page, 62)


def test_comics_read_one_after_another_are_one_step_back(open_page, site):
    page = ready(open_page(site).install("/about").go("/353/"))
    press_pager(page, "Next comic", 354)
    press_pager(page, "Next comic", 355)
    page.back()
    page.wait_path("/about")
    page.by_role("heading", re.compile("About")).wait()


@pytest.mark.core
def test_two_fingers_zoom(open_page, site):
    page = ready(open_page(site).install(f"/{NARROW}/").go(f"/{NARROW}/"))
    box = picture(page).box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    apart = [trail((x - 30, y), (x - 90, y)), trail((x + 30, y), (x + 90, y))]
    page.by_selector(".pages > .stage > .picture").evaluate(FINGERS, {"trails": apart})
    page.until(lambda: 280 <= zoom_of(page) <= 320, "the picture is three times as large")
    assert picture(page).box()["width"] == pytest.approx(3 * box["width"], rel=0.06)
    press_pager(page, "Next comic", NARROW + 1)
    assert zoom_of(page) == 100


@pytest.mark.core
def test_a_swipe_turns_the_page(open_page, site):
    page = ready(open_page(site).install(f"/{NARROW}/").go(f"/{NARROW}/"))
    wait_beside = ".leaf.next img"
    page.until(lambda: page.evaluate(f"document.querySelector('{wait_beside}')?.naturalWidth > 1"), "the next comic is beside it")
    page.by_selector(".pages > .stage > .picture").evaluate(FINGERS, {"trails": [trail((350, 400), (60, 400))]})
    wait_shown(page, NARROW + 1)


@pytest.mark.core
def test_keys_and_the_mouse_zoom_and_move(open_page, site):
    page = ready(open_page(site, size=DESKTOP).install(f"/{NARROW}/").go(f"/{NARROW}/"))
    for _ in range(4):
        page.press("+")
    page.until(lambda: zoom_of(page) > 150, "keys zoom")
    before = picture(page).box()
    x, y = DESKTOP[0] * 0.3, DESKTOP[1] * 0.5
    page.drag((x, y), (x + 60, y + 40))
    page.until(lambda: picture(page).box()["x"] != before["x"], "the picture follows the mouse")
    page.press("Escape")
    page.until(lambda: zoom_of(page) == 100, "the picture is as large as before")


@pytest.mark.core
def test_the_alt_text_is_shown_by_a_press_and_by_a_key(open_page, site):
    page = ready(open_page(site).install("/353/").go("/353/"))
    alt = page.by_selector(".caption").by_text("It hugged back, and that was the whole interview.")
    page.by_role("button", "Alt text").click()
    alt.wait()
    page.press("a")
    alt.wait_gone()
    page.press("a")
    alt.wait()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("number", [pytest.param(recording.WIDE, marks=pytest.mark.core), recording.PLAIN], ids=["wide", "plain"])
def test_a_comics_paper_has_the_pages_colour(open_page, site, number, dark):
    """The white of a drawing, inverted in the dark, is blended with the page: no box is seen around it."""
    page = ready(open_page(site, dark=dark).install(f"/{number}/").go(f"/{number}/"))
    check_paper(page, picture(page))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_paper_of_a_comic_that_scrolls_has_the_pages_colour(open_page, site, dark):
    """WebKit draws what scrolls in a layer of its own."""
    page = open_page(site, dark=dark).install("/settings").go("/settings")
    page.by_selector("#downloads button").wait()
    choose(page, "Wide comics", "Readable")
    ready(page.go(f"/{recording.WIDE}/"))
    scroller = page.by_selector(".pages > .stage > .picture")
    assert scroller.evaluate("([part]) => { part.scrollLeft = 100; return part.scrollLeft }") == 100
    check_paper(page, picture(page))


@pytest.mark.core
@pytest.mark.parametrize("path", ["/353/", "/comics?view=list", "/favorites", "/search?q=harbour", "/albums", "/settings"])
def test_pages_fit_with_text_twice_as_large(open_page, site, path):
    page = open_page(site).install().go(path)
    page.by_role("heading").wait()
    page.evaluate(ENLARGE)
    assert not page.evaluate(SIDEWAYS, 390)
    assert not page.evaluate(BEYOND, 390)
    assert not page.evaluate(CUT_OFF)


@pytest.mark.cannot(
    engine="firefox", reason="its driver hangs at pictures of pages without scripts, so only the tests without them ask"
)
def test_the_colour_of_a_page_without_scripts_follows_the_dark(open_page, site):
    page = open_page(site, "/353/", dark=True, scripts=False)
    red, green, blue = page.picture().getpixel((4, 400))
    assert red + green + blue < 200


@pytest.mark.core
def test_pages_without_scripts_work(open_page, site):
    page = open_page(site, "/353/", scripts=False)
    for name, number in [("Next comic", 354), ("Previous comic", 353)]:
        link(page, name).click()
        page.wait_path(f"/{number}/")
    link(page, "Random comic").click()
    page.until(lambda: re.fullmatch(r"/\d+/", page.path()) and page.path() != "/353/", "a random comic is open")
    page.go("/5/")
    heart(page).click()
    page.until(lambda: heart(page).attribute("aria-pressed") == "true", "it is a favorite")
    page.go("/search")
    page.by_role("searchbox", "Search comics").fill("python")
    page.by_role("button", "Search").click()
    link(page, re.compile("^#353 Python")).wait()
    page.go("/settings")
    page.by_role("radiogroup", "Appearance").by_text("Dark").click()
    page.by_selector("form:has([name=appearance])").by_role("button", "Save").click()
    page.by_selector("html[data-appearance=dark]").wait()
