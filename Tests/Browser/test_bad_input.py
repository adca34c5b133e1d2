# Longbox
# SPDX-License-Identifier: MIT
"""Invalid numbers and numbers without a comic: each gets its own message, status, and way on."""

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


def test_go_leads_to_the_number(open_page, site):
    page = open_page(f"{site}/1/", device="phone", java_script_enabled=False)
    page.get_by_role("link", name="Go to comic number").click()
    page.get_by_role("textbox", name="Comic number").fill("353")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page).to_have_url(f"{site}/353/")


def test_the_box_asks_for_the_numeric_keypad_and_digits_only(open_page, site):
    box = open_page(f"{site}/1/", java_script_enabled=False).get_by_role("textbox", name="Comic number")
    expect(box).to_have_attribute("inputmode", "numeric")
    # Without scripts the server's sentence says what is wrong, not the browser's own message.
    box.fill("12ab5")
    assert box.evaluate("box => box.checkValidity()")
    # With scripts, others can't be typed.
    page = open_page(f"{site}/{recording.LATEST + 1}/", status=404)
    page.wait_for_load_state()
    box = page.get_by_role("textbox", name="Comic number")
    box.fill("")
    box.press_sequentially("12ab5")
    expect(box).to_have_value("125")


@pytest.mark.parametrize(("typed", "statuses", "speaks_of"), BAD_NUMBERS)
def test_a_bad_number_is_answered_by_a_sentence_and_a_way_on(open_page, site, typed, statuses, speaks_of):
    page = open_page(f"{site}/1/")
    reply = page.goto(go_address(page, typed))
    assert reply.status in statuses
    expect(page.get_by_role("alert")).to_contain_text(re.compile(re.escape(speaks_of), re.I))
    expect(page.get_by_role("link", name="Random comic", exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(page.get_by_role("textbox", name="Comic number")).to_have_value(typed)


def test_404_is_answered_by_its_card_and_a_way_on(open_page, site):
    page = open_page(f"{site}/1/")
    assert page.goto(go_address(page, "404")).status == 404
    expect(page.get_by_role("heading", name="There is no comic 404")).to_be_visible()
    expect(page.get_by_role("link", name="Random comic", exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()


def test_each_kind_of_bad_number_has_its_own_sentence(open_page, site):
    page = open_page(f"{site}/1/")
    sentences = set()
    for typed in ("python", "0", str(recording.LATEST + 1), "404"):
        page.goto(f"{site}/1/")
        page.goto(go_address(page, typed))
        sentences.add(page.get_by_role("main").inner_text())
    assert len(sentences) == 4


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
def test_a_bad_address_is_a_page_of_ours(open_page, site, address, statuses, proxy):
    page = open_page(site)
    reply = page.goto(site + address)
    assert reply.status in statuses
    if proxy == "nginx" and "%00" in address:
        return  # nginx answers that itself.
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()


@pytest.mark.parametrize("number", ["0", "404", str(recording.LATEST + 1), str(recording.NO_PICTURE), "python"])
def test_a_picture_that_is_none_is_not_found(site, number):
    status, _, _ = programs.get(f"{site}/comics/{number}/image")
    assert status == 404


def test_an_address_without_its_last_slash_leads_to_the_comic(open_page, site):
    page = open_page(f"{site}/353")
    expect(page.get_by_role("heading", level=1)).to_have_text("Python")


def test_the_card_of_404(open_page, site, keep_picture):
    page = open_page(f"{site}/404/", status=404, device="phone")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("404")
    page.get_by_role("link", name="Next comic", exact=True).click()
    expect(page).to_have_url(f"{site}/405/")
    page.goto(f"{site}/404/")
    keep_picture(page, "404-phone")
