# Longbox
# SPDX-License-Identifier: MIT
"""How large a comic is at first: whole in width, with a button to read it, or readable at once by a setting; and that what is
shown over it takes turns."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

import layout
import recording
from device import pause_clock
from gestures import Gestures
from page_acts import choose_setting
from pages import picture
from watch import SCHEMES, Held

NARROW = {"viewport": {"width": 320, "height": 568}}
PHONE = {"viewport": {"width": 390, "height": 844}}
SIDEWAYS = {"viewport": {"width": 844, "height": 390}}
TABLET = {"viewport": {"width": 820, "height": 1180}}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
VIEWS = {"320": NARROW, "390": PHONE, "sideways": SIDEWAYS, "820": TABLET, "1440": DESKTOP}


def ready(page):
    expect(page.locator("html.gestures")).to_be_attached()
    expect(picture(page)).to_have_js_property("complete", True)
    return Gestures(page)


def pill(page):
    return page.get_by_role("button", name="Read", exact=True)


def level(page):
    return page.locator(".zoom-level")


def middle(page):
    box = picture(page).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"], 300) / 2


def is_whole_in_width(page):
    box = picture(page).bounding_box()
    return box["x"] >= -0.5 and box["x"] + box["width"] <= page.viewport_size["width"] + 0.5


def until_still(page):
    """Waits until the picture no longer moves."""
    page.evaluate("""() => new Promise(resolve => {
      let [last, same] = ["", 0]
      const look = () => {
        const now = JSON.stringify(document.querySelector(".picture img").getBoundingClientRect())
        same = now === last ? same + 1 : 0
        last = now
        same > 4 ? resolve() : requestAnimationFrame(look)
      }
      look()
    })""")


@pytest.fixture
def open_sized(open_page, site):
    """Opens a comic whose picture has a made-up size, and further attributes."""

    def open_size(width, height, attributes="", **options):
        page = open_page(f"{site}/about", **options)
        drawn = io.BytesIO()
        Image.new("L", (width, height), 255).save(drawn, "png")
        body = drawn.getvalue()
        page.route(f"**/comics/{recording.PLAIN}/image*", lambda route: route.fulfill(content_type="image/png", body=body))

        def resize(route):
            reply = route.fetch()
            size = rf'(alt="Comic {recording.PLAIN}: [^>]*?)width="\d+" height="\d+"'
            route.fulfill(response=reply, body=re.sub(size, rf'\1width="{width}" height="{height}" {attributes}', reply.text()))

        page.route(f"**/{recording.PLAIN}/", resize)
        page.goto(f"{site}/{recording.PLAIN}/")
        ready(page)
        expect(picture(page)).to_have_js_property("naturalWidth", width)
        return page

    return open_size


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("size", [(2600, 420), (740, 300), (1001, 900), (600, 4000), (280, 200)])
def test_a_comic_starts_whole_in_width_with_a_button_where_it_is_small(open_sized, view, size):
    page = open_sized(*size, **view)
    assert is_whole_in_width(page)
    shown = picture(page).bounding_box()["width"] / size[0]
    if shown >= 0.6:
        # What places the button also removes it.
        until_still(page)
        expect(pill(page)).to_have_count(0)
        return
    expect(pill(page)).to_be_in_viewport(ratio=1)
    pill(page).click()
    until_still(page)
    expect(pill(page)).to_be_hidden()
    box = picture(page).bounding_box()
    assert box["width"] == pytest.approx(size[0], abs=1)
    frame = page.locator(".pages > .stage > .picture").bounding_box()
    assert 0 <= box["x"] - frame["x"] <= 12, "its left edge is in view"
    # Zoomed out again, it is whole.
    for _ in range(8):
        page.keyboard.press("-")
    expect(level(page)).to_have_count(0)
    assert is_whole_in_width(page)
    expect(pill(page)).to_be_visible()


def test_the_button_to_read_hides_nothing_of_a_picture_above_a_little_room(open_sized):
    page = open_sized(518, 588, viewport={"width": 320, "height": 640})
    expect(pill(page)).to_be_visible()
    box = picture(page).bounding_box()
    assert pill(page).bounding_box()["y"] >= box["y"] + box["height"]


def test_the_button_to_read_makes_room_for_that_of_an_animation(open_sized):
    page = open_sized(740, 300, 'data-frames="2"', device="phone")
    held = Held(page, "**/assets/animation-*.js")
    page.reload()
    ready(page)
    expect(pill(page)).to_be_visible()
    until_still(page)
    held.release()
    expect(page.get_by_role("button", name="Pause animation")).to_be_visible()
    page.wait_for_function(f"() => ({layout.PAINTED_OVER})().length === 0")


@pytest.fixture
def open_wide(open_page, site):
    def open_one(**options):
        page = open_page(f"{site}/{recording.WIDE}/", **options)
        return page, ready(page)

    return open_one


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_wide_comic_is_whole_on_a_phone(open_wide, keep_picture, axe, scheme):
    page, _ = open_wide(device="phone", scheme=scheme)
    expect(pill(page)).to_be_visible()
    assert is_whole_in_width(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    axe(page)
    keep_picture(page, f"fit-whole-{scheme}")


def test_the_button_and_the_plus_key_show_natural_size_and_nothing_zooms_below_whole(open_wide):
    page, gestures = open_wide(device="phone")
    page.keyboard.press("+")
    assert picture(page).bounding_box()["width"] == pytest.approx(2600, abs=2)
    gestures.pinch((195, 400), 300, 20)
    until_still(page)
    gestures.pinch((195, 400), 300, 20)
    expect(level(page)).to_have_count(0)
    before = picture(page).bounding_box()
    gestures.pinch(middle(page), 200, 60)
    expect(level(page)).to_have_count(0)
    assert picture(page).bounding_box() == before
    # By keyboard, the focus goes on to the zoom and comes back.
    pill(page).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Reset zoom")).to_be_focused()
    page.keyboard.press("Enter")
    expect(level(page)).to_have_count(0)
    expect(pill(page)).to_be_focused()


def test_a_double_tap_that_zooms_goes_to_natural_size(open_wide):
    page, gestures = open_wide(device="phone")
    page.evaluate("document.documentElement.dataset.doubleTap = 'zoom'")
    gestures.double_tap(middle(page))
    until_still(page)
    assert picture(page).bounding_box()["width"] == pytest.approx(2600, abs=2)
    gestures.double_tap((195, 400), later=1)
    expect(level(page)).to_have_count(0)
    assert is_whole_in_width(page)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_readable_comics_scroll_sideways_and_zoom_out_until_they_are_whole(open_wide, keep_picture, scheme):
    page, _ = open_wide(device="phone", scheme=scheme)
    choose_setting(page, "wide", "readable")
    gestures = ready(page)
    keep_picture(page, f"fit-readable-{scheme}")
    assert not is_whole_in_width(page)
    before = picture(page).bounding_box()["width"]
    for _ in range(8):
        page.keyboard.press("-")
    until_still(page)
    assert is_whole_in_width(page)
    page.keyboard.press("0")
    expect(level(page)).to_have_count(0)
    assert picture(page).bounding_box()["width"] == pytest.approx(before, abs=1)
    gestures.pinch((195, 400), 300, 20)
    until_still(page)
    box = picture(page).bounding_box()
    assert is_whole_in_width(page) and box["width"] == pytest.approx(390 - 2 * box["x"], abs=1)


@pytest.mark.parametrize("number", [recording.PLAIN, recording.WIDE, recording.TALL, recording.ANIMATED])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_nothing_is_painted_over_anything(open_page, site, keep_picture, view, number):
    page = open_page(f"{site}/{number}/", **view)
    ready(page)
    until_still(page)
    assert page.evaluate(layout.PAINTED_OVER) == []
    # Messages stay.
    pause_clock(page)
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    assert page.evaluate(layout.PAINTED_OVER) == []
    caption = page.locator(".caption:not([inert])")
    page.keyboard.press("a")
    expect(caption).to_be_visible()
    assert page.evaluate(layout.PAINTED_OVER) == []
    keep_picture(page, f"turns-caption-{number}-{view['viewport']['width']}")
    page.keyboard.press("+")
    expect(level(page)).to_be_visible()
    expect(caption).to_have_count(0)
    assert page.evaluate(layout.PAINTED_OVER) == []
    page.keyboard.press("a")
    expect(caption).to_be_visible()
    expect(level(page)).to_be_hidden()
    assert page.evaluate(layout.PAINTED_OVER) == []
    keep_picture(page, f"turns-zoomed-{number}-{view['viewport']['width']}")


def test_the_card_at_the_end_takes_the_place_of_the_caption_and_a_message_makes_room(open_page, site, keep_picture):
    page = open_page(f"{site}/{recording.LATEST}/", device="phone")
    gestures = ready(page)
    page.keyboard.press("a")
    expect(page.locator(".caption")).to_be_visible()
    page.keyboard.press("f")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    undo.focus()
    gestures.drag((350, 300), (90, 300))
    expect(page.get_by_role("complementary", name="Latest comic").get_by_role("link", name="Random")).to_be_visible()
    until_still(page)
    expect(page.locator(".caption")).to_have_count(0)
    expect(undo).to_be_visible()
    assert page.evaluate(layout.PAINTED_OVER) == []
    keep_picture(page, "turns-end")


def test_a_message_makes_room_for_the_card_at_the_end_on_a_phone_on_its_side(open_page, site):
    page = open_page(f"{site}/{recording.LATEST}/", device="phone", **SIDEWAYS)
    gestures = ready(page)
    page.keyboard.press("f")
    undo = page.get_by_role("button", name="Undo")
    undo.focus()
    gestures.drag((700, 200), (420, 200))
    card = page.get_by_role("complementary", name="Latest comic")
    expect(card.get_by_role("link", name="Random")).to_be_visible()
    until_still(page)
    message = page.locator(".toast").bounding_box()
    assert message["x"] + message["width"] <= card.bounding_box()["x"]


def test_a_tap_shows_the_alt_text_at_once_where_a_double_tap_does_nothing(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="phone")
    choose_setting(page, "tap", "nothing")
    gestures = ready(page)
    # No time passes.
    pause_clock(page)
    gestures.tap(middle(page))
    expect(page.locator(".caption")).to_be_visible()


@pytest.mark.parametrize("number", [7, 327, 1116, 1732])
def test_recorded_comics_are_whole_in_width_on_a_phone(open_page, recorded_site, keep_picture, number):
    page = open_page(f"{recorded_site}/{number}/", device="phone")
    ready(page)
    assert is_whole_in_width(page)
    expect(pill(page)).to_be_in_viewport(ratio=1)
    keep_picture(page, f"fit-{number}")
