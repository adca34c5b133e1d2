# Longbox
# SPDX-License-Identifier: MIT
"""Details of how pages look that break easily: overlap, alignment, legibility and colours."""

import collections
import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

import layout
import page_acts
import recording
from watch import SCHEMES


def edge(locator):
    return locator.bounding_box()["x"]


def test_only_bars_and_the_scroll_handle_float_over_the_comics(open_page, site):
    page = open_page(f"{site}/comics", device="phone")
    page.get_by_role("slider", name="Scroll to comic").wait_for()
    page.evaluate("scrollTo(0, 2000)")
    floating = page.evaluate("""() => [...document.body.querySelectorAll('*')].filter(element => {
      const { position, opacity } = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      return /fixed|sticky/.test(position) && opacity !== '0' && box.width > 1 && box.bottom > 0 && box.top < innerHeight
    }).map(element => element.getAttribute('aria-label') ?? element.className)""")
    assert set(floating) <= {"Main", "Scroll to comic", "strips"}


def test_chips_headings_and_covers_are_aligned(open_page, site):
    page = open_page(f"{site}/about", device="phone")
    page_acts.favorite(page, site, recording.PLAIN)
    page.goto(f"{site}/comics")
    edges = {
        "heading": edge(page.locator(".bar h1")),
        # The choices are one row, which starts with the comic to continue with.
        "choices": edge(page.locator(".choices").get_by_role("link").first),
        "year": edge(page.locator(".year h2").first),
        "cover": edge(page.locator(".covers li").first),
    }
    assert max(edges.values()) - min(edges.values()) < 1, edges


@pytest.mark.parametrize("width", [320, 390])
def test_a_search_box_with_large_text_shows_its_words(open_page, site, width):
    page = open_page(f"{site}/search?q=python", device="phone", viewport={"width": width, "height": 844})
    page.evaluate(layout.ENLARGE)
    box = page.get_by_role("searchbox", name="Search comics")
    assert box.evaluate("""box => {
      const style = getComputedStyle(box)
      const pen = document.createElement('canvas').getContext('2d')
      pen.font = style.font
      const padding = parseFloat(style.paddingInlineStart) + parseFloat(style.paddingInlineEnd)
      return pen.measureText(box.value).width <= box.clientWidth - padding
    }""")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_placeholder_of_a_missing_cover_matches_the_colour_scheme(open_page, site, scheme):
    page = open_page(f"{site}/about", scheme=scheme)
    page.route("**/thumbnail*", lambda route: route.fulfill(status=200, body=b"", content_type="image/webp"))
    page.goto(f"{site}/comics")
    cover = page.locator(".covers .cover").first
    expect(cover.locator(".number")).to_be_visible()
    paper = cover.evaluate("element => getComputedStyle(element).backgroundColor")
    assert (int(re.search(r"\d+", paper)[0]) > 128) is (scheme == "light"), paper


def test_the_notice_of_the_sample_box_fits_one_line(open_page, sample_site):
    page = open_page(sample_site, device="phone")
    strip = page.get_by_text(re.compile("^Sample box"))
    assert page.locator(".strip.sample").bounding_box()["height"] <= 28
    expect(strip).to_be_visible()


def test_the_font_of_headings_is_loaded_early(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="phone")
    font = page.locator("link[rel=preload][as=font]").get_attribute("href")
    heading = page.get_by_role("heading", level=1)
    assert heading.evaluate("heading => getComputedStyle(heading).fontFamily").startswith('"Longbox Lettering"')
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px \"Longbox Lettering\"'))")
    # It is fetched once, and before the scripts of a comic.
    fetched = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    assert fetched.count(font) == 1
    assert fetched.index(font) < next(place for place, path in enumerate(fetched) if "/comic-" in path)


def test_the_back_link_is_at_the_start_of_the_bar(open_page, explained_site):
    page = open_page(f"{explained_site}/353/explanation", device="phone")
    back = page.get_by_role("link", name="Back to the comic")
    assert edge(back) < edge(page.locator(".bar h1"))
    assert edge(back) < 16


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_button_that_clears_a_search_is_not_the_browsers_blue(open_page, site, keep_picture, scheme):
    page = open_page(f"{site}/search?q=python", device="desktop", scheme=scheme)
    box = page.get_by_role("searchbox", name="Search comics")
    box.focus()
    shown = Image.open(io.BytesIO(box.screenshot())).convert("RGB")
    assert [pixel for pixel in shown.getdata() if pixel[2] > pixel[0] + 60] == []
    keep_picture(page, f"search-clear-{scheme}")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_line_art_has_the_background_colour_of_the_page(open_page, site, scheme):
    page = open_page(f"{site}/{recording.PLAIN}/", device="desktop", scheme=scheme)
    picture = page.get_by_role("img", name=re.compile("^Comic "))
    picture.evaluate("image => image.decode()")
    expect(page.locator(".pages > .stage > .picture.line-art")).to_be_visible()
    page.evaluate(layout.SETTLED)
    shown = Image.open(io.BytesIO(picture.screenshot())).convert("RGB")
    paper = collections.Counter(shown.getdata()).most_common(1)[0][0]
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    around = [int(part) for part in re.findall(r"\d+", background)[:3]]
    assert max(abs(one - other) for one, other in zip(paper, around, strict=True)) <= 8, (paper, around)
