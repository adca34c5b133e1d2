# Longbox
# SPDX-License-Identifier: MIT
"""What a reader may set, and the smaller comforts of reading. Nothing here needs a script."""

import pytest
from playwright.sync_api import expect

import recording
from watch import DEVICES, SCHEMES

ALT_TEXT = "It hugged back, and that was the whole interview."


def choose(page, **names):
    """Chooses in the settings; the group is the radio group's name with underscores."""
    for group, choice in names.items():
        page.get_by_role("radiogroup", name=group.replace("_", " ")).get_by_label(choice, exact=True).check()
    page.locator("form[action='/settings/reading']").get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").get_by_text("The settings were saved.")).to_be_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("device", DEVICES)
def test_alt_text_can_stand_under_the_comic(open_page, site, axe, keep_picture, device, scheme):
    page = open_page(f"{site}/settings", device=device, scheme=scheme, java_script_enabled=False)
    choose(page, Alt_text="Always shown")
    page.goto(f"{site}/{recording.PLAIN}/")
    expect(page.get_by_text(ALT_TEXT)).to_have_count(1)
    expect(page.get_by_text(ALT_TEXT)).to_be_visible()
    keep_picture(page, f"alt-below-{device}-{scheme}")


def test_alt_text_can_come_after_a_pause_and_moves_nothing(open_page, site, axe):
    page = open_page(f"{site}/settings")
    choose(page, Alt_text="After a pause")
    page.goto(f"{site}/{recording.PLAIN}/")
    text = page.get_by_text(ALT_TEXT)
    expect(text).to_be_hidden()
    room = text.bounding_box()
    # No test waits for time to pass: the browser is told that the pause is over.
    page.evaluate("document.getAnimations().forEach(animation => animation.finish())")
    expect(text).to_be_visible()
    assert text.bounding_box() == room
    axe(page)


def test_who_asks_for_less_motion_has_the_alt_text_at_once(open_page, site):
    page = open_page(f"{site}/settings", reduced_motion="reduce")
    choose(page, Alt_text="After a pause")
    page.goto(f"{site}/{recording.PLAIN}/")
    expect(page.get_by_text(ALT_TEXT)).to_be_visible()


def test_double_tap_and_shortcuts_can_be_set(open_page, site, axe):
    page = open_page(f"{site}/settings")
    expect(page.get_by_role("switch", name="Keyboard shortcuts")).to_be_checked()
    page.get_by_role("switch", name="Keyboard shortcuts").uncheck()
    choose(page, Double_tap="Zoom")
    expect(page.locator("html[data-double-tap=zoom][data-shortcuts=off]")).to_be_attached()
    expect(page.get_by_role("radio", name="Zoom")).to_be_checked()
    axe(page)
