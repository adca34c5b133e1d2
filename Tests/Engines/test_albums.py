# Longbox
# SPDX-License-Identifier: MIT
"""Albums and the quiz, in three engines."""

import re

import pytest

import programs
from acts import link, save_album
from engines import DESKTOP
from sources import control

READING_ROOM = "/albums/9104?country=us"
READING_ROOM_TRACKS = ["Quiet, Please", "Misfiled", "Third Drawer Down", "Overdue", "Please Return"]
DRAWER = "/albums/9103?country=us"
INDEX_CARDS = "/albums/9102?country=us"


def quiz_of(album):
    return album.replace("?", "/quiz?")


def start(page, kind):
    page.by_role("button", f"Play: {kind}").click()
    page.by_role("timer").wait()


def type_all(page, titles):
    """Types titles without Enter: each is accepted as soon as it is right."""
    box = page.by_role("textbox", "Track title")
    for place, title in enumerate(titles, start=1):
        box.type(title.lower())
        if place < len(titles):
            page.by_selector(".quiz-count").wait_text(f"{place} of {len(titles)}")
            box.wait_property("value", "")


def test_a_search_leads_to_an_album_that_is_saved(open_page, site):
    page = open_page(site).install("/albums").go("/albums")
    page.by_role("searchbox", "Artist").fill("lantern")
    page.by_role("button", "Search").click()
    page.by_role("list", "Artists").by_role("link", re.compile("The Paper Lanterns")).click()
    page.by_role("list", "Albums").by_role("link", re.compile(r"Index Cards \(Deluxe Edition\)")).click()
    cover = page.by_role("img", re.compile("Cover"))
    page.until(lambda: cover.property("naturalWidth") == 600, "the cover is shown")
    page.by_role("button", "Save album").click()
    page.by_text("Album saved for offline.").wait()
    page.by_role("button", "Remove album").wait()


def test_a_missing_cover_is_drawn(open_page, recorded, tmp_path):
    """A drawing replaces a cover that can't be had; no engine shows the word in its place."""
    with programs.replay(recorded) as replay, programs.server(tmp_path, replay.address) as server:
        control(replay, "faults", {"source": "artwork", "kind": "status", "status": 404})
        page = open_page(server.address)
        page.expected.append("/cover|404|Failed to load resource")
        page.install("/about").go(INDEX_CARDS)
        page.by_role("button", "Save album").wait()
        drawn = """() => [...document.querySelectorAll(".album img, main img")].filter((image) => image.checkVisibility())
          .map((image) => image.complete && image.naturalWidth > 1)"""
        page.until(lambda: all(page.evaluate(drawn)), "each cover that is shown has a picture")


@pytest.mark.core
def test_a_quiz_is_played_by_typing(open_page, site):
    page = open_page(site).install().go(quiz_of(READING_ROOM))
    start(page, "Name the tracks")
    page.by_role("textbox", "Track title").wait_focused()
    type_all(page, READING_ROOM_TRACKS)
    page.by_role("heading", re.compile("^5 of 5 in ")).wait()


def test_the_numbers_of_tracks_stand_before_their_lines(open_page, site):
    page = open_page(site).install().go(quiz_of(READING_ROOM))
    start(page, "Name the tracks")
    line = page.by_role("list", "Tracks").by_role("listitem").nth(1)
    line.evaluate("([line]) => line.scrollIntoView({ block: 'center', behavior: 'instant' })")
    row, blank = line.box(), line.by_selector(".blank").box()
    view = page.picture()
    top, bottom = int(row["y"]) + 4, int(row["y"] + row["height"]) - 4
    # The marker of a list lies outside of its line's box.
    strip = view.crop((int(row["x"]) - 34, top, int(blank["x"]) - 2, bottom)).convert("L")
    darkest, brightest = strip.getextrema()
    assert brightest - darkest > 60, "nothing is written there"


def test_tracks_are_put_in_order_by_dragging(open_page, site):
    page = open_page(site, size=DESKTOP).install().go(quiz_of(DRAWER))
    start(page, "Track order")
    rows = page.by_role("list", "Tracks").by_role("listitem")
    rows.wait(count=4)
    page.by_role("list", "Tracks").evaluate("([list]) => list.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = rows.by_selector("bdi").texts()
    grip, last = rows.nth(0).by_selector(".grip").box(), rows.nth(3).box()
    start_at = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.drag(start_at, (start_at[0], last["y"] + last["height"] / 2))
    page.until(lambda: rows.by_selector("bdi").texts() == [*before[1:], before[0]], "the first track is the last")


def test_saved_albums_are_distinguished(open_page, site):
    page = open_page(site).install()
    for album in (READING_ROOM, DRAWER):
        save_album(page, album)
    page.go(quiz_of(DRAWER))
    start(page, "Which album?")
    titles = [title.lower() for title in READING_ROOM_TRACKS]
    for place in range(1, 10):
        page.by_selector(".quiz-count").wait_text(f"Question {place} of 9")
        asked = re.search("“(.*)”", page.by_selector(".quiz legend").texts()[0])[1]
        page.by_role("button", "Live at the Reading Room" if asked.lower() in titles else "Second Drawer - EP").click()
    page.by_role("heading", re.compile("^9 of 9 in ")).wait()


@pytest.mark.core
def test_a_quiz_is_paused_and_given_up(open_page, site):
    page = open_page(site).install().go(quiz_of(DRAWER))
    start(page, "Name the tracks")
    page.by_role("button", "Hint: first letters of track 2").click()
    page.by_role("list", "Tracks").by_role("listitem").nth(1).wait_text("L··")
    page.by_role("button", "Pause").click()
    page.by_text("The quiz is paused.").wait()
    page.by_role("button", "Go on").click()
    page.by_role("button", "Give up").click()
    page.by_role("dialog").by_role("button", "Give up").click()
    page.by_role("heading", re.compile("^0 of 4 in ")).wait()


def test_a_saved_album_is_listed_and_removed(open_page, site):
    page = open_page(site).install()
    save_album(page, DRAWER)
    page.go("/albums/saved")
    link(page, re.compile("Second Drawer - EP")).wait()
    page.by_role("button", re.compile("^Remove Second Drawer")).click()
    page.by_text(re.compile("Albums you save appear here")).wait()
