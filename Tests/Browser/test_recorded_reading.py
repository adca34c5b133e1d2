# Longbox
# SPDX-License-Identifier: MIT
"""What matters most to a reader, on the real comics: search, sharing, explanations, the way back, lists, sheets, and nothing that
is painted over. How a comic fits is in test_fit.py, how it prints in test_print.py. Needs recorded data."""

import re

import pytest
from playwright.sync_api import expect

import details
import device
import layout
import page_acts
from gestures import Gestures
from waiting import until

TALL = 1732
# A wide strip whose title says nothing of what readers remember of it.
STRIP = 327
# Comics of different shapes: wide, tall, small, with a longer alt text, and one that moves.
SHAPES = [1, 150, STRIP, 936, 1116, 1159, TALL]


@pytest.fixture(scope="module")
def explained(recorded_site):
    return device.when_explained(recorded_site, 2734)


def comic(page, number):
    expect(page.get_by_role("img", name=re.compile(f"^Comic {number}: "))).to_be_visible()


def step(page, name):
    return page.get_by_role("navigation", name="Comics").get_by_role("link", name=f"{name} comic", exact=True)


def strip(page):
    return page.get_by_role("group", name="List", exact=True)


# Search


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_comic_is_found_by_what_is_remembered_of_it(open_page, explained, size, keep_picture):
    page = open_page(f"{explained}/search", device=size)
    box = page.get_by_role("searchbox", name="Search comics")
    found = page.get_by_role("list", name="Results").get_by_role("link")
    # The title has one of the words only.
    box.fill("little bobby tables")
    expect(page.get_by_text("Not in titles.")).to_be_visible()
    texts = page.get_by_role("region", name="In the texts")
    expect(texts.get_by_role("link", name=re.compile("^#"))).to_have_count(5)
    expect(texts.get_by_role("link", name=f"#{STRIP} Exploits of a Mom")).to_be_visible()
    keep_picture(page, f"recorded-search-{size}")
    texts.get_by_role("link", name=re.compile(r"^Show all \d+")).click()
    expect(found.first).to_contain_text(f"#{STRIP}")
    # Both titles and texts have results.
    page.goto(f"{explained}/search?q=compiling&deep=0")
    expect(found.first).to_contain_text("#303 Compiling")
    expect(texts.get_by_role("link", name="#303 Compiling")).to_have_count(0)
    box.fill('"tables bobby little"')
    expect(page.get_by_role("link", name="tables bobby little", exact=True)).to_be_visible()
    box.fill("2008-01")
    expect(found.first).to_be_visible()
    for row in page.get_by_role("list", name="Results").get_by_role("listitem").all():
        expect(row.locator("time")).to_have_attribute("datetime", re.compile("^2008-01-"))
    for words in ("xkcd 303", "comic 303", "xkcd.com/303"):
        page.goto(f"{explained}/search")
        box.fill(words)
        box.press("Enter")
        comic(page, 303)


def test_characters_and_topics_are_found_together(open_page, explained):
    page = open_page(f"{explained}/search?q=with:%22Black+Hat%22+about:math")
    results = page.get_by_role("list", name="Results").get_by_role("link")
    expect(results.first).to_be_visible()
    number = int(re.search(r"#(\d+)", results.first.inner_text())[1])
    page.goto(f"{explained}/{number}/")
    chips = details.show(page).get_by_role("link")
    expect(chips.get_by_text("Black Hat", exact=True)).to_be_visible()
    expect(chips.get_by_text("Math", exact=True)).to_be_visible()


# Sharing


def test_a_strip_is_shared_by_its_address_at_xkcd_with_its_texts(open_page, explained):
    page = open_page(f"{explained}/{STRIP}/", device="phone")
    page.evaluate("""() => {
      self.kept = []
      navigator.canShare = () => true
      navigator.share = async ({ files, ...texts }) => { kept.push({ ...texts, files: (files ?? []).map(({ name }) => name) }) }
      navigator.clipboard.writeText = async (text) => { kept.push(text) }
    }""")
    for name in ("Link", "Picture", "Copy alt text", "Copy transcript"):
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_role("dialog", name="Share").get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_function("() => kept.length === 4")
    link, picture, alt_text, transcript = page.evaluate("kept")
    assert link == {"title": f"xkcd #{STRIP} Exploits of a Mom", "url": f"https://xkcd.com/{STRIP}/", "files": []}
    assert picture["files"] == [f"xkcd-{STRIP}.png"] and picture["text"].endswith(link["url"])
    assert alt_text == "Her daughter is named Help I'm trapped in a driver's license factory." and alt_text in picture["text"]
    assert "Robert'); DROP TABLE" in transcript


# Explanations

# The distances between the lines of each paragraph. Parts of a line may be a little higher than others, such as code.
LINES = """() => [...document.querySelectorAll('.explanation-text p:not(.hint)')].map(paragraph => {
  const range = document.createRange()
  range.selectNodeContents(paragraph)
  const bottoms = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ bottom }) => bottom)
  bottoms.sort((a, b) => a - b)
  const lines = bottoms.filter((bottom, place) => place === 0 || bottom - bottoms[place - 1] > 4)
  return lines.slice(1).map((line, place) => line - lines[place])
}).filter(lines => lines.length > 0)"""


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_an_explanation_has_even_lines_one_way_in_and_one_way_out(open_page, explained, size, keep_picture):
    page = open_page(f"{explained}/{STRIP}/", device=size)
    shown = details.show(page, "Explanation")
    whole = shown.get_by_role("link", name="The whole explanation")
    expect(whole).to_have_count(1)
    expect(shown.get_by_text("On explain xkcd", exact=True)).to_have_count(1)
    for link in shown.locator(".lead a").all():
        expect(link).to_have_css("display", "inline")
    whole.click()
    expect(shown.get_by_role("heading").first).to_be_visible()
    expect(shown.get_by_text("On explain xkcd", exact=True)).to_have_count(1)
    keep_picture(page, f"recorded-explanation-{size}")
    lines = page.evaluate(LINES)
    assert sum(map(len, lines)) > 20
    uneven = [distances for distances in lines if max(distances) - min(distances) > 3]
    assert not uneven


# The way back


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_back_returns_from_jumps_and_to_the_row_and_the_place(open_page, recorded_site, size):
    page = open_page(f"{recorded_site}/comics", device=size)
    page.get_by_role("slider", name="Scroll to comic").press("End")
    link = page.get_by_role("main").locator("a[href$='/7/']").first
    expect(link).to_be_in_viewport()
    link.click()
    comic(page, 7)
    step(page, "Next").click()
    comic(page, 8)
    for name in ("Random", "Latest", "First"):
        step(page, name).click()
        page.wait_for_url(lambda url: not url.endswith("/8/"))
        page.go_back()
        comic(page, 8)
    page.go_back()
    expect(page.get_by_role("main").locator("a[href$='/8/']").first).to_be_in_viewport()


def test_back_leads_to_the_place_in_the_tallest_comic(open_page, recorded_site):
    page = open_page(f"{recorded_site}/{TALL}/", device="phone")
    comic(page, TALL)
    page.evaluate("scrollTo(0, 5000)")
    page.wait_for_function("() => scrollY === 5000")
    step(page, "Next").click()
    comic(page, TALL + 1)
    page.wait_for_function("() => scrollY === 0")
    step(page, "Previous").click()
    comic(page, TALL)
    page.wait_for_function("() => Math.abs(scrollY - 5000) < 3")
    page.reload()
    page.wait_for_function("() => Math.abs(scrollY - 5000) < 3")


# Lists


def test_favorites_a_year_a_character_and_results_are_read_through(open_page, explained):
    page = open_page(f"{explained}/about", device="phone")
    page_acts.favorite(page, explained, 149, STRIP, 936)
    page.goto(f"{explained}/favorites")
    page.get_by_role("link", name="#936 ").click()
    expect(strip(page)).to_contain_text("Favorites 1 of 3")
    step(page, "Next").click()
    comic(page, STRIP)
    expect(strip(page)).to_contain_text("Favorites 2 of 3")
    page.goto(f"{explained}/search?q=bobby+tables&deep=1")
    found = page.get_by_role("list", name="Results").get_by_role("link")
    numbers = [int(re.search(r"#(\d+)", name)[1]) for name in found.all_inner_texts()[:2]]
    found.first.click()
    comic(page, STRIP)
    expect(strip(page)).to_contain_text(re.compile(r"“bobby tables” 1 of \d+"))
    step(page, "Next").click()
    comic(page, numbers[1])
    # By year and by character, next is the newer one, as everywhere; the list begins with the newest.
    for address, name in (("/comics?year=2010", "2010"), (None, "Mrs. Roberts")):
        if address:
            page.goto(explained + address)
        else:
            page.goto(f"{explained}/{STRIP}/")
            details.show(page).get_by_role("link", name=re.compile(f"^{name}")).click()
        covers = page.get_by_role("main").get_by_role("link", name=re.compile(r"^#\d+ "))
        expect(page.get_by_role("heading", level=1)).to_contain_text(name)
        numbers = [int(re.search(r"#(\d+)", name)[1]) for name in covers.all_inner_texts()]
        covers.nth(1).click()
        comic(page, numbers[1])
        expect(strip(page)).to_contain_text(f"{name} {len(numbers) - 1} of {len(numbers)}")
        step(page, "Next").click()
        comic(page, numbers[0])
        strip(page).get_by_role("link", name="Leave this list").click()
        expect(strip(page)).to_have_count(0)


# All comics


@pytest.mark.parametrize("width", [320, 390])
def test_all_real_comics_are_one_tap_away_below_a_head_of_two_rows(open_page, recorded_site, width):
    page = open_page(f"{recorded_site}/{STRIP}/", device="phone", viewport={"width": width, "height": 800})
    comic(page, STRIP)
    page.get_by_role("link", name="All comics", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All comics")
    assert page.locator(".bar").bounding_box()["height"] <= 72
    assert page.locator(".choices").bounding_box()["height"] <= 64
    covers = page.get_by_role("main").get_by_role("link", name=re.compile(r"^#328\d "))
    expect(covers).to_have_count(3)
    for cover in covers.all():
        expect(cover).to_be_in_viewport()


# The sheet


def test_the_sheet_of_a_real_comic_follows_its_text(open_page, explained):
    page = open_page(f"{explained}/{STRIP}/", device="phone")
    part = details.show(page, "Explanation")
    sheet = page.get_by_role("dialog", name="Details")
    page.evaluate(layout.SETTLED)
    gestures, box = Gestures(page), part.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 90
    before = sheet.bounding_box()["height"]
    gestures.drag((x, y), (x, y - 260), 9, pause=100)
    until(lambda: sheet.bounding_box()["height"] > before + 200, "the sheet grows with its text")
    page.evaluate(layout.SETTLED)
    y = part.bounding_box()["y"] + 90
    gestures.drag((x + 60, y), (x - 60, y), 9, pause=60)
    expect(sheet.get_by_role("tab", name="Transcript")).to_have_attribute("aria-selected", "true")
    for _ in range(2):
        page.evaluate(layout.SETTLED)
        if sheet.count():
            y = page.locator("dialog .part[open]").bounding_box()["y"] + 60
            gestures.drag((x, y), (x, y + 330), 9, pause=100)
    expect(sheet).to_have_count(0)


# Nothing is painted over


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (390, 844), (844, 390), (820, 1180), (1440, 900)], ids=lambda side: str(side)
)
def test_nothing_lies_over_a_real_comics_words_and_controls(open_page, explained, width, height):
    faults = {}
    page = open_page(f"{explained}/about", device="phone", viewport={"width": width, "height": height})
    page_acts.favorite(page, explained, STRIP)

    def look(number, state):
        # Only bars lie over what can be scrolled from under them.
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.evaluate(layout.SETTLED)
        if found := [*page.evaluate(layout.PAINTED_OVER), *page.evaluate(layout.SIDEWAYS, width)]:
            faults[number, state] = found

    for number in SHAPES:
        page.goto(f"{explained}/{number}/")
        comic(page, number)
        page.locator("html.gestures").wait_for()
        look(number, "at rest")
        page.keyboard.press("a")
        expect(page.locator(".caption")).to_be_visible()
        look(number, "with its alt text")
        page.keyboard.press("f")
        expect(page.get_by_role("button", name="Undo")).to_be_visible()
        look(number, "with a message")
        page.keyboard.press("+")
        expect(page.get_by_role("group", name="Zoom")).to_be_visible()
        look(number, "zoomed")
    assert not faults
