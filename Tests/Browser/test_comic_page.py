# Longbox
# SPDX-License-Identifier: MIT
"""A comic's page: its text, its picture, and its links."""

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

import details
import page_acts
import programs
import recording
from sources import control
from watch import DEVICES, SCHEMES

END_REASONS = [
    ("/1/", ("First comic", "Previous comic"), re.compile("first", re.I)),
    ("/", ("Next comic", "Latest comic"), re.compile("latest|newest", re.I)),
]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("device", DEVICES)
def test_shows_title_picture_alt_text_date_and_transcript(open_page, site, keep_picture, device, scheme):
    page = open_page(f"{site}/353/", device=device, scheme=scheme)

    expect(page).to_have_title(re.compile("Python"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Python")
    picture = page.get_by_role("img", name="Comic 353: Python", exact=True)
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    keep_picture(page, f"comic-{device}-{scheme}")

    shown = details.show(page)
    expect(shown.get_by_text("It hugged back, and that was the whole interview.")).to_be_visible()
    expect(shown.locator("time")).to_have_attribute("datetime", re.compile(r"^2008-03-"))
    expect(details.show(page, "Transcript").get_by_text("Does it bite?").first).to_be_visible()


def test_the_picture_is_described_by_its_transcript(open_page, site):
    picture = open_page(f"{site}/353/").get_by_role("img", name="Comic 353: Python")
    expect(picture).to_have_accessible_description(re.compile("Does it bite"))


def layout_shift(page):
    """How much the page's content has moved since it was opened, up to the second frame from now."""
    return page.evaluate(
        """async () => {
          for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
          return new Promise(resolve => {
            let sum = 0
            const observer = new PerformanceObserver(list => {
              for (const { entryType, value } of list.getEntries()) entryType === 'mark' ? resolve(sum) : sum += value
            })
            observer.observe({ type: 'layout-shift', buffered: true })
            // The mark comes after the shifts before it.
            observer.observe({ type: 'mark' })
            performance.mark('end')
          })
        }"""
    )


def test_nothing_moves_while_the_picture_loads(open_page, site):
    page = open_page(f"{site}/353/", device="phone")
    page.get_by_role("img", name="Comic 353: Python").evaluate("image => image.decode()")
    assert layout_shift(page) < 0.01


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_nothing_moves_when_a_picture_arrives_late(open_page, recorded, tmp_path, device):
    number = recording.LATEST - 20
    with programs.replay(recorded) as replay, programs.server(tmp_path, replay.address, LONGBOX_FILL="false") as server:
        control(replay, "faults", {"kind": "delay", "delay": 3000, "source": "imgs"})
        page = open_page(f"{server.address}/{number}/", device=device)
        picture = page.get_by_role("img", name=re.compile(f"^Comic {number}: "))
        assert picture.get_attribute("width") is None, "The page waited for the picture's size."
        before = page.get_by_role("main").bounding_box()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert layout_shift(page) < 0.01
        assert page.get_by_role("main").bounding_box() == before


@pytest.mark.parametrize(
    ("start", "link", "goal"),
    [
        ("/353/", "First comic", "/1/"),
        ("/353/", "Previous comic", "/352/"),
        ("/353/", "Next comic", "/354/"),
        ("/353/", "Latest comic", rf"/(?:{recording.LATEST}/)?"),
        ("/403/", "Next comic", "/405/"),
        ("/405/", "Previous comic", "/403/"),
    ],
)
def test_links_to_the_other_comics(open_page, site, start, link, goal):
    page = open_page(site + start)
    page.get_by_role("link", name=link, exact=True).click()
    expect(page).to_have_url(re.compile(re.escape(site) + goal + "$"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_links_to_a_random_comic(open_page, site):
    # Scripts would have fetched the random comic before the click.
    page = open_page(f"{site}/353/", java_script_enabled=False)
    with page.expect_response(f"{site}/random") as drawn:
        page.get_by_role("link", name="Random comic", exact=True).click()
    goal = urljoin(site, drawn.value.headers["location"])
    assert re.fullmatch(re.escape(site) + r"/\d+/", goal)
    expect(page).to_have_url(goal)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize(("address", "links", "reason"), END_REASONS)
def test_a_link_at_an_end_is_disabled_and_says_why(open_page, site, address, links, reason):
    page = open_page(site + address)
    for name in links:
        link = page.get_by_role("link", name=name, exact=True)
        expect(link).to_be_visible()
        expect(link).to_be_disabled()
        expect(link).not_to_have_attribute("href", re.compile(""))
        expect(link).to_have_accessible_description(reason)


def test_the_home_page_shows_the_latest_comic(open_page, site):
    page = open_page(site + "/")
    expect(page.get_by_role("img", name=re.compile(f"^Comic {recording.LATEST}: "))).to_be_visible()


def test_random_opens_different_comics_and_never_404(open_page, site):
    page = open_page(f"{site}/random")
    opened = {page.url}
    for _ in range(11):
        page.goto(f"{site}/random")
        opened.add(page.url)
    assert len(opened) > 6
    assert not any(address.endswith("/404/") for address in opened)


@pytest.mark.parametrize(
    ("number", "title"),
    [
        (recording.ENTITY_IN_TITLE, "Cliché Harbour"),
        (recording.MARKUP_IN_TITLE, "Blue Ink"),
        (recording.AMPERSAND, "D&D in the Attic"),
        (recording.ANGLE_BRACKETS, "<Town>-Style Soup"),
        (recording.BRACKET, "("),
    ],
)
def test_odd_titles_are_shown_correctly(open_page, site, number, title):
    page = open_page(f"{site}/{number}/")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("img", name=f"Comic {number}: {title}", exact=True)).to_be_visible()


def test_a_title_that_reverses_the_text_direction_affects_no_other_text(open_page, site):
    page = open_page(f"{site}/{recording.RIGHT_TO_LEFT}/")
    expect(page.get_by_role("heading", level=1).locator("bdi")).to_contain_text("Backwards")


@pytest.mark.parametrize("number", [recording.SCRIPT_IN_ALT, recording.INTERACTIVE, recording.NO_PICTURE, recording.BROKEN_NEWS])
def test_text_from_a_source_never_runs_as_a_script(open_page, site, number):
    page = open_page(f"{site}/{number}/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("window.injected") is None
    assert "window.injected" not in "".join(page.locator("script").all_text_contents())


def test_a_javascript_link_from_a_source_is_removed(open_page, site):
    page = open_page(f"{site}/{recording.SCRIPT_LINK}/")
    assert page.locator("[href^='javascript:' i]").count() == 0


def test_broken_html_in_the_news_does_not_break_the_page(open_page, site):
    page = open_page(f"{site}/{recording.BROKEN_NEWS}/")
    expect(page.get_by_role("link", name="Next comic", exact=True)).to_be_visible()
    assert page.get_by_role("link", name="Next comic", exact=True).evaluate("link => link.closest('b') === null")


@pytest.mark.parametrize("number", [recording.INTERACTIVE, recording.NO_PICTURE])
def test_an_interactive_comic_links_to_xkcd(open_page, site, number):
    page = open_page(f"{site}/{number}/")
    expect(page.get_by_text(re.compile("interactive", re.I)).first).to_be_visible()
    link = page.get_by_role("link", name=f"Open comic {number} on xkcd.com", exact=True)
    expect(link).to_have_attribute("href", f"https://xkcd.com/{number}/")


def test_a_comic_without_a_picture_says_so(open_page, site):
    page = open_page(f"{site}/{recording.NO_PICTURE}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("The Garden Shed")
    expect(page.get_by_text(re.compile(r"^This comic only works on xkcd\.com\.")).first).to_be_visible()


def test_a_tall_picture_fills_the_width_and_scrolls(open_page, site, keep_picture):
    page = open_page(f"{site}/{recording.TALL}/", device="phone")
    picture = page.get_by_role("img", name=re.compile(f"^Comic {recording.TALL}: ")).bounding_box()
    assert picture["width"] > 0.85 * 390
    assert picture["height"] > 9 * picture["width"]
    keep_picture(page, "tall-phone")


def test_a_wide_picture_can_be_large_enough_to_read_and_the_page_does_not_scroll_sideways(open_page, site, keep_picture):
    page = open_page(f"{site}/{recording.WIDE}/", device="phone")
    page_acts.choose_setting(page, "wide", "readable")
    picture = page.get_by_role("img", name=re.compile(f"^Comic {recording.WIDE}: "))
    natural = picture.evaluate("image => image.decode().then(() => image.naturalWidth)")
    assert picture.bounding_box()["width"] > 0.4 * natural
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    keep_picture(page, "wide-phone")


def test_a_picture_with_an_exif_orientation_is_shown_upright(open_page, site):
    picture = open_page(f"{site}/{recording.TURNED_BY_EXIF}/").get_by_role("img", name=re.compile("^Comic 62: "))
    given = picture.evaluate("image => [image.width / image.height, image.naturalWidth / image.naturalHeight]")
    assert given[0] == pytest.approx(given[1], rel=0.02)


def test_a_transparent_picture_has_a_white_background_in_dark_mode(open_page, site, keep_picture):
    page = open_page(f"{site}/{recording.TRANSPARENT}/", scheme="dark")
    picture = page.get_by_role("img", name=re.compile("^Comic 110: "))
    # White paper, which is inverted or dimmed with the picture.
    expect(picture).to_have_css("background-color", "rgb(255, 255, 255)")
    keep_picture(page, "transparent-desktop-dark")


def test_shows_its_author_and_licence_and_links_to_the_original(open_page, site):
    page = open_page(f"{site}/353/")
    credit = page.get_by_role("paragraph").filter(has_text="xkcd by Randall Munroe, CC BY-NC 2.5")
    expect(credit).to_be_visible()
    expect(credit.locator("a[href='https://xkcd.com/353/']")).to_be_visible()


def test_can_be_read_by_keyboard_alone(open_page, site):
    page = open_page(f"{site}/353/")
    for _ in range(40):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
        if focused.strip() == "Next comic":
            break
    outline = page.evaluate(
        "(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none')"
        "(getComputedStyle(document.activeElement))"
    )
    assert outline, "the focus can't be seen"
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site}/354/")
