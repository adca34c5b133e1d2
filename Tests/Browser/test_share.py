# Longbox
# SPDX-License-Identifier: MIT
"""What readers share of a comic, and by which address."""

import pytest
from playwright.sync_api import expect

import layout
import programs
import recording
from gestures import Gestures
from watch import DEVICES

ALT_TEXT = "It hugged back, and that was the whole interview."
# Keeps what is shared, as the system's sheet and the clipboard would.
KEEPER = """() => {
  self.kept = []
  const names = (files) => files.map(({ name }) => name)
  navigator.share = async ({ files, ...texts }) => { kept.push(files ? { ...texts, files: names(files) } : texts) }
  navigator.canShare = () => true
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: {
    writeText: async (text) => { kept.push(text) },
    write: async ([item]) => { kept.push((await item.getType("image/png")).size > 0) },
  } })
}"""


def share(page, name):
    """Chooses from what there is to share, and returns what was kept."""
    page.evaluate(KEEPER)
    page.get_by_role("button", name="Share", exact=True).click()
    sheet = page.get_by_role("dialog", name="Share")
    sheet.get_by_role("button", name=name, exact=True).click()
    expect(sheet).to_have_count(0)
    return page.evaluate("kept")


@pytest.mark.parametrize("device", DEVICES)
def test_a_comic_offers_its_link_its_picture_and_its_texts(open_page, site, axe, keep_picture, device):
    page = open_page(f"{site}/{recording.PLAIN}/", device=device)
    page.get_by_role("button", name="Share", exact=True).click()
    sheet = page.get_by_role("dialog", name="Share")
    expect(sheet.get_by_role("listitem")).to_have_text(["Link", "Picture", "Copy alt text", "Copy transcript"])
    axe(page)
    keep_picture(page, f"share-{device}")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    assert share(page, "Copy alt text") == [ALT_TEXT]
    [transcript] = share(page, "Copy transcript")
    assert transcript.splitlines()[-1] == "B: It compiles."


def test_the_sheet_follows_a_finger_and_closes_if_it_goes_far(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="phone")
    page.get_by_role("button", name="Share", exact=True).click()
    sheet = page.get_by_role("dialog", name="Share")
    # Its script comes first.
    expect(sheet).to_be_visible()
    page.evaluate(layout.SETTLED)
    top = sheet.locator(".grabber").bounding_box()
    start = (top["x"] + top["width"] / 2, top["y"] + 10)
    gestures = Gestures(page)
    gestures.drag(start, (start[0], start[1] + 30), 9, pause=40)
    page.evaluate(layout.SETTLED)
    assert sheet.locator(".grabber").bounding_box() == top
    gestures.drag(start, (start[0], start[1] + 200), 9, pause=40)
    expect(sheet).to_have_count(0)


def test_a_comic_without_texts_offers_none(open_page, site):
    page = open_page(f"{site}/{recording.NO_ALT}/")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("dialog", name="Share").get_by_role("button", name="Copy alt text")).to_have_count(0)


def test_a_computer_copies(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/")
    assert share(page, "Link") == ["https://xkcd.com/353/"]
    expect(page.get_by_role("status").get_by_text("Link copied.")).to_be_visible()
    assert share(page, "Picture") == [True]


def test_a_phone_uses_its_own_sheet(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="phone")
    assert share(page, "Link") == [{"title": "xkcd #353 Python", "url": "https://xkcd.com/353/"}]
    [shared] = share(page, "Picture")
    assert shared["files"] == ["xkcd-353.png"]
    assert ALT_TEXT in shared["text"] and shared["text"].endswith("https://xkcd.com/353/")


@pytest.mark.parametrize(
    ("address", "link"),
    [("https://comics.example.org/box", "https://comics.example.org/box/353/"), ("http://comics.local", "https://xkcd.com/353/")],
)
def test_the_link_has_the_servers_public_name(open_page, new_library, upstream, address, link):
    base = "/box" if address.endswith("/box") else ""
    with programs.server(new_library(), upstream, LONGBOX_PUBLIC_URL=address) as server:
        page = open_page(f"{server.address.removesuffix(base)}{base}/{recording.PLAIN}/")
        assert share(page, "Link") == [link]
