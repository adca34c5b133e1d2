# Longbox
# SPDX-License-Identifier: MIT
"""A comic page's chrome: the details in a sheet and in a panel, the number pad, the toast, large text."""

import re

import pytest
from playwright.sync_api import expect

import details
import layout
import recording
from gestures import Gestures
from waiting import until
from watch import SCHEMES

ALT_TEXT = "It hugged back, and that was the whole interview."
TABLET = {"viewport": {"width": 820, "height": 1180}}


@pytest.fixture
def open_comic(open_page, site):
    def open_number(number=recording.PLAIN, device="phone", **options):
        page = open_page(f"{site}/{number}/", device=device, **options)
        page.locator(".to-details[role=button]").wait_for(state="attached")
        return page

    return open_number


def sheet(page):
    return page.get_by_role("dialog", name="Details")


def settled(page):
    """Waits until nothing moves."""
    page.evaluate("Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})))")


def drag(page, distance, milliseconds):
    """Drags the top of the sheet with a finger, down if positive. The events have their own times."""
    settled(page)
    top = page.locator(".sheet-top").bounding_box()
    x, y = top["x"] + top["width"] / 2, top["y"] + 10
    steps = 9
    Gestures(page).drag((x, y), (x, y + distance), steps, pause=milliseconds / steps)


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_the_larger_version_takes_the_place_of_the_picture_and_is_zoomed(open_comic, device):
    page = open_comic(recording.LARGER, device=device)
    picture = page.get_by_role("img", name=f"Comic {recording.LARGER}: All the Shelves")
    before = picture.evaluate("image => image.naturalWidth")
    if device == "phone":
        page.get_by_role("button", name="Details", exact=True).click()
    page.get_by_role("link", name="Larger version").click()
    expect(page.get_by_role("group", name="Zoom")).to_be_visible()
    expect(sheet(page)).to_have_count(0)
    assert picture.evaluate("image => image.naturalWidth") > 2 * before
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Zoom")).to_have_count(0)


def test_a_larger_version_that_does_not_come_is_said_to_be_missing(open_comic):
    page = open_comic(recording.LARGER, device="desktop")
    # What the server has in place of a missing picture.
    missing = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    page.route("**/larger*", lambda route: route.fulfill(content_type="image/svg+xml", body=missing))
    page.get_by_role("link", name="Larger version").click()
    expect(page.get_by_role("alert")).to_have_text("The larger version couldn’t be loaded.")
    expect(page.get_by_role("group", name="Zoom")).to_have_count(0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_sheet_shows_the_details_and_returns_the_focus(open_comic, keep_picture, scheme):
    page = open_comic(scheme=scheme)
    button = page.get_by_role("button", name="Details", exact=True)
    button.click()
    expect(sheet(page).get_by_role("tab", name="Details")).to_be_focused()
    expect(sheet(page).get_by_text(ALT_TEXT)).to_be_visible()
    expect(sheet(page).get_by_role("link", name="Original on xkcd.com")).to_have_attribute(
        "href", f"https://xkcd.com/{recording.PLAIN}/"
    )
    for row in ("Save picture", "Mark this and older as read"):
        expect(sheet(page).get_by_text(row, exact=True)).to_be_visible()
    expect(sheet(page).get_by_role("button", name="Show as drawn")).to_be_visible(visible=scheme == "dark")
    settled(page)
    keep_picture(page, f"sheet-half-{scheme}")
    page.get_by_role("tab", name="Transcript").click()
    expect(sheet(page).get_by_text("Does it bite?").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Explanation")).to_be_focused()
    expect(sheet(page).get_by_role("tabpanel", name="Explanation")).to_be_visible()
    sheet(page).get_by_role("button", name="Resize").click()
    settled(page)
    assert sheet(page).bounding_box()["height"] > 780
    keep_picture(page, f"sheet-full-{scheme}")
    page.keyboard.press("Escape")
    expect(sheet(page)).to_have_count(0)
    expect(button).to_be_focused()


def test_back_closes_the_sheet_and_then_leaves_the_comic(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    page.goto(f"{site}/{recording.PLAIN}/")
    page.get_by_role("link", name="Next comic").click()
    expect(page).to_have_url(f"{site}/{recording.PLAIN + 1}/")
    details.show(page)
    page.go_back()
    expect(sheet(page)).to_have_count(0)
    expect(page).to_have_url(f"{site}/{recording.PLAIN + 1}/")
    details.show(page)
    page.keyboard.press("Escape")
    expect(sheet(page)).to_have_count(0)
    page.wait_for_function("() => !history.state?.isSheet")
    # All turned pages together are one entry of the history.
    page.go_back()
    expect(page).to_have_url(f"{site}/about")


@pytest.mark.parametrize(
    ("distance", "milliseconds", "height"),
    [(60, 600, 422), (-80, 600, 422), (-260, 1000, 810), (200, 1000, 0), (70, 100, 0), (-70, 100, 810)],
)
def test_a_drag_resizes_or_closes_the_sheet(open_comic, distance, milliseconds, height):
    page = open_comic()
    details.show(page)
    drag(page, distance, milliseconds)
    if height:
        dialog = sheet(page).element_handle()
        page.wait_for_function("([dialog, height]) => Math.abs(dialog.offsetHeight - height) < 2", arg=[dialog, height])
        expect(sheet(page)).to_be_visible()
    else:
        expect(sheet(page)).to_have_count(0)


def drag_text(page, distance, milliseconds=600, across=0):
    """Drags the text of the sheet with a finger, down and to the right if positive."""
    settled(page)
    part = page.locator("dialog .part[open]").bounding_box()
    x, y = part["x"] + part["width"] / 2 - across / 2, part["y"] + 90
    steps = 9
    Gestures(page).drag((x, y), (x + across, y + distance), steps, pause=milliseconds / steps)


def until_high(page, height):
    dialog = sheet(page).element_handle()
    page.wait_for_function("([dialog, height]) => Math.abs(dialog.offsetHeight - height) < 2", arg=[dialog, height])


def test_the_sheet_follows_a_drag_on_its_text(open_comic):
    page = open_comic(recording.TALL)
    details.show(page, "Transcript")
    part = page.locator("dialog .part[open]")
    drag_text(page, -260, 1000)
    until_high(page, 810)
    assert part.evaluate("part => part.scrollTop") == 0
    # Now the text scrolls, and back; only from its top the sheet follows again.
    drag_text(page, -70)
    page.wait_for_function("() => document.querySelector('dialog .part[open]').scrollTop > 20")
    until_high(page, 810)
    # The text may still glide on.
    part.evaluate("""part => new Promise(resolve => {
      let still = 0
      const look = () => {
        still = part.scrollTop === 0 ? still + 1 : 0
        part.scrollTop = 0
        still > 4 ? resolve() : requestAnimationFrame(look)
      }
      look()
    })""")
    drag_text(page, 330, 1000)
    until_high(page, 422)
    drag_text(page, 200, 1000)
    expect(sheet(page)).to_have_count(0)


def test_a_swipe_on_the_text_changes_the_segment(open_comic):
    page = open_comic()
    details.show(page)
    swipes = [(-120, "Explanation"), (-120, "Transcript"), (-120, "Transcript"), (-30, "Transcript"), (120, "Explanation")]
    for across, name in swipes:
        drag_text(page, 0, across=across)
        expect(sheet(page).get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        expect(sheet(page).get_by_role("tabpanel", name=name)).to_be_visible()
    assert sheet(page).bounding_box()["height"] == pytest.approx(422, abs=2)


def test_the_tabs_of_the_sheet_fit_with_large_text(open_comic, keep_picture):
    page = open_comic(viewport={"width": 320, "height": 568})
    details.show(page)
    page.evaluate(layout.ENLARGE)
    assert page.evaluate(layout.BROKEN_WORDS) == []
    boxes = [sheet(page).get_by_role("tab", name=name).bounding_box() for name in ("Details", "Explanation", "Transcript")]
    for box in boxes:
        assert box["x"] >= 0 and box["x"] + box["width"] <= 320 and box["height"] >= 44
    for name in ("Details", "Explanation", "Transcript"):
        tab = sheet(page).get_by_role("tab", name=name)
        assert tab.evaluate("tab => tab.scrollWidth <= tab.clientWidth")
    keep_picture(page, "sheet-large-320")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_date_and_the_link_to_xkcd_are_below_each_other(open_comic, width):
    page = open_comic(viewport={"width": width, "height": 800})
    part = details.show(page)
    date = part.locator("time").bounding_box()
    link = part.get_by_role("link", name="Original on xkcd.com").bounding_box()
    assert link["x"] == pytest.approx(date["x"], abs=1) and link["y"] >= date["y"] + date["height"] - 1


@pytest.mark.parametrize("size", [(320, 844), (390, 844), (844, 390)])
def test_the_number_field_without_scripts_is_in_one_line(open_page, site, size):
    page = open_page(f"{site}/{recording.PLAIN}/", java_script_enabled=False, viewport={"width": size[0], "height": size[1]})
    field = page.get_by_role("textbox", name="Comic number").bounding_box()
    go = page.get_by_role("button", name="Go", exact=True).bounding_box()
    every = page.get_by_role("link", name="All comics").bounding_box()
    assert field["y"] == pytest.approx(go["y"], abs=1) and go["y"] == pytest.approx(every["y"], abs=1)
    assert field["x"] == pytest.approx(page.locator("summary").first.bounding_box()["x"], abs=1)
    parts = page.locator("summary").last.bounding_box()
    assert page.get_by_text("Comic number", exact=True).bounding_box()["y"] >= parts["y"] + parts["height"] - 1


def test_a_long_transcript_covers_nothing(open_page, site, keep_picture):
    page = open_page(f"{site}/{recording.TALL}/", viewport={"width": 1280, "height": 800})
    panel = page.get_by_role("complementary", name="Details")
    for name in ("Details", "Explanation"):
        expect(panel.get_by_role("tab", name=name)).to_be_in_viewport()
    page.keyboard.press("e")
    expect(panel.get_by_role("tabpanel", name="Explanation")).to_be_in_viewport()
    keep_picture(page, "panel")
    # The panel stays where it is, and keeps its segment, while comics pass.
    page.evaluate("scrollTo(0, 2000)")
    expect(panel.get_by_role("tab", name="Explanation")).to_be_in_viewport()
    page.get_by_role("link", name="Next comic").click()
    expect(page).to_have_url(re.compile(rf"/{recording.TALL + 1}/$"))
    expect(panel.get_by_role("tabpanel", name="Explanation")).to_be_visible()


def test_the_panel_leaves_the_alt_text_to_the_caption(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", viewport={"width": 1440, "height": 900})
    panel = page.get_by_role("complementary", name="Details")
    expect(panel.locator(".alt")).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator(".caption")).to_be_visible()
    expect(panel.locator(".alt")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(panel.locator(".alt")).to_be_visible()


def test_keys_open_the_segments(open_comic):
    page = open_comic(device="desktop")
    for key, name in (("t", "Transcript"), ("e", "Explanation"), ("d", "Details")):
        page.keyboard.press(key)
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
    page = open_comic(**TABLET)
    page.keyboard.press("t")
    expect(sheet(page).get_by_role("tabpanel", name="Transcript")).to_be_visible()


def test_without_scripts_the_details_are_disclosures(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", java_script_enabled=False)
    names = page.locator(".details summary").all_inner_texts()
    assert names == ["Details", "Explanation", "Transcript"]
    page.locator(".about summary").click()
    expect(page.get_by_text(ALT_TEXT)).to_be_visible()
    expect(page.get_by_role("tab")).to_have_count(0)


def test_the_number_pad_takes_only_digits_and_shows_the_title(open_comic, site, keep_picture):
    page = open_comic()
    page.get_by_role("button", name="Go to comic number").click()
    box = page.get_by_role("textbox", name="Comic number")
    expect(box).to_be_focused()
    page.keyboard.type("1x2,")
    expect(box).to_have_value("12")
    dialog = page.get_by_role("dialog", name="Go to comic number")
    dialog.get_by_role("button", name="Delete digit").click()
    dialog.get_by_role("button", name="2", exact=True).click()
    title = page.evaluate(
        "fetch('../12/').then(reply => reply.text())"
        ".then(text => new DOMParser().parseFromString(text, 'text/html').querySelector('h1').textContent)"
    )
    expect(dialog.get_by_role("status")).to_have_text(title)
    settled(page)
    keep_picture(page, "number")
    dialog.get_by_role("button", name="Go", exact=True).click()
    expect(page).to_have_url(f"{site}/12/")
    page.go_back()
    expect(page).to_have_url(f"{site}/{recording.PLAIN}/")


def test_a_number_beyond_the_latest_is_reported_before_submitting(open_comic):
    page = open_comic()
    page.get_by_role("button", name="Go to comic number").click()
    expect(page.get_by_role("textbox", name="Comic number")).to_be_focused()
    page.keyboard.type("99999")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("There is no comic 99999 yet.")


def test_no_number_and_zero_get_a_word(open_comic):
    page = open_comic()
    page.get_by_role("button", name="Go to comic number").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Go", exact=True).click()
    expect(dialog.get_by_role("status")).to_have_text(f"Type a number from 1 to {recording.LATEST}.")
    dialog.get_by_role("button", name="0", exact=True).click()
    expect(dialog.get_by_role("status")).to_have_text("There is no comic 0. The first is 1.")
    expect(page.get_by_role("textbox", name="Comic number")).to_have_value("")


def test_a_desktop_types_a_number_by_its_keyboard(open_comic, site):
    page = open_comic(device="desktop")
    page.keyboard.press("g")
    dialog = page.get_by_role("dialog", name="Go to comic number")
    expect(page.get_by_role("textbox", name="Comic number")).to_be_focused()
    expect(dialog.get_by_role("button", name="Delete digit")).to_have_count(0)
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site}/12/")


def test_a_phone_shows_only_the_attribution_below_the_comic(open_comic):
    page = open_comic()
    stage = page.locator(".pages > .stage").bounding_box()
    pager = page.locator(".pager").bounding_box()
    footer = page.locator("footer").bounding_box()
    assert footer["y"] >= stage["y"] + stage["height"] - 1
    assert footer["y"] + footer["height"] <= pager["y"] + 1
    assert pager["y"] - stage["y"] - stage["height"] < 80
    expect(page.locator(".details, .to-any > :is(form, .chip)").locator("visible=true")).to_have_count(0)


def test_the_toast_moves_nothing_and_disappears(open_comic):
    page = open_comic()
    before = page.get_by_role("img", name=re.compile("^Comic ")).bounding_box()
    page.clock.install()
    page.get_by_role("button", name="Favorite", exact=True).click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    expect(page.locator(".toast").get_by_role("status")).to_contain_text("favorites")
    assert page.get_by_role("img", name=re.compile("^Comic ")).bounding_box() == before
    toast, credit = page.locator(".toast").bounding_box(), page.locator("footer").bounding_box()
    assert toast["y"] + toast["height"] <= credit["y"] + 1
    undo.focus()
    page.clock.fast_forward(20_000)
    expect(undo).to_be_visible()
    undo.evaluate("button => button.blur()")
    page.mouse.move(10, 300)
    page.clock.fast_forward(10_000)
    expect(undo).to_have_count(0)


def test_the_offline_message_moves_nothing(open_comic, keep_picture):
    page = open_comic()
    picture = page.get_by_role("img", name=re.compile("^Comic "))
    before = picture.bounding_box()
    page.evaluate("dispatchEvent(new Event('offline'))")
    strip = page.get_by_role("status").get_by_text("Offline. You can read what is saved on this device.")
    expect(strip).to_be_visible()
    assert strip.bounding_box()["height"] <= 28
    assert picture.bounding_box() == before
    keep_picture(page, "offline")


@pytest.mark.parametrize("width", [390, 320])
def test_with_large_text_the_tabs_show_only_icons(open_comic, keep_picture, width):
    page = open_comic(viewport={"width": width, "height": 844})
    page.evaluate(layout.ENLARGE)
    tabs = page.get_by_role("navigation", name="Main")
    for name in ("Comics", "Favorites", "Search", "Albums", "Settings"):
        tab = tabs.get_by_role("link", name=name, exact=True)
        expect(tab).to_be_visible()
        icon = tab.locator("svg").bounding_box()
        assert 24 <= icon["width"] <= 28.8 and icon["height"] == icon["width"]
        assert tab.locator("span").bounding_box()["width"] <= 1
    keep_picture(page, f"large-{width}")


def test_a_picture_that_cannot_be_loaded_is_replaced_by_a_card(open_page, site, keep_picture):
    page = open_page(f"{site}/about", device="phone")
    failing = [True]
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

    def answer(route):
        if failing[0]:
            route.fulfill(status=200, content_type="image/svg+xml", body=svg)
        else:
            route.continue_()

    page.route(f"**/comics/{recording.PLAIN}/image*", answer)
    page.goto(f"{site}/{recording.PLAIN}/")
    stage = page.locator(".stage")
    expect(stage.get_by_text("The picture couldn’t be loaded.")).to_be_visible()
    expect(stage.get_by_text(ALT_TEXT)).to_be_visible()
    expect(stage.get_by_role("link", name="Open on xkcd.com")).to_have_attribute("href", f"https://xkcd.com/{recording.PLAIN}/")
    keep_picture(page, "lost-phone")
    # The alt text is in the card, so neither the key nor a button shows it again.
    expect(page.locator("html.gestures")).to_be_attached()
    page.keyboard.press("a")
    expect(page.locator(".caption")).to_have_count(0)
    expect(page.get_by_role("button", name="Alt text")).to_be_hidden()
    stage.get_by_role("button", name="Try again").click()
    expect(stage.get_by_text("The picture couldn’t be loaded.")).to_be_visible()
    failing[0] = False
    stage.get_by_role("button", name="Try again").click()
    expect(stage.get_by_text("The picture couldn’t be loaded.")).to_have_count(0)
    expect(page.get_by_role("img", name=re.compile("^Comic "))).to_be_visible()


def test_another_try_for_a_picture_shows_that_it_tries_and_why_it_failed(open_page, site):
    page = open_page(f"{site}/about", expected=f"/comics/{recording.PLAIN}/image")
    held = []
    holds = False

    def answer(route):
        if holds:
            held.append(route)
        else:
            route.fulfill(status=404, body="")

    page.route(f"**/comics/{recording.PLAIN}/image*", answer)
    page.goto(f"{site}/{recording.PLAIN}/")
    stage = page.locator(".stage")
    expect(stage.get_by_text("The picture couldn’t be loaded.")).to_be_visible()
    holds = True
    stage.get_by_role("button", name="Try again").click()
    expect(stage.get_by_text("Trying again…")).to_be_visible()
    until(lambda: held, "the picture is requested", page=page)
    holds = False
    for route in held:
        route.fulfill(status=404, body="")
    expect(stage.get_by_text("The picture couldn’t be loaded: xkcd.com didn’t send it.")).to_be_visible()


def test_an_animation_that_cannot_be_loaded_has_no_pause_button(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    page.route("**/comics/*/image*", lambda route: route.fulfill(content_type="image/svg+xml", body=svg))
    page.goto(f"{site}/{recording.ANIMATED}/")
    expect(page.get_by_text("The picture couldn’t be loaded.")).to_be_visible()
    expect(page.locator(".animation")).to_be_hidden()


def test_line_art_is_inverted_in_the_dark_and_can_be_shown_as_drawn(open_comic, site):
    page = open_comic(device="desktop", scheme="dark")
    name = re.compile("^Comic ")
    page.get_by_role("img", name=name).evaluate("image => image.decode()")
    expect(page.locator(".pages > .stage > .picture.line-art")).to_be_visible()
    before = page.get_by_role("img", name=name).evaluate("image => getComputedStyle(image).filter")
    assert "invert" in before
    panel = details.show(page)
    panel.get_by_role("button", name="Show as drawn").click()
    expect(panel.get_by_role("button", name="Adapt to the dark")).to_be_visible()
    page.reload()
    expect(page.locator(".pages > .stage > .picture.as-drawn img")).to_have_css("filter", "none")
    page.goto(f"{site}/settings")
    group = page.get_by_role("radiogroup", name="Pictures in the dark")
    for name in ("Invert", "Dim", "As drawn"):
        expect(group.get_by_role("radio", name=name, exact=True)).to_be_visible()
