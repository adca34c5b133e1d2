# Longbox
# SPDX-License-Identifier: MIT
"""Invalid numbers and numbers without a comic: each gets its own message, status, and links."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import programs
import recording

# The input, the allowed statuses, and words of the message.
BAD_NUMBERS = [
    ("", {400}, "type the number"),
    ("python", {400}, "is not a number"),
    ("3.5", {400}, "is not a number"),
    ("٣٥٣", {400}, "is not a number"),
    ("<b>7</b>", {400}, "is not a number"),
    ("-1", {400, 404}, "first comic"),
    ("0", {400, 404}, "first comic"),
    (str(recording.LATEST + 1), {404}, str(recording.LATEST)),
    ("99999999999999999999999999", {404}, str(recording.LATEST)),
]


def go_address(page, typed):
    """The address of the form with the box 'Comic number' for the input `typed`, without the browser's own checks."""
    box = page.locator("#number")
    action, name = box.evaluate("box => [box.form.action, box.name]")
    return f"{action}?{urlencode({name: typed})}"


def test_the_form_opens_the_comic_with_the_number(open_page, site):
    page = open_page(f"{site}/1/", device="phone", java_script_enabled=False)
    page.get_by_role("link", name="Go to comic number").click()
    page.get_by_role("textbox", name="Comic number").fill("353")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page).to_have_url(f"{site}/353/")


def test_the_number_box_shows_a_numeric_keypad_and_takes_only_digits(open_page, site):
    box = open_page(f"{site}/1/", java_script_enabled=False).get_by_role("textbox", name="Comic number")
    expect(box).to_have_attribute("inputmode", "numeric")
    # Without scripts the server says what is wrong, not the browser.
    box.fill("12ab5")
    assert box.evaluate("box => box.checkValidity()")
    # With scripts, nothing else can be typed.
    page = open_page(f"{site}/{recording.LATEST + 1}/", status=404)
    page.wait_for_load_state()
    box = page.get_by_role("textbox", name="Comic number")
    box.fill("")
    box.press_sequentially("12ab5")
    expect(box).to_have_value("125")


@pytest.mark.parametrize(("typed", "statuses", "message"), BAD_NUMBERS)
def test_an_invalid_number_gets_a_message_and_links(open_page, site, typed, statuses, message):
    page = open_page(f"{site}/1/")
    reply = page.goto(go_address(page, typed))
    assert reply.status in statuses
    expect(page.get_by_role("alert")).to_contain_text(re.compile(re.escape(message), re.I))
    expect(page.get_by_role("link", name="Random comic", exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(page.get_by_role("textbox", name="Comic number")).to_have_value(typed)


def test_404_shows_its_card_and_links(open_page, site):
    page = open_page(f"{site}/1/")
    assert page.goto(go_address(page, "404")).status == 404
    expect(page.get_by_role("heading", name="There is no comic 404")).to_be_visible()
    expect(page.get_by_role("link", name="Random comic", exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()


def test_each_kind_of_invalid_number_gets_its_own_message(open_page, site):
    page = open_page(f"{site}/1/")
    messages = set()
    for typed in ("python", "0", str(recording.LATEST + 1), "404"):
        page.goto(f"{site}/1/")
        page.goto(go_address(page, typed))
        messages.add(page.get_by_role("main").inner_text())
    assert len(messages) == 4


@pytest.mark.parametrize(
    ("address", "statuses"),
    [
        ("/0/", {400, 404}),
        (f"/{recording.LATEST + 1}/", {404}),
        ("/18446744073709551617/", {400, 404}),
        ("/1e2/", {400, 404}),
        ("/no-such-page", {404}),
        ("/%ff%00/", {400, 404}),
    ],
)
def test_an_invalid_address_shows_an_error_page(open_page, site, address, statuses, proxy):
    page = open_page(site)
    reply = page.goto(site + address)
    assert reply.status in statuses
    if proxy == "nginx" and "%00" in address:
        return  # nginx answers that itself.
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()


@pytest.mark.parametrize("number", ["0", "404", str(recording.LATEST + 1), str(recording.NO_PICTURE), "python"])
def test_a_missing_picture_answers_404(site, number):
    status, _, _ = programs.get(f"{site}/comics/{number}/image")
    assert status == 404


def test_an_address_without_its_trailing_slash_opens_the_comic(open_page, site):
    page = open_page(f"{site}/353")
    expect(page.get_by_role("heading", level=1)).to_have_text("Python")


def test_the_card_of_404_links_to_the_next_comic(open_page, site, keep_picture):
    page = open_page(f"{site}/404/", status=404, device="phone")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("404")
    page.get_by_role("link", name="Next comic", exact=True).click()
    expect(page).to_have_url(f"{site}/405/")
    page.goto(f"{site}/404/")
    keep_picture(page, "404-phone")
