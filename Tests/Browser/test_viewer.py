# Longbox
# SPDX-License-Identifier: MIT
"""Gestures on a comic: zoom, swipe, double tap and keys, while the bars keep working."""

import itertools
import re
import time

import pytest
from playwright.sync_api import expect

import page_acts
import recording
from device import NOTIFY, pause_clock
from gestures import Gestures
from pages import heart, picture
from watch import Held

# The picture of the comic shown; its neighbours lie beside it.
SHOWN = ".pages > .stage > .picture"
# This comic and the next fit a phone's width.
NARROW = 12
# Higher than wide.
SLIM = 25


def box(page):
    return picture(page).bounding_box()


def middle(page):
    """The middle of the visible part of the picture."""
    rect = box(page)
    view = page.viewport_size
    left, right = max(rect["x"], 0), min(rect["x"] + rect["width"], view["width"])
    top, bottom = max(rect["y"], 60), min(rect["y"] + rect["height"], view["height"] - 140)
    return (left + right) / 2, (top + bottom) / 2


def zoom_of(page):
    """The picture's zoom level; 1 at rest."""
    level = page.locator(".zoom-level")
    return int(level.inner_text().removesuffix(" %")) / 100 if level.count() else 1


def ready(page):
    """Waits until the page handles gestures."""
    expect(page.locator("html.gestures")).to_be_attached()
    expect(picture(page)).to_have_js_property("complete", True)
    return Gestures(page)


def offset(page):
    """How many pixels the page is to the right of its resting position."""
    script = "element => new DOMMatrix(getComputedStyle(element).transform).m41"
    return page.locator(".pages > .stage").evaluate(script)


def at_rest(page):
    """Waits until neither the page nor its picture moves."""
    page.evaluate("""() => new Promise(resolve => {
      let [last, same] = ["", 0]
      const look = () => {
        const parts = [...document.querySelectorAll(".stage, .picture, .picture img")]
        const now = JSON.stringify(parts.map(part => part.getBoundingClientRect()))
        same = now === last ? same + 1 : 0
        last = now
        same > 4 ? resolve() : requestAnimationFrame(look)
      }
      look()
    })""")


def number_random_comics(page):
    """Makes the random comics 101, 102 and so on."""
    numbers = itertools.count(101)
    page.route("**/random", lambda route: route.fulfill(status=303, headers={"location": f"{next(numbers)}/"}))


def slow_down(page, rate=4):
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})


def comic(page, number):
    expect(page.get_by_role("img", name=re.compile(rf"^Comic {number}: "))).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/{number}/$"))


@pytest.fixture
def open_comic(open_page, site):
    # Without a worker, which would bring the page up to date if something had changed when it takes over.
    def open_number(number, device="phone", **options):
        page = open_page(f"{site}/{number}/", device=device, **options)
        return page, ready(page)

    return open_number


@pytest.mark.parametrize("number", [recording.PLAIN, recording.WIDE, recording.TALL])
def test_a_pinch_zooms_around_the_fingers_and_the_next_comic_is_one_tap_away(open_comic, keep_picture, number):
    page, gestures = open_comic(number)
    x, y = middle(page)
    before = box(page)
    share = (x - before["x"]) / before["width"], (y - before["y"]) / before["height"]
    gestures.pinch((x, y), 60, 180)
    assert zoom_of(page) == pytest.approx(3, abs=0.1)
    after = box(page)
    assert after["width"] == pytest.approx(3 * before["width"], rel=0.05)
    # The point between the fingers stays there, as far as the picture's edges allow.
    if number != recording.PLAIN:
        assert after["x"] + share[0] * after["width"] == pytest.approx(x, abs=12)
    keep_picture(page, f"viewer-pinch-{number}")
    page.get_by_role("link", name="Next comic").click()
    comic(page, number + 1)
    assert zoom_of(page) == 1


def edge_of(page, dx, dy):
    """The picture's edge on the side that a finger drags into view, and the frame's."""
    now, frame = box(page), page.locator(SHOWN).bounding_box()
    side, size = ("x", "width") if dx else ("y", "height")
    if dx + dy > 0:
        return now[side], frame[side]
    return now[side] + now[size], frame[side] + frame[size]


@pytest.mark.parametrize("number", [recording.WIDE, recording.TALL])
def test_panning_reaches_each_edge_and_only_a_new_pan_from_there_turns_the_page(open_comic, number):
    page, gestures = open_comic(number)
    gestures.pinch(middle(page), 60, 180)
    x, y = middle(page)
    for dx, dy in [(0, 300), (0, -300), (300, 0), (-300, 0)]:
        for _ in range(80):
            is_at, edge = edge_of(page, dx, dy)
            # A picture lower than its frame stays inside it.
            if abs(is_at - edge) < 1 or (dy and box(page)["height"] < 500):
                break
            gestures.drag((x - dx / 2, y - dy / 2), (x + dx / 2, y + dy / 2), steps=3, pause=4)
            at_rest(page)
            comic(page, number)
        else:
            raise AssertionError(f"no edge was reached by {dx}, {dy}")
    gestures.drag((x, y - 150), (x, y + 150))
    at_rest(page)
    comic(page, number)
    gestures.drag((x + 150, y), (x - 150, y))
    comic(page, number + 1)
    assert zoom_of(page) == 1


def test_a_picture_dragged_beyond_its_edge_returns_even_after_a_tap(open_comic):
    page, gestures = open_comic(recording.TALL)
    gestures.pinch(middle(page), 60, 180)
    x, y = middle(page)
    # The picture stays where a finger leaves it.
    pause_clock(page)
    for _ in range(4):
        gestures.drag((x, y - 150), (x, y + 150))
    is_at, edge = edge_of(page, 0, 300)
    assert is_at > edge + 20
    gestures.tap((x, y))
    page.clock.run_for(2_000)
    is_at, edge = edge_of(page, 0, 300)
    assert is_at == pytest.approx(edge, abs=1)


def test_a_swipe_turns_the_page_and_a_short_one_does_not(open_comic):
    page, gestures = open_comic(NARROW)
    x, y = middle(page)
    gestures.drag((x + 130, y), (x - 130, y))
    comic(page, NARROW + 1)
    gestures.drag((x - 130, y), (x + 130, y))
    comic(page, NARROW)
    gestures.drag((x + 10, y), (x - 10, y))
    gestures.drag((x, y - 100), (x, y + 100))
    at_rest(page)
    comic(page, NARROW)


def neighbours(page):
    """The comics beside the one shown, by their pictures' names."""
    names = "leaves => leaves.map(leaf => leaf.inert && leaf.querySelector('img')?.alt.split(':')[0]).sort()"
    return page.locator(".leaf").evaluate_all(names)


def swipe(page, gestures, *places, pause=16):
    """Moves a finger over places, in pixels from the picture's middle, without lifting it.

    The events are `pause` milliseconds apart by their own times. Returns when the finger can be lifted at the earliest.
    """
    x, y = middle(page)
    now = time.time()
    gestures.touch("touchStart", (x, y), at=now)
    for across in places:
        now += pause / 1000
        gestures.touch("touchMove", (x + across, y), at=now)
    return now


@pytest.mark.parametrize("rate", [1, 4])
def test_the_next_comic_follows_the_finger(open_comic, keep_picture, rate):
    page, gestures = open_comic(NARROW)
    expect(page.locator(".leaf img")).to_have_count(2)
    assert neighbours(page) == [f"Comic {NARROW - 1}", f"Comic {NARROW + 1}"]
    for image in page.locator(".leaf img").all():
        expect(image).to_have_js_property("complete", True)
    slow_down(page, rate)
    # A shorter move than the lock's does nothing.
    now = swipe(page, gestures, -4, -9)
    assert offset(page) == 0
    # Too long for a tap, which would show the alt text where the next swipe begins.
    gestures.touch("touchEnd", at=now + 0.6)
    now = swipe(page, gestures, *range(-20, -181, -20))
    page.wait_for_function("() => document.querySelector('.pages.turns')")
    assert offset(page) == pytest.approx(-180, abs=1)
    leaf = page.locator(".leaf.next").bounding_box()
    assert leaf["x"] == pytest.approx(390 + 16 - 180, abs=1)
    image = page.locator(".leaf.next img")
    assert image.evaluate("image => image.complete && image.naturalWidth > 1 && getComputedStyle(image).visibility === 'visible'")
    keep_picture(page, f"viewer-swipe-{rate}")
    gestures.touch("touchEnd", at=now + 0.15)
    at_rest(page)
    assert offset(page) == 0
    comic(page, NARROW)


@pytest.mark.parametrize("rate", [1, 4])
@pytest.mark.parametrize(
    ("places", "rest", "turns"),
    [
        pytest.param(range(-20, -221, -20), 150, True, id="long"),
        pytest.param(range(-20, -181, -20), 150, False, id="too short"),
        pytest.param((-30, -90, -150), 0, True, id="fast"),
        pytest.param((*range(-40, -241, -40), -200, -140), 0, False, id="reversed"),
    ],
)
def test_a_long_or_fast_swipe_turns_the_page_unless_it_is_reversed(open_comic, places, rest, turns, rate):
    page, gestures = open_comic(NARROW)
    slow_down(page, rate)
    now = swipe(page, gestures, *places)
    gestures.touch("touchEnd", at=now + rest / 1000)
    at_rest(page)
    comic(page, NARROW + turns)
    assert offset(page) == 0
    assert page.evaluate("scrollX") == 0


def test_a_moving_page_can_be_caught(open_comic):
    page, gestures = open_comic(NARROW)
    page.evaluate("""() => {
      window.frames = 0
      const animate = Element.prototype.animate
      Element.prototype.animate = function (...given) {
        const animation = animate.apply(this, given)
        if (this.matches(".stage, .leaf")) { animation.currentTime = 60; animation.playbackRate = .001 }
        return animation
      }
    }""")
    now = swipe(page, gestures, -30, -90, -150)
    gestures.touch("touchEnd", at=now)
    comic(page, NARROW + 1)
    caught = offset(page)
    assert caught > 10
    x, y = middle(page)
    gestures.touch("touchStart", (200, y))
    gestures.touch("touchMove", (220, y))
    gestures.touch("touchMove", (240, y))
    at_rest(page)
    assert offset(page) == pytest.approx(caught + 40, abs=2)
    gestures.touch("touchEnd")


def test_a_swipe_beyond_the_latest_comic_shows_a_card(open_comic, keep_picture):
    page, gestures = open_comic(recording.LATEST)
    before = box(page)
    now = swipe(page, gestures, *range(-20, -101, -20))
    assert offset(page) == pytest.approx(-48, abs=1)
    gestures.touch("touchEnd", at=now)
    at_rest(page)
    assert box(page) == before
    gestures.drag((350, 300), (90, 300))
    at_rest(page)
    comic(page, recording.LATEST)
    assert offset(page) == pytest.approx(-116, abs=1)
    card = page.get_by_role("complementary", name="Latest comic")
    expect(card.get_by_role("heading")).to_have_text("This is the latest comic")
    expect(card.get_by_role("link", name="Random")).to_be_visible()
    expect(page.locator(".announcer")).to_contain_text("This is the latest comic.")
    keep_picture(page, "viewer-end")
    gestures.tap((150, 350))
    at_rest(page)
    assert box(page) == before
    expect(card).to_have_count(0)
    expect(page.locator(".caption")).to_have_count(0)


@pytest.mark.parametrize("number", [1, recording.LATEST])
def test_a_swipe_back_closes_the_card_at_the_end_and_stays_at_the_comic(open_comic, number):
    page, gestures = open_comic(number)
    before = box(page)
    outwards, back = ((60, 300), (340, 300)), ((300, 300), (100, 300))
    if number == recording.LATEST:
        outwards, back = ((350, 300), (90, 300)), ((100, 300), (300, 300))
    gestures.drag(*outwards)
    at_rest(page)
    card = page.get_by_role("complementary", name="Latest comic" if number > 1 else "First comic")
    expect(card).to_be_visible()
    gestures.drag(*back)
    at_rest(page)
    expect(card).to_have_count(0)
    comic(page, number)
    assert box(page) == before


def test_a_swipe_before_the_first_comic_shows_a_card_with_the_oldest_unread(open_comic, keep_picture):
    page, gestures = open_comic(1)
    gestures.drag((60, 300), (340, 300))
    at_rest(page)
    assert offset(page) == pytest.approx(116, abs=1)
    card = page.get_by_role("complementary", name="First comic")
    expect(card.get_by_role("heading")).to_have_text("This is the first comic")
    keep_picture(page, "viewer-end-first")
    card.get_by_role("link", name="Oldest unread").click()
    expect(card).to_have_count(0)
    comic(page, 1)
    at_rest(page)
    gestures.drag((60, 300), (340, 300))
    expect(card.get_by_role("link", name="Random")).to_be_visible()


def test_a_disabled_link_at_an_end_says_why(open_comic):
    page, _ = open_comic(recording.LATEST, device="desktop")
    status = page.locator("[role=status].announcer")
    page.get_by_role("link", name="Latest comic").focus()
    page.keyboard.press("Enter")
    expect(status).to_contain_text("This is the latest comic.")
    expect(page.get_by_role("link", name="Oldest unread")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Oldest unread")).to_have_count(0)
    page.keyboard.press("Home")
    comic(page, 1)
    page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("This is the first comic.")


def test_with_reduced_motion_the_page_follows_the_finger_but_does_not_slide(open_comic):
    page, gestures = open_comic(NARROW, reduced_motion="reduce")
    now = swipe(page, gestures, *range(-20, -221, -20))
    assert offset(page) == pytest.approx(-220, abs=1)
    gestures.touch("touchEnd", at=now + 0.15)
    comic(page, NARROW + 1)
    assert offset(page) == 0


def test_swipes_from_the_edge_are_left_to_ios(open_comic):
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
    page, gestures = open_comic(NARROW, user_agent=agent)
    gestures.drag((15, 300), (300, 300))
    at_rest(page)
    comic(page, NARROW)
    gestures.drag((40, 300), (330, 300))
    comic(page, NARROW - 1)


@pytest.mark.parametrize("rate", [1, 4])
def test_a_tap_shows_the_alt_text_and_a_double_tap_does_not(open_comic, keep_picture, rate):
    page, gestures = open_comic(recording.PLAIN)
    slow_down(page, rate)
    button = page.get_by_role("button", name="Alt text", exact=True)
    caption = page.locator(".caption")
    before = box(page)
    page.clock.install()
    gestures.double_tap(middle(page))
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    # Longer than a single tap waits for a second one.
    page.clock.run_for(400)
    expect(caption).to_have_count(0)
    gestures.tap(middle(page))
    expect(caption).to_have_text("It hugged back, and that was the whole interview.")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".announcer")).to_have_text("It hugged back, and that was the whole interview.")
    assert box(page) == before
    keep_picture(page, f"viewer-caption-{rate}")
    gestures.tap(middle(page))
    expect(caption).to_have_count(0)
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_tap_right_before_a_page_turn_does_not_show_the_next_alt_text(open_comic):
    page, gestures = open_comic(NARROW)
    # The next comic has loaded.
    expect(page.locator(".leaf.next img")).to_be_attached()
    place = middle(page)
    pause_clock(page)
    gestures.tap(place)
    page.keyboard.press("ArrowRight")
    comic(page, NARROW + 1)
    # Longer than a single tap waits for a second one.
    page.clock.run_for(400)
    expect(page.get_by_role("button", name="Alt text", exact=True)).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".caption")).to_have_count(0)


def test_a_button_and_a_key_show_the_alt_text_and_escape_and_a_page_turn_hide_it(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    button = page.get_by_role("button", name="Alt text", exact=True)
    caption = page.locator(".caption")
    button.click()
    expect(caption).to_be_visible()
    page.keyboard.press("Escape")
    expect(caption).to_have_count(0)
    page.keyboard.press("a")
    expect(caption).to_be_visible()
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)
    expect(caption).to_have_count(0)
    expect(button).to_have_attribute("aria-pressed", "false")
    picture(page).click()
    expect(caption).to_be_visible()
    picture(page).click(position={"x": 5, "y": 5})
    expect(caption).to_have_count(0)


def test_the_caption_covers_the_bottom_of_a_tall_comic(open_comic, keep_picture):
    page, gestures = open_comic(recording.TALL)
    gestures.tap((195, 400))
    caption = page.locator(".caption")
    expect(caption).to_be_visible()
    at_rest(page)
    lower = caption.bounding_box()
    assert lower["height"] <= 0.4 * 844 + 1
    assert lower["y"] + lower["height"] <= page.get_by_role("navigation", name="Comics").bounding_box()["y"]
    keep_picture(page, "viewer-caption-tall")


LANDSCAPE = {"width": 844, "height": 390}


@pytest.mark.parametrize("number", [NARROW, recording.TALL])
def test_in_landscape_a_comic_is_shown_whole_if_it_stays_readable(open_comic, keep_picture, number):
    page, _ = open_comic(number, viewport=LANDSCAPE)
    at_rest(page)
    keep_picture(page, f"viewer-landscape-{number}")
    is_whole = number == NARROW
    assert (box(page)["y"] + box(page)["height"] <= 390) is is_whole
    if is_whole:
        page.get_by_role("link", name="Next comic").click()
        comic(page, number + 1)
        at_rest(page)
        assert box(page)["y"] + box(page)["height"] <= 390


def test_in_landscape_a_narrow_comic_is_between_the_title_and_the_buttons(open_comic):
    page, _ = open_comic(SLIM, viewport=LANDSCAPE)
    at_rest(page)
    left, right = box(page)["x"], box(page)["x"] + box(page)["width"]
    title = page.locator(".title").bounding_box()
    credit = page.get_by_role("contentinfo").bounding_box()
    assert title["x"] + title["width"] <= left and credit["x"] + credit["width"] <= left
    assert title["y"] + title["height"] <= credit["y"]
    assert heart(page).bounding_box()["x"] >= right
    page.keyboard.press("+")
    expect(page.locator(".zoomed")).to_be_attached()
    # Zoomed, it stays below the bar.
    assert page.locator(SHOWN).bounding_box()["y"] >= page.locator(".bar").bounding_box()["height"]


def test_in_landscape_the_bars_hide_while_scrolling_down(open_comic):
    page, _ = open_comic(recording.TALL, viewport=LANDSCAPE)
    bar = page.get_by_role("navigation", name="Main")
    page.evaluate("scrollTo(0, 600)")
    expect(bar).not_to_be_in_viewport()
    page.evaluate("scrollTo(0, 500)")
    expect(bar).to_be_in_viewport()


def test_a_comic_without_alt_text_has_no_button_for_it(open_comic):
    page, gestures = open_comic(recording.NO_ALT)
    expect(page.get_by_role("button", name="Alt text", exact=True)).to_have_count(0)
    page.clock.install()
    gestures.tap(middle(page))
    page.clock.run_for(400)
    expect(page.locator(".caption")).to_have_count(0)


def test_a_readable_wide_picture_scrolls_to_its_edge_before_a_new_swipe_turns_the_page(open_comic):
    page, _ = open_comic(recording.WIDE)
    page_acts.choose_setting(page, "wide", "readable")
    gestures = ready(page)
    x, y = middle(page)
    for _ in range(2):
        gestures.drag((x + 130, y), (x - 130, y))
        at_rest(page)
        comic(page, recording.WIDE)
    assert page.locator(SHOWN).evaluate("figure => figure.scrollLeft") > 200
    page.locator(SHOWN).evaluate("figure => { figure.scrollLeft = 1e6 }")
    at_rest(page)
    gestures.drag((x + 130, y), (x - 130, y))
    comic(page, recording.WIDE + 1)


def test_a_double_tap_makes_a_favorite_that_can_be_undone(open_comic, keep_picture):
    page, gestures = open_comic(recording.PLAIN)
    # The heart that shows it disappears after a moment.
    pause_clock(page)
    gestures.double_tap(middle(page))
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".burst")).to_be_attached()
    keep_picture(page, "viewer-favorite")
    undo = page.locator(".toast").get_by_role("button", name="Undo")
    expect(undo).to_be_in_viewport()
    # A second double tap changes nothing. Its heart shows that it has been noticed.
    page.evaluate("document.querySelector('.burst').remove()")
    gestures.double_tap(middle(page), later=1)
    expect(page.locator(".burst")).to_be_attached()
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    undo.click()
    expect(heart(page)).to_have_attribute("aria-pressed", "false")
    comic(page, recording.PLAIN)


def test_a_double_tap_with_a_pen_makes_a_favorite_and_does_not_zoom(open_comic):
    page, gestures = open_comic(recording.PLAIN, device="desktop")
    gestures.double_tap_with_pen(middle(page))
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    at_rest(page)
    assert zoom_of(page) == pytest.approx(1, abs=0.01)


def test_a_double_tap_and_drag_zooms(open_comic):
    page, gestures = open_comic(recording.PLAIN)
    x, y = middle(page)
    gestures.double_tap_and_drag((x, y), (x, y + 120))
    assert zoom_of(page) > 1.8
    expect(heart(page)).to_have_attribute("aria-pressed", "false")


def test_zooming_back_out_restores_the_page(open_comic):
    page, gestures = open_comic(recording.TALL)
    page.evaluate("scrollTo(0, 1500)")
    before = box(page)
    gestures.pinch(middle(page), 60, 180)
    assert zoom_of(page) > 2.5
    gestures.pinch(middle(page), 240, 40)
    expect(page.locator(".zoom-level")).to_have_count(0)
    after = box(page)
    assert after["width"] == before["width"]
    assert page.evaluate("scrollY") > 500


def test_keys_zoom_and_turn_pages(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    number_random_comics(page)
    page.goto(f"{site}/{recording.PLAIN}/")
    ready(page)
    for _ in range(8):
        page.keyboard.press("+")
    assert zoom_of(page) >= 8
    left = box(page)["x"]
    page.keyboard.press("Shift+ArrowRight")
    assert box(page)["x"] < left
    page.keyboard.press("-")
    assert zoom_of(page) < 8
    page.keyboard.press("0")
    assert zoom_of(page) == 1
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)
    assert zoom_of(page) == 1
    page.keyboard.press("h")
    comic(page, recording.PLAIN)
    page.keyboard.press("l")
    comic(page, recording.PLAIN + 1)
    page.keyboard.press("f")
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Home")
    comic(page, 1)
    page.keyboard.press("End")
    comic(page, recording.LATEST)
    page.keyboard.press("r")
    expect(page).not_to_have_url(re.compile(rf"/{recording.LATEST}/$"))
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Previous comic")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("g")
    expect(page.get_by_role("textbox", name="Comic number")).to_be_focused()
    page.keyboard.type("r12")
    expect(page.get_by_role("textbox", name="Comic number")).to_have_value("12")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("key", ["s", "/"])
def test_a_key_opens_the_search(open_comic, key):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.keyboard.press(key)
    expect(page).to_have_url(re.compile("/search$"))
    expect(page.get_by_role("searchbox", name="Search comics")).to_be_visible()


def test_keys_do_nothing_if_shortcuts_are_off(open_page, site):
    page = open_page(f"{site}/settings", device="desktop")
    with page.expect_response("**/settings/set"):
        page.get_by_role("switch", name="Keyboard shortcuts").click()
    page.goto(f"{site}/{recording.PLAIN}/")
    ready(page)
    page.evaluate("window.taken = []; addEventListener('keydown', (event) => window.taken.push(event.defaultPrevented))")
    keys = "ArrowLeft h ArrowRight l Home End r Shift+R f a d e t s / g + - 0 ?".split()
    for key in keys:
        page.keyboard.press(key)
    taken = page.evaluate("window.taken")
    # Shift has an event of its own.
    assert len(taken) == len(keys) + 1 and not any(taken)
    comic(page, recording.PLAIN)
    assert zoom_of(page) == 1
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(heart(page)).to_have_attribute("aria-pressed", "false")


def test_a_message_disappears_after_four_seconds_and_one_with_undo_after_eight(open_comic):
    page, _ = open_comic(recording.PLAIN, permissions=["clipboard-read", "clipboard-write"])
    pause_clock(page)
    copied = page.get_by_role("status").get_by_text("Link copied.")
    page.get_by_role("button", name="Share").press("Enter")
    page.get_by_role("button", name="Link", exact=True).press("Enter")
    expect(copied).to_be_visible()
    page.clock.run_for(3_900)
    expect(copied).to_be_visible()
    page.clock.run_for(200)
    expect(copied).to_have_count(0)
    undo = page.get_by_role("button", name="Undo")
    page.keyboard.press("f")
    expect(undo).to_be_visible()
    page.clock.run_for(7_900)
    expect(undo).to_be_visible()
    page.clock.run_for(200)
    expect(undo).to_have_count(0)


def test_keys_work_right_after_a_dialog_has_closed(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    for number in range(recording.PLAIN + 1, recording.PLAIN + 5):
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("g")
        expect(page.get_by_role("textbox", name="Comic number")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        # The browser is still going back from the sheet's entry in its history.
        page.keyboard.press("ArrowRight")
        comic(page, number)
        page.wait_for_function("() => !history.state?.isSheet")
        comic(page, number)


def test_keys_take_effect_once_their_scripts_have_loaded(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    held = Held(page, "**/assets/comic-*.js")
    with page.expect_request("**/assets/comic-*.js"):
        page.goto(f"{site}/{recording.PLAIN}/", wait_until="domcontentloaded")
    page.evaluate("window.isSamePage = true")
    for key in ("ArrowRight", "+", "+", "Shift+ArrowRight"):
        page.keyboard.press(key)
    assert zoom_of(page) == 1
    held.release()
    comic(page, recording.PLAIN + 1)
    expect(page.locator(".zoom-level")).to_have_text("225 %")
    assert page.evaluate("window.isSamePage"), "the page was loaded again"


def test_a_key_pressed_before_any_script_has_loaded_is_not_lost(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    held = Held(page, "**/assets/app.js*")
    page.goto(f"{site}/{recording.PLAIN}/", wait_until="commit")
    page.get_by_role("link", name="Next comic").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("f")
    comic(page, recording.PLAIN)
    held.release()
    comic(page, recording.PLAIN + 1)
    expect(heart(page)).to_have_attribute("aria-pressed", "true")


def test_keys_turn_pages_even_if_their_scripts_fail_to_load(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    page.route("**/assets/comic-*.js", lambda route: route.abort("aborted"))
    page.goto(f"{site}/{recording.PLAIN}/")
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)


def test_a_key_pressed_during_a_page_turn_applies_to_the_next_comic(open_page, site):
    page = open_page(f"{site}/about", device="desktop")
    held = Held(page, f"**/{recording.PLAIN + 1}/")
    page.goto(f"{site}/{recording.PLAIN}/")
    ready(page)
    for key in ("ArrowRight", "ArrowRight", "+", "f"):
        page.keyboard.press(key)
    comic(page, recording.PLAIN)
    assert zoom_of(page) == 1
    held.release()
    comic(page, recording.PLAIN + 2)
    expect(page.locator(".zoom-level")).to_have_text("150 %")
    expect(heart(page)).to_have_attribute("aria-pressed", "true")


def test_a_favorite_survives_a_page_that_was_requested_before(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="desktop")
    ready(page)
    views = []

    def take(route):
        if views or route.request.method == "POST" or "purpose" in route.request.headers:
            route.continue_()
        else:
            views.append(route)

    page.route(f"**/{recording.PLAIN + 1}/", take)
    page.keyboard.press("ArrowRight")
    comic(page, recording.PLAIN + 1)
    while not views:
        page.evaluate("new Promise(requestAnimationFrame)")
    before = views[0].fetch()
    page.keyboard.press("f")
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    views[0].fulfill(response=before)
    # The neighbours are prefetched once the page has taken over the view.
    expect(page.locator(f".leaf.next img[alt^='Comic {recording.PLAIN + 2}:']")).to_be_attached()
    expect(heart(page)).to_have_attribute("aria-pressed", "true")


def test_the_wheel_zooms_and_a_drag_pans(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    x, y = middle(page)
    page.mouse.move(x, y)
    for _ in range(4):
        page.mouse.wheel(0, -200)
    page.wait_for_function("() => parseFloat(document.querySelector('.zoom-level')?.textContent) > 200")
    before = box(page)
    page.mouse.down()
    page.mouse.move(x - 80, y - 40, steps=4)
    page.mouse.up()
    assert box(page)["x"] < before["x"]
    page.get_by_role("button", name="Reset zoom").click()
    assert zoom_of(page) == 1


def test_the_wheel_zooms_right_after_the_page_has_started(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    early = """image => {
      const event = new WheelEvent("wheel", { deltaY: -200, bubbles: true, cancelable: true })
      Object.defineProperty(event, "timeStamp", { value: 100 })
      image.dispatchEvent(event)
    }"""
    picture(page).evaluate(early)
    assert zoom_of(page) > 1


def test_going_from_comic_to_comic_adds_no_history_entries(open_comic):
    page, _ = open_comic(recording.PLAIN)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Search").click()
    page.wait_for_url("**/search")
    page.go_back()
    comic(page, recording.PLAIN)
    ready(page)
    before = page.evaluate("history.length")
    for number in range(1, 4):
        page.get_by_role("link", name="Next comic").click()
        comic(page, recording.PLAIN + number)
    assert page.evaluate("history.length") == before
    page.reload()
    comic(page, recording.PLAIN + 3)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Search").click()
    page.wait_for_url("**/search")
    page.go_back()
    comic(page, recording.PLAIN + 3)


def test_a_link_and_a_key_open_the_previous_random_comic(open_page, site, axe, keep_picture):
    page = open_page(f"{site}/about", device="phone")
    number_random_comics(page)
    page.goto(f"{site}/{recording.PLAIN}/")
    ready(page)
    back = page.get_by_role("link", name="Previous random comic")
    drawn = []
    for _ in range(3):
        expect(back).to_have_count(1 if len(drawn) > 1 else 0)
        before = page.url
        page.get_by_role("link", name="Random comic", exact=True).click()
        page.wait_for_url(lambda url: url != before)  # noqa: B023 (not called after this round)
        drawn.append(page.url)
    keep_picture(page, "viewer-random-before")
    axe(page)
    # The link skips the page in between.
    before = page.url
    page.get_by_role("link", name=re.compile("Next comic|Previous comic")).and_(page.locator("[href]")).first.click()
    page.wait_for_url(lambda url: url != before)
    back.click()
    page.wait_for_url(drawn[2])
    page.keyboard.press("Shift+R")
    page.wait_for_url(drawn[1])
    back.click()
    page.wait_for_url(drawn[0])
    expect(back).to_have_count(0)


def test_the_focus_stays_on_the_link_that_was_used(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.get_by_role("link", name="Next comic").focus()
    page.keyboard.press("Enter")
    comic(page, recording.PLAIN + 1)
    expect(page.get_by_role("link", name="Next comic")).to_be_focused()
    name = page.get_by_role("heading", level=1).inner_text()
    expect(page.locator("[role=status].announcer")).to_have_text(f"{recording.PLAIN + 1}, {name}, unread", ignore_case=True)


def test_an_animation_can_be_paused_and_starts_paused_with_reduced_motion(open_comic):
    page, _ = open_comic(recording.ANIMATED)
    page.get_by_role("button", name="Pause animation").click()
    expect(page.locator(".picture canvas")).to_be_visible()
    page.get_by_role("button", name="Play animation").click()
    expect(page.locator(".picture canvas")).to_have_count(0)
    page, _ = open_comic(recording.ANIMATED, reduced_motion="reduce")
    expect(page.get_by_role("button", name="Play animation")).to_be_visible()
    expect(page.locator(".picture canvas")).to_be_visible()


@pytest.mark.parametrize(("width", "fold", "gap"), [(1114, 540, 34), (800, 400, 0)])
def test_on_a_foldable_device_the_fold_is_between_comic_and_details(open_comic, width, fold, gap):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    feature = {"orientation": "vertical", "offset": fold, "maskLength": gap}
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True, "displayFeature": feature}
    page.context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", screen)
    assert page.evaluate("matchMedia('(horizontal-viewport-segments: 2)').matches")
    figure = page.locator(SHOWN).bounding_box()
    assert figure["x"] + figure["width"] <= fold
    tab = page.get_by_role("tab", name="Details").bounding_box()
    assert tab["x"] >= fold + gap


def test_a_sharper_picture_does_not_change_the_zoom(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    picture(page).evaluate("""image => {
      image.addEventListener("load", () => setTimeout(() => { window.isSharp = image.currentSrc.endsWith("&sharp") }))
      image.srcset = `${image.src} 1x, ${image.src}&sharp 2x`
      return image.decode()
    }""")
    before = box(page)
    page.keyboard.press("+")
    page.wait_for_function("() => window.isSharp")
    assert box(page)["width"] == pytest.approx(1.5 * before["width"], abs=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_paused_animation_covers_the_picture_and_zooms_with_it(open_comic, keep_picture, scheme):
    # A window narrower than the picture.
    page, _ = open_comic(recording.ANIMATED, scheme=scheme, viewport={"width": 220, "height": 844})
    page.get_by_role("button", name="Pause animation").click()
    still = page.locator(".picture canvas")
    for key in ("0", "+", "+", "0"):
        page.keyboard.press(key)
        assert still.bounding_box() == pytest.approx(box(page), abs=1)
        keep_picture(page, f"viewer-still-{key}-{scheme}")
    # The moving picture does not shine through.
    expect(picture(page)).to_have_css("opacity", "0")


def test_a_double_click_zooms_in_and_the_next_one_zooms_out(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.evaluate("document.documentElement.dataset.doubleTap = 'zoom'")
    x, y = middle(page)
    page.mouse.dblclick(x, y)
    expect(page.locator(".zoom-level")).to_have_text("200 %")
    at_rest(page)
    page.mouse.dblclick(x, y)
    expect(page.locator(".zoom-level")).to_have_count(0)


def test_a_swipe_soon_after_a_tap_turns_the_page(open_comic):
    page, gestures = open_comic(NARROW)
    x, y = middle(page)
    now = time.time()
    gestures.tap((x + 130, y), at=now)
    gestures.drag((x + 130, y), (x - 130, y), at=now + 0.06)
    comic(page, NARROW + 1)


@pytest.fixture
def at_slow_comic(open_comic):
    """A page one comic after NARROW, whose request for the previous one waits until the test answers it."""
    page, _ = open_comic(NARROW)
    # Turns off prefetching.
    page.evaluate("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page.get_by_role("link", name="Next comic").click()
    comic(page, NARROW + 1)
    waiting = []
    page.route(f"**/{NARROW}/", lambda route: waiting.append(route))
    return page, waiting


def test_a_swipe_to_a_slow_comic_shows_its_picture_while_it_loads(at_slow_comic):
    page, waiting = at_slow_comic
    gestures = ready(page)
    gestures.drag((60, 300), (330, 300))
    expect(page.locator(".busy")).to_be_attached()
    expect(page.locator(".leaf.previous img")).to_be_in_viewport(ratio=1)
    waiting[0].continue_()
    comic(page, NARROW)
    at_rest(page)
    assert offset(page) == 0


def test_a_superseded_page_turn_leaves_no_sign_of_loading(at_slow_comic):
    page, waiting = at_slow_comic
    page.clock.install()
    page.get_by_role("link", name="Previous comic").click()
    expect(page.locator(".busy")).to_be_attached()
    page.get_by_role("link", name="Next comic").click()
    comic(page, NARROW + 2)
    # Longer than a page turn waits until it shows that it is loading.
    page.clock.run_for(500)
    expect(page.locator(".busy")).to_have_count(0)
    waiting[0].abort("aborted")


def test_keys_do_not_wait_for_a_superseded_page_turn(at_slow_comic):
    page, _ = at_slow_comic
    page.get_by_role("link", name="Previous comic").click()
    page.get_by_role("link", name="Next comic").click()
    comic(page, NARROW + 2)
    page.keyboard.press("ArrowRight")
    comic(page, NARROW + 3)


def open_sheet(page):
    """Opens a comic's details, which cancels a page turn in progress."""
    page.get_by_role("button", name="Details", exact=True).click()
    sheet = page.get_by_role("dialog", name="Details")
    expect(sheet).to_be_visible()
    return sheet


def close(page, sheet):
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_keys_work_after_a_cancelled_page_turn(at_slow_comic):
    page, _ = at_slow_comic
    page.get_by_role("link", name="Previous comic").click()
    expect(page.locator(".busy")).to_be_attached()
    close(page, open_sheet(page))
    page.keyboard.press("ArrowRight")
    comic(page, NARROW + 2)


def test_a_neighbour_that_loads_after_a_cancelled_page_turn_is_beside_the_comic(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    next_comic = f"**/{NARROW + 1}/"
    held = Held(page, next_comic)
    with page.expect_request(next_comic):
        page.goto(f"{site}/{NARROW}/")
    ready(page)
    page.get_by_role("link", name="Next comic").click()
    expect(page.locator(".busy")).to_be_attached()
    sheet = open_sheet(page)
    held.release()
    close(page, sheet)
    expect(page.locator(f".leaf.next img[alt^='Comic {NARROW + 1}:']")).to_be_attached()
    comic(page, NARROW)


def test_a_comic_counts_as_viewed_even_if_a_page_turn_from_it_is_cancelled_at_once(open_comic):
    page, _ = open_comic(NARROW)
    # The next comic has loaded.
    expect(page.locator(".leaf.next img")).to_be_attached()
    after_next = f"**/{NARROW + 2}/"
    Held(page, after_next)
    # The next comic arrives, but has not reached its position yet, and no time passes.
    page.evaluate("""() => {
      const animate = Element.prototype.animate
      Element.prototype.animate = function (...given) {
        const animation = animate.apply(this, given)
        if (this.matches(".stage, .leaf")) animation.pause()
        return animation
      }
    }""")
    pause_clock(page)
    page.get_by_role("link", name="Next comic").click()
    comic(page, NARROW + 1)
    with page.expect_request(after_next):
        page.get_by_role("link", name="Next comic").click()
    open_sheet(page)

    def is_view(request):
        return request.url.endswith(f"/{NARROW + 1}/") and "purpose" not in request.headers

    # As long as the page may take to reach its position.
    with page.expect_request(is_view):
        page.clock.run_for(500)
    comic(page, NARROW + 1)


def test_a_sheet_keeps_showing_the_comic_it_was_opened_for(at_slow_comic):
    page, waiting = at_slow_comic
    page.get_by_role("link", name="Previous comic").click()
    expect(page.locator(".busy")).to_be_attached()
    sheet = open_sheet(page)
    expect(page.locator(".busy")).to_have_count(0)
    with page.expect_response(f"**/{NARROW}/") as reply:
        waiting[0].continue_()
    reply.value.finished()
    # By then, the page has dealt with the reply.
    page.evaluate("new Promise(requestAnimationFrame)")
    original = sheet.get_by_role("link", name="Original on xkcd.com")
    expect(original).to_have_attribute("href", f"https://xkcd.com/{NARROW + 1}/")
    close(page, sheet)
    comic(page, NARROW + 1)


def test_the_focus_returns_when_the_zoom_ends(open_comic):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.get_by_role("link", name="Next comic").focus()
    page.keyboard.press("+")
    page.get_by_role("button", name="Reset zoom").focus()
    page.keyboard.press("Enter")
    assert zoom_of(page) == 1
    expect(page.get_by_role("link", name="Next comic")).to_be_focused()


def test_changes_of_another_device_are_shown_while_the_picture_stays_zoomed(open_comic, site):
    page, _ = open_comic(recording.PLAIN, device="desktop")
    page.keyboard.press("+")
    navigations = []
    page.on("request", lambda request: navigations.append(request.url) if request.is_navigation_request() else None)
    page_acts.favorite(page, site, recording.PLAIN)
    expect(heart(page)).to_have_attribute("aria-pressed", "false")
    page.evaluate(NOTIFY)
    expect(heart(page)).to_have_attribute("aria-pressed", "true")
    assert navigations == []
    assert zoom_of(page) == 1.5
