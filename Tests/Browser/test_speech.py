# Longbox
# SPDX-License-Identifier: MIT
"""What a screen reader says, and in which order, read from the browser's accessibility tree."""

import re

import pytest
from playwright.sync_api import expect

import details
import device
import page_acts
import recording

# This comic fits a phone's width.
NARROW = 12


def spoken(page, *roles):
    """The names that the accessibility tree has for these roles, in their order, as "role: name"."""
    tools = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in tools.send("Accessibility.getFullAXTree")["nodes"]}
    tools.detach()

    def walk(node):
        if not node["ignored"]:
            # Text elsewhere on the screen counts as a separate word.
            name = node.get("name", {}).get("value", "").replace(" ,", ",")
            yield node["role"]["value"], name
        for child in node["childIds"]:
            if child in nodes:
                yield from walk(nodes[child])

    root = next(node for node in nodes.values() if "parentId" not in node)
    return [f"{role}: {name}" for role, name in walk(root) if role in roles]


def in_order(spoken, *expected):
    """Fails unless the expected ones are spoken, in this order; others may come between them."""
    rest = iter(spoken)
    for one in expected:
        assert one in rest, f"“{one}” is not where it belongs in {spoken}"


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_a_screen_reader_reads_a_comic_from_its_title_to_its_credit(open_page, site, device):
    page = open_page(f"{site}/{recording.PLAIN}/", device=device)
    page.get_by_role("button", name="Share").wait_for()
    order = spoken(page, "heading", "button", "navigation", "link", "image", "contentinfo")
    in_order(
        order,
        "link: Skip to content",
        "heading: Python",
        "button: Go to comic number",
        "button: Favorite",
        "button: Share",
        "navigation: Main",
        "link: Comics",
        "link: Favorites",
        "link: Search",
        "link: Albums",
        "link: Settings",
        f"image: Comic {recording.PLAIN}: Python",
        "navigation: Comics",
        "link: First comic",
        "link: Previous comic",
        "link: Random comic",
        "link: Next comic",
        "link: Latest comic",
        "contentinfo: ",
        "link: xkcd",
    )
    # The neighbours, which lie beside the comic out of sight, are not read.
    assert len([one for one in order if one.startswith("image: Comic")]) == 1


@pytest.mark.parametrize("control", ["link", "key", "swipe"])
def test_each_page_turn_announces_number_title_and_unread_once(open_page, site, control):
    page = open_page(f"{site}/{NARROW}/", device="phone")
    page.locator("html.gestures").wait_for()
    page.evaluate("""() => {
      window.announced = []
      new MutationObserver(() => {
        const text = document.querySelector('.announcer').textContent
        if (text) window.announced.push(text)
      }).observe(document.querySelector('.announcer'), { childList: true, characterData: true, subtree: true })
    }""")
    if control == "link":
        page.get_by_role("link", name="Next comic").click()
    elif control == "key":
        page.keyboard.press("ArrowRight")
    else:
        page_acts.swipe_to_the_next(page)
    number = NARROW + 1
    expect(page).to_have_url(f"{site}/{number}/")
    words = f"{number}, {page.locator('h1').inner_text()}, unread"
    page.wait_for_function("() => window.announced.length > 0")
    assert page.evaluate("window.announced") == [words]
    # The words are in a live region of the accessibility tree.
    assert page.locator(".announcer").aria_snapshot() == f"- status: {words}"


def test_links_say_which_comics_are_unread_or_favorites(open_page, site):
    page = open_page(f"{site}/about")
    page_acts.favorite(page, site, recording.PLAIN)
    form = {"comic": str(recording.PLAIN), "back": "/comics"}
    page.request.post(f"{site}/read/older", form=form, headers={"Origin": device.origin(site)})
    page.goto(f"{site}/comics")
    links = [one.removeprefix("link: ") for one in spoken(page, "link") if re.match(r"link: #\d+ ", one)]
    assert f"#{recording.PLAIN} Python, favorite" in links
    later = next(one for one in links if one.startswith(f"#{recording.PLAIN + 1} "))
    assert later.endswith(", unread")
    page.goto(f"{site}/{recording.PLAIN}/")
    expect(page.get_by_role("button", name="Favorite", exact=True, pressed=True)).to_be_visible()


def test_only_the_open_sheet_is_read_from_its_top(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="phone")
    details.show(page)
    order = spoken(page, "dialog", "tab", "link", "heading", "image", "navigation")
    in_order(order, "dialog: Details", "tab: Details", "tab: Explanation", "tab: Transcript", "link: Original on xkcd.com")
    assert "navigation: Main" not in order and "navigation: Comics" not in order
    assert f"image: Comic {recording.PLAIN}: Python" not in order
