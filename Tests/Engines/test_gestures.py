# Longbox
# SPDX-License-Identifier: MIT
"""Fingers on a comic and on its sheet, in three engines. A script sends what a touch screen would report."""

import pytest

import recording
from acts import FINGERS, choose, heart, picture, ready, trail, wait_shown
from engines import PHONE

ALT_TEXT = "It hugged back, and that was the whole interview."


@pytest.fixture
def comic(open_page, site):
    return ready(open_page(site).install("/353/").go("/353/"))


def middle(page):
    box = picture(page).box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(page, *trails, taps=()):
    """Moves a finger along each trail over the comic, after taps."""
    page.by_selector(".pages > .stage > .picture").evaluate(FINGERS, {"trails": trails, "taps": taps})


def touch_sheet(page, start, end):
    page.by_role("dialog").evaluate(FINGERS, {"trails": [trail(start, end)]})


def caption(page):
    return page.by_selector(".caption").by_text(ALT_TEXT)


def test_a_tap_shows_the_alt_text_and_another_hides_it(comic):
    touch(comic, taps=[middle(comic)])
    caption(comic).wait()
    touch(comic, taps=[middle(comic)])
    caption(comic).wait_gone()


@pytest.mark.core
def test_a_double_tap_makes_a_favorite_that_undo_takes_back(comic):
    touch(comic, taps=[middle(comic)] * 2)
    heart(comic).wait_attribute("aria-pressed", "true")
    assert caption(comic).count() == 0
    comic.by_role("button", "Undo").click()
    heart(comic).wait_attribute("aria-pressed", "false")


def test_a_double_tap_that_is_held_zooms(comic):
    before, (x, y) = picture(comic).box(), middle(comic)
    touch(comic, trail((x, y), (x, y + 120)), taps=[(x, y)])
    comic.until(lambda: picture(comic).box()["width"] > 1.8 * before["width"], "the picture is larger")
    assert heart(comic).attribute("aria-pressed") == "false"


def test_a_finger_moves_a_zoomed_picture(comic):
    x, y = middle(comic)
    touch(comic, trail((x - 30, y), (x - 120, y)), trail((x + 30, y), (x + 120, y)))
    before = picture(comic).box()
    assert before["width"] > PHONE[0]
    touch(comic, trail((x, y), (x + 40, y + 30)))
    comic.until(lambda: picture(comic).box()["x"] > before["x"] + 20, "the picture follows the finger")
    wait_shown(comic, 353)


def test_a_swipe_beyond_the_latest_comic_shows_a_card(open_page, site):
    page = ready(open_page(site).install(f"/{recording.LATEST}/").go(f"/{recording.LATEST}/"))
    touch(page, trail((350, 300), (90, 300)))
    card = page.by_role("complementary", "Latest comic").wait()
    card.by_role("link", "Random").wait()
    touch(page, trail((100, 300), (300, 300)))
    card.wait_gone()
    wait_shown(page, recording.LATEST)


def test_a_readable_wide_picture_scrolls_to_its_edge_before_a_new_swipe_turns_the_page(open_page, site):
    page = open_page(site).install("/settings").go("/settings")
    page.by_selector("#downloads button").wait()
    choose(page, "Wide comics", "Readable")
    ready(page.go(f"/{recording.WIDE}/"))
    scroller = page.by_selector(".pages > .stage > .picture")
    assert scroller.evaluate("([part]) => part.scrollWidth - part.clientWidth") > 200
    page.until(lambda: page.evaluate("document.querySelector('.leaf.next img')?.naturalWidth > 1"), "the next comic is beside it")
    touch(page, trail((325, 400), (65, 400)))
    page.until(lambda: scroller.evaluate("([part]) => part.scrollLeft") > 200, "the picture was scrolled")
    wait_shown(page, recording.WIDE)
    scroller.evaluate("([part]) => { part.scrollLeft = 1e6 }")
    touch(page, trail((325, 400), (65, 400)))
    wait_shown(page, recording.WIDE + 1)


def test_a_drag_enlarges_the_sheet_and_closes_it(comic):
    comic.by_role("button", "Details").click()
    sheet = comic.by_role("dialog").wait()
    top = sheet.by_role("button", "Resize")
    x, y = top.place()
    touch_sheet(comic, (x, y), (x, y - 260))
    comic.until(lambda: sheet.box()["height"] > 780, "the sheet has its full height")
    x, y = top.place()
    touch_sheet(comic, (x, y), (x, y + 700))
    sheet.wait_gone()
    comic.wait_path("/353/")
