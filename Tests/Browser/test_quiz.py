# Longbox
# SPDX-License-Identifier: MIT
"""The quiz on an album: with and without scripts, by keyboard, offline, and continued on another device."""

import re

import pytest
from playwright.sync_api import expect

import device
from pages import link_for_another_device, save_album
from watch import Held

READING_ROOM = "/albums/9104?country=us"
READING_ROOM_TRACKS = ["Quiet, Please", "Misfiled", "Third Drawer Down", "Overdue", "Please Return"]
DRAWER = "/albums/9103?country=us"
DRAWER_TRACKS = ["The Handle Came Off", "Lid", "What Was In It", "Nothing Was In It"]


def quiz_of(album):
    return album.replace("?", "/quiz?")


def start(page, kind):
    page.get_by_role("button", name=f"Play: {kind}").click()
    expect(page.get_by_role("timer")).to_be_visible()


def count(page):
    return page.locator(".quiz-count")


def give_up(page):
    """Gives up, which scripts ask about."""
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()


def type_all(page, titles):
    """Types titles without pressing Enter: each is accepted as soon as it is right."""
    for place, title in enumerate(titles, start=1):
        page.get_by_role("textbox", name="Track title").press_sequentially(title.lower())
        if place < len(titles):
            expect(count(page)).to_have_text(f"{place} of {len(titles)}")
            expect(page.get_by_role("textbox", name="Track title")).to_have_value("")


@pytest.mark.below_a_path
def test_a_quiz_can_be_played_without_scripts(open_page, site):
    page = open_page(site + READING_ROOM, java_script_enabled=False)
    page.get_by_role("link", name="Quiz").click()
    start(page, "Name the tracks")
    for place, title in enumerate(READING_ROOM_TRACKS, start=1):
        expect(page.get_by_role("main")).not_to_contain_text(title)
        page.get_by_role("textbox", name="Track title").fill(title.upper())
        page.get_by_role("button", name="Answer").click()
        if place < 5:
            expect(count(page)).to_have_text(f"{place} of 5")
    expect(page.get_by_role("heading", name=re.compile("^5 of 5 in "))).to_be_visible()
    page.get_by_role("link", name="Other quizzes").click()
    expect(page.get_by_text(re.compile("^Best: 5 of 5 in "))).to_be_visible()
    start(page, "Name the tracks")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Give up").click()
    expect(page.get_by_role("list", name="Tracks").get_by_text("missed")).to_have_count(5)
    page.get_by_role("button", name="Practice missed tracks (5)").click()
    expect(count(page)).to_have_text("0 of 5")
    page.get_by_role("link", name="Back to the album").click()
    expect(page.get_by_role("heading", level=1, name="Live at the Reading Room")).to_be_visible()


@pytest.mark.below_a_path
def test_an_answer_is_accepted_as_soon_as_it_is_right(open_page, site):
    page = open_page(site + quiz_of(READING_ROOM))
    start(page, "Name the tracks")
    expect(page.get_by_role("textbox", name="Track title")).to_be_focused()
    type_all(page, READING_ROOM_TRACKS)
    expect(page.get_by_role("heading", name=re.compile("^5 of 5 in "))).to_be_visible()


def test_letters_typed_after_enter_belong_to_the_next_answer(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Name the tracks")
    held = Held(page, re.compile(r"/quiz\?"))
    box = page.get_by_role("textbox", name="Track title")
    box.press_sequentially("drawer")
    box.press("Enter")
    box.press_sequentially("lid")
    held.release()
    expect(count(page)).to_have_text("1 of 4")
    expect(box).to_have_value("")


def test_a_hint_keeps_the_typed_text(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Name the tracks")
    box = page.get_by_role("textbox", name="Track title")
    with page.expect_response(re.compile(r"/quiz\?")):
        box.fill("the han")
    held = Held(page, re.compile(r"/quiz\?"))
    page.get_by_role("button", name="First letters of track 2").click()
    box.press("End")
    box.press_sequentially("d")
    held.release()
    expect(page.get_by_role("list", name="Tracks").get_by_role("listitem").nth(1)).to_contain_text("L··")
    expect(box).to_have_value("the hand")


def test_a_hint_shows_first_letters(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Name the tracks")
    page.get_by_role("button", name="First letters of track 2").click()
    expect(page.get_by_role("list", name="Tracks").get_by_role("listitem").nth(1)).to_contain_text("L··")
    expect(page.get_by_role("button", name="More letters of track 2")).to_be_focused()


def test_rows_keep_their_height_from_the_blank_over_a_hint_to_the_answer(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Name the tracks")
    rows = page.get_by_role("list", name="Tracks").get_by_role("listitem")
    heights = "rows => rows.map((row) => row.getBoundingClientRect().height)"
    before = rows.evaluate_all(heights)
    page.get_by_role("button", name="First letters of track 2").click()
    expect(rows.nth(1)).to_contain_text("··")
    assert rows.evaluate_all(heights) == before
    page.get_by_role("textbox", name="Track title").fill(DRAWER_TRACKS[0])
    page.keyboard.press("Enter")
    expect(rows.nth(0)).to_have_text(DRAWER_TRACKS[0])
    assert rows.evaluate_all(heights) == before


def shown_order(page):
    return page.locator(".quiz-tracks li bdi").all_inner_texts()


def test_tracks_can_be_put_in_order_by_keyboard(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    page.get_by_role("button", name="Play: Track order").press("Enter")
    items = page.get_by_role("list", name="Tracks").get_by_role("listitem")
    expect(items).to_have_count(4)
    for place, title in enumerate(DRAWER_TRACKS):
        while (now := shown_order(page).index(title)) > place:
            page.get_by_role("button", name=f"Move {title} up").press("Enter")
            expect(items.nth(now - 1).locator("bdi")).to_have_text(title)
    page.get_by_role("button", name="Check the order").press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^4 of 4 in "))).to_be_visible()


def test_tracks_can_be_put_in_order_by_dragging(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Track order")
    items = page.get_by_role("list", name="Tracks").get_by_role("listitem")
    before = shown_order(page)
    grip, last = items.nth(0).locator(".grip").bounding_box(), items.nth(3).bounding_box()
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2, steps=12)
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.mouse.up()
    expect(items.locator("bdi")).to_have_text([*before[1:], before[0]])


def test_the_quiz_which_album_uses_the_saved_albums(open_page, site):
    page = open_page(site + READING_ROOM)
    save_album(page)
    page.goto(site + quiz_of(READING_ROOM))
    expect(page.get_by_role("button", name="Play: Which album?")).to_have_count(0)
    page.goto(site + DRAWER)
    save_album(page)
    page.get_by_role("link", name="Quiz").click()
    start(page, "Which album?")
    expect(count(page)).to_have_text("Question 1 of 9")
    for place in range(1, 10):
        asked = re.search("“(.*)”", page.get_by_role("group").locator("legend").inner_text())[1]
        album = "Second Drawer - EP" if asked in DRAWER_TRACKS else "Live at the Reading Room"
        page.get_by_role("button", name=album).click()
        if place < 9:
            expect(count(page)).to_have_text(f"Question {place + 1} of 9")
    expect(page.get_by_role("heading", name=re.compile("^9 of 9 in "))).to_be_visible()


def test_a_quiz_can_be_paused_and_given_up(open_page, site, keep_picture):
    page = open_page(site + quiz_of(READING_ROOM), device="phone")
    start(page, "Name the tracks")
    page.get_by_role("textbox", name="Track title").press_sequentially("misfield")
    expect(count(page)).to_have_text("1 of 5")
    page.get_by_role("button", name="First letters of track 3").click()
    keep_picture(page, "quiz-naming")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("The quiz is paused.")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    give_up(page)
    result = page.get_by_role("heading", name=re.compile("^1 of 5 in "))
    expect(result).to_be_focused()
    expect(result).to_be_in_viewport()


def expect_on(other, path, words):
    """Expects these words on another device after its next sync, which each opened page starts."""
    for _ in range(30):
        try:
            return expect(other.open(path).get_by_text(words)).to_be_visible(timeout=2_000)
        except AssertionError:
            continue
    raise AssertionError(f"{path} never showed “{words}”")


@pytest.mark.below_a_path
def test_a_quiz_works_offline_and_its_result_reaches_another_device(browser, site, keep_picture):
    with device.app(browser, site) as app, device.app(browser, site, device="desktop") as other:
        page = app.install().open("/albums")
        page.get_by_role("searchbox", name="Artist").fill("lantern")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("list", name="Artists").get_by_role("link", name="The Paper Lanterns").click()
        page.get_by_role("link", name="Live at the Reading Room").click()
        save_album(page)
        other.install().page.goto(link_for_another_device(page, site))
        other.page.get_by_role("button", name="Connect").click()
        expect(other.page.get_by_role("status").filter(has_text="share one library")).to_be_visible()
        app.set_offline(True)
        app.stop_worker()
        page = app.open("/albums/saved")
        page.get_by_role("link", name="Live at the Reading Room").click()
        page.get_by_role("link", name="Quiz").click()
        start(page, "Name the tracks")
        type_all(page, READING_ROOM_TRACKS)
        expect(page.get_by_role("heading", name=re.compile("^5 of 5 in "))).to_be_visible()
        keep_picture(page, "quiz-offline-phone")
        app.stop_worker()
        page.get_by_role("link", name="Other quizzes").click()
        best = page.get_by_text(re.compile("^Best: 5 of 5 in "))
        expect(best).to_be_visible()
        result = best.inner_text()
        app.set_offline(False)
        page.reload()
        expect_on(other, quiz_of(READING_ROOM), result)


def test_an_album_that_was_only_viewed_can_be_played_offline(browser, site):
    with device.app(browser, site) as app:
        page = app.install().open(DRAWER)
        page.wait_for_function(
            f"() => caches.open('longbox-albums-shown' + {device.BASE})"
            ".then(cache => cache.keys()).then(keys => keys.length === 1)"
        )
        app.set_offline(True)
        app.stop_worker()
        page = app.open(DRAWER)
        page.get_by_role("link", name="Quiz").click()
        start(page, "Which comes next?")
        give_up(page)
        expect(page.get_by_role("heading", name=re.compile("^0 of 3 in "))).to_be_visible()
        expect(page.get_by_text("xkcd.com")).to_have_count(0)
        assert page.goto(site + "/albums/9301/quiz?country=us").status == 503
        expect(page.get_by_role("alert")).to_contain_text("This is not on this device.")


def test_the_quiz_continues_after_an_interrupted_response(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Name the tracks")
    page.evaluate("""() => {
      const { fetch } = window
      window.fetch = async () => {
        window.fetch = fetch
        return { text: () => Promise.reject(new TypeError("network error")) }
      }
    }""")
    hint = page.get_by_role("button", name="First letters of track 2")
    hint.click()
    expect(page.get_by_role("status").get_by_text("That couldn’t be sent. Check the connection and try again.")).to_be_visible()
    expect(count(page)).to_have_text("0 of 4")
    hint.click()
    expect(page.get_by_role("list", name="Tracks").get_by_role("listitem").nth(1)).to_contain_text("L··")


def test_a_quiz_that_cannot_be_started_says_so(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    # A function, since evaluate calls the value of an expression that is one.
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('network error')) }")
    page.get_by_role("button", name="Play: Name the tracks").click()
    expect(page.get_by_role("alert").get_by_text("That couldn’t be sent. Check the connection and try again.")).to_be_visible()


@pytest.mark.below_a_path
def test_a_quiz_in_progress_survives_a_reload_and_other_pages(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Name the tracks")
    box = page.get_by_role("textbox", name="Track title")
    box.press_sequentially("lid")
    expect(count(page)).to_have_text("1 of 4")
    page.reload()
    expect(count(page)).to_have_text("1 of 4")
    navigation = page.get_by_role("navigation", name="Main")
    navigation.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    navigation.get_by_role("link", name="Albums").click()
    expect(count(page)).to_have_text("1 of 4")
    give_up(page)
    expect(page.get_by_role("heading", name=re.compile("^1 of 4 in "))).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Play: Name the tracks")).to_be_visible()
    expect(count(page)).to_have_count(0)


def test_a_wrong_answer_is_named_beside_the_box_and_moves_nothing(open_page, site):
    page = open_page(site + quiz_of(DRAWER), device="phone")
    start(page, "Name the tracks")
    box = page.get_by_role("textbox", name="Track title")
    rows = page.get_by_role("list", name="Tracks").get_by_role("listitem")

    def places():
        return rows.evaluate_all("rows => rows.map(row => Math.round(row.getBoundingClientRect().top + scrollY))")

    before = places()
    box.press_sequentially("no such track")
    box.press("Enter")
    said = page.get_by_role("status").get_by_text("Not on this album.")
    expect(said).to_be_visible()
    assert said.evaluate("said => said.getBoundingClientRect().top") - box.bounding_box()["y"] < 130
    expect(box).to_be_focused()
    assert box.evaluate("box => [box.selectionStart, box.selectionEnd]") == [13, 13]
    assert places() == before
    box.fill("lid")
    expect(count(page)).to_have_text("1 of 4")
    assert places() == before


def test_giving_up_asks(open_page, site):
    page = open_page(site + quiz_of(DRAWER))
    start(page, "Name the tracks")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog", name="Give up?").get_by_role("button", name="Cancel").click()
    expect(count(page)).to_have_text("0 of 4")
    expect(page.get_by_role("textbox", name="Track title")).to_be_visible()
