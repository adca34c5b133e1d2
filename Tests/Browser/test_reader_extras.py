# Longbox
# SPDX-License-Identifier: MIT
"""Settings and smaller features for readers. All work without scripts."""

import re

import pytest
from playwright.sync_api import expect

import device
import recording
from watch import DEVICES

ALT_TEXT = "It hugged back, and that was the whole interview."


def choose(page, **names):
    """Chooses settings without scripts; a keyword is the radio group's name with underscores."""
    for group, choice in names.items():
        page.get_by_role("radiogroup", name=group.replace("_", " ")).get_by_label(choice, exact=True).check()
    page.locator("form:has([name=alt])").get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").get_by_text("Settings saved.")).to_be_visible()


@pytest.mark.parametrize("device", DEVICES)
def test_the_alt_text_can_be_shown_below_the_comic(open_page, site, keep_picture, device):
    page = open_page(f"{site}/settings", device=device, java_script_enabled=False)
    choose(page, Alt_text="Always shown")
    page.goto(f"{site}/{recording.PLAIN}/")
    expect(page.get_by_text(ALT_TEXT)).to_have_count(1)
    expect(page.get_by_text(ALT_TEXT)).to_be_visible()
    keep_picture(page, f"alt-below-{device}")


def test_double_tap_and_shortcuts_can_be_set(open_page, site):
    page = open_page(f"{site}/settings", java_script_enabled=False)
    expect(page.get_by_role("switch", name="Keyboard shortcuts")).to_be_checked()
    page.get_by_role("switch", name="Keyboard shortcuts").uncheck()
    choose(page, Double_tap="Zoom")
    expect(page.locator("html[data-double-tap=zoom][data-shortcuts=off]")).to_be_attached()
    expect(page.get_by_role("radio", name="Zoom")).to_be_checked()


def test_comics_up_to_a_number_are_marked_as_read_in_one_step(open_page, site):
    page = open_page(f"{site}/comics", java_script_enabled=False)
    page.get_by_role("textbox", name="I have read up to comic").fill("300")
    page.get_by_role("button", name="Mark as read").click()
    expect(page.get_by_role("status").get_by_text("Marked 1 to 300 as read.")).to_be_visible()
    page.get_by_role("link", name="Map", exact=True).click()
    of_2006 = sum(recording.day_of(number).year == 2006 for number in range(1, 301))
    name = re.compile(rf"^2006 ?: {of_2006} of {of_2006} read$")
    expect(page.get_by_role("link", name=name)).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Unread", exact=True).click()
    expect(page.locator("a[href*='/300/']")).to_have_count(0)
    expect(page.locator("a[href*='/301/']")).to_have_count(1)
    page.get_by_role("link", name="Random unread").click()
    assert int(page.url.removeprefix(site).strip("/")) > 300


def test_the_map_distinguishes_read_unread_and_favorite(open_page, site, keep_picture):
    page = open_page(f"{site}/settings", device="phone")
    page.get_by_role("textbox", name="I have read up to comic").fill("200")
    page.get_by_role("button", name="Mark as read").click()
    expect(page.get_by_role("status").get_by_text("Marked 1 to 200 as read.")).to_be_visible()
    # Without opening a comic, which would mark it as read.
    for comic in (10, 205):
        form = {"comic": str(comic), "on": "yes", "back": "/comics"}
        page.request.post(f"{site}/favorites/set", form=form, headers={"Origin": device.origin(site)})
    page.goto(f"{site}/comics?view=map")
    squares = page.locator(".squares")
    expect(squares.locator(".r")).to_have_count(200)
    expect(squares.locator(".r.f")).to_have_count(1)
    expect(squares.locator(".f:not(.r)")).to_have_count(1)
    keep_picture(page, "map")


def test_on_this_day_shows_today_or_a_chosen_day(open_page, site):
    page = open_page(f"{site}/comics", java_script_enabled=False)
    page.get_by_role("link", name="On this day").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("On this day: ")
    expect(page.get_by_role("link", name="On this day")).to_have_count(0)
    page.get_by_label("Day", exact=True).fill("2024-03-03")
    page.get_by_role("button", name="Show day").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("On this day: 3 March")
    page.get_by_role("link", name="2 March").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("On this day: 2 March")
    expect(page.get_by_role("navigation", name="View").locator("[aria-current]")).to_have_text(["Grid"])


def test_the_picture_can_be_saved(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save picture").click()
    assert download.value.suggested_filename == f"xkcd-{recording.PLAIN}.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_shared_link_has_a_preview_and_can_be_embedded(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/")
    properties = "all => all.map(meta => [meta.getAttribute('property'), meta.content])"
    card = dict(page.locator("meta[property]").evaluate_all(properties))
    assert card["og:url"] == f"{site}/{recording.PLAIN}/"
    assert ALT_TEXT not in card["og:description"]
    size = page.evaluate(
        "source => { const image = new Image(); image.src = source;"
        " return image.decode().then(() => [image.naturalWidth, image.naturalHeight]) }",
        card["og:image"],
    )
    assert [str(side) for side in size] == [card["og:image:width"], card["og:image:height"]]
    embedding = page.locator("link[type='application/json+oembed']").get_attribute("href")
    reply = page.evaluate("url => fetch(url).then(reply => reply.json())", embedding)
    assert (reply["version"], reply["type"], reply["width"], reply["height"]) == ("1.0", "photo", *size)
