# Longbox
# SPDX-License-Identifier: MIT
"""The first visit: three hints at what a touch does, one a comic."""

import pytest
from playwright.sync_api import expect

import recording

HINTS = [
    "Tap the comic for its alt text.",
    "Double tap the comic to make it a favorite.",
    "Tap the title to go to any comic.",
]


@pytest.fixture
def visit(open_page, site):
    """Opens a comic in a new profile, and lets it be in view for a while."""

    def open_comic(page, number):
        page.goto(f"{site}/{number}/")
        page.locator("html.gestures").wait_for()
        page.clock.run_for(2_500)

    def start(device="phone"):
        page = open_page(f"{site}/about", device=device, has_hints=True)
        page.clock.install()
        return page, lambda number: open_comic(page, number)

    return start


def hint(page, text):
    return page.get_by_role("status").get_by_text(text)


def test_each_hint_is_shown_once_one_a_comic(visit, axe, keep_picture):
    page, see = visit()
    for number, text in enumerate(HINTS, recording.PLAIN):
        see(number)
        expect(hint(page, text)).to_be_visible()
        if text == HINTS[0]:
            axe(page)
            keep_picture(page, "hint-phone")
    see(recording.PLAIN)
    for text in HINTS:
        expect(hint(page, text)).to_have_count(0)


def test_a_hint_goes_when_the_reader_does_what_it_says(visit):
    page, see = visit()
    see(recording.PLAIN)
    expect(hint(page, HINTS[0])).to_be_visible()
    page.get_by_role("button", name="Alt text", exact=True).click()
    expect(hint(page, HINTS[0])).to_have_count(0)


def test_what_the_reader_has_found_alone_is_not_hinted_at(visit):
    page, see = visit()
    page.goto(f"{page.url.rsplit('/', 1)[0]}/{recording.PLAIN}/")
    page.get_by_role("button", name="Alt text", exact=True).click()
    see(recording.PLAIN + 1)
    expect(hint(page, HINTS[1])).to_be_visible()


def test_with_a_mouse_there_are_none(visit):
    page, see = visit("desktop")
    see(recording.PLAIN)
    for text in HINTS:
        expect(hint(page, text)).to_have_count(0)
