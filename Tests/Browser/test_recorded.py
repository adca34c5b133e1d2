# Longbox
# SPDX-License-Identifier: MIT
"""Odd comics among the real ones; needs recorded data."""

import re

import pytest
from playwright.sync_api import expect

from pages import numbers_linked

# (number, expected title)
TITLES = [
    (259, "Clichéd Exchanges"),
    (353, "Python"),
    (472, "House of Pancakes"),
    (859, "("),
    (1037, "Umwelt"),
    (1193, "Externalities"),
    (1350, "Lorenz"),
    (1608, "Hoverboard"),
    (1663, "Garden"),
    (1732, "Earth Temperature Timeline"),
    (1913, "A \ufffd"),
    (3142, "<City>-Style Pizza"),
]


# Only the page's text is checked; scripts would load pictures of its neighbours, which takes time.
STILL = {"java_script_enabled": False}


@pytest.mark.parametrize(("number", "title"), TITLES)
def test_odd_titles_are_shown_correctly(open_page, recorded_site, number, title):
    page = open_page(f"{recorded_site}/{number}/", device="phone", **STILL)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_home_page_shows_the_latest_recorded_comic(open_page, recorded_site):
    page = open_page(recorded_site, **STILL)
    expect(page.get_by_role("img", name=re.compile("^Comic 3282: "))).to_be_visible()


@pytest.mark.parametrize("number", [1037, 1350, 1608, 1663])
def test_interactive_comics_link_to_xkcd(open_page, recorded_site, number):
    page = open_page(f"{recorded_site}/{number}/", **STILL)
    link = page.get_by_role("link", name=f"Open comic {number} on xkcd.com", exact=True)
    expect(link).to_have_attribute("href", f"https://xkcd.com/{number}/")


@pytest.mark.parametrize(("number", "wrong"), [(1037, "reviews"), (1350, "shouldnt_be_hard")])
def test_a_picture_of_another_comic_is_not_shown(open_page, recorded_site, number, wrong):
    page = open_page(f"{recorded_site}/{number}/", **STILL)
    assert page.get_by_role("main").locator(f"img[src*='/{number}/']").count() == 0
    assert wrong not in page.content()


def test_an_empty_picture_takes_no_place(open_page, recorded_site):
    page = open_page(f"{recorded_site}/1193/", **STILL)
    expect(page.get_by_text("This comic only works on xkcd.com.")).to_be_visible()
    expect(page.locator(".picture img")).to_have_count(0)


def test_a_transcript_of_another_comic_is_not_shown(open_page, recorded_site):
    page = open_page(f"{recorded_site}/1663/", **STILL)
    assert "podium" not in page.content()


def test_the_tallest_picture_fills_the_width(open_page, recorded_site, keep_picture):
    page = open_page(f"{recorded_site}/1732/", device="phone")
    box = page.get_by_role("img", name=re.compile("^Comic 1732: ")).bounding_box()
    assert box["width"] > 0.85 * 390
    assert box["height"] > 15 * box["width"]
    keep_picture(page, "1732-phone")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_the_overview_links_to_every_comic(open_page, recorded_site, keep_picture, device):
    page = open_page(f"{recorded_site}/comics", device=device)
    keep_picture(page, f"comics-recorded-{device}")
    assert numbers_linked(page) == set(range(1, 3283)) - {404}
