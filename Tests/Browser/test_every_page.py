# Longbox
# SPDX-License-Identifier: MIT
"""Checks for every page: accessibility, layout and language."""

import re

import pytest
from playwright.sync_api import expect

import programs
import recording
from watch import DEVICES, SCHEMES

# Every page of the server, with its status.
PAGES = {
    "/": 200,
    "/353/": 200,
    "/1/": 200,
    f"/{recording.TALL}/": 200,
    f"/{recording.WIDE}/": 200,
    f"/{recording.INTERACTIVE}/": 200,
    f"/{recording.NO_PICTURE}/": 200,
    "/comics?year=2006": 200,
    "/comics?year=2006&view=list": 200,
    "/comics?view=map": 200,
    "/comics?on=01-01": 200,
    "/favorites": 200,
    "/settings": 200,
    "/about": 200,
    "/search": 200,
    "/search?q=python&deep=1": 200,
    "/albums": 200,
    "/albums?artist=e&country=us": 200,
    "/albums?artist=nobody&country=us": 200,
    "/albums/artists/9001?country=us": 200,
    "/albums/9102?country=us": 200,
    "/albums/9301?country=us": 200,
    "/albums/saved": 200,
    "/albums/9102/quiz?country=us": 200,
    "/albums/1?country=us": 404,
    "/feeds": 200,
    "/feeds?q=tea&from=0&start=2026-11-21": 400,
    "/404/": 404,
    f"/{recording.LATEST + 1}/": 404,
    "/no-such-page": 404,
}

# Elements whose text is cut off. Text that is hidden visually on purpose is one pixel large.
CUT_OFF = """() => [...document.body.querySelectorAll('*')].filter(element => {
  const style = getComputedStyle(element)
  return /hidden|clip/.test(style.overflowX) && element.clientWidth > 1
    && element.scrollWidth > element.clientWidth + 1 && element.innerText?.trim()
}).map(element => element.outerHTML.slice(0, 120))"""

MOVING = """() => [...document.querySelectorAll('*')].filter(element => {
  const style = getComputedStyle(element)
  return style.animationName !== 'none' || style.transitionDuration.split(', ').some(time => parseFloat(time) > 0.01)
    || style.scrollBehavior === 'smooth'
}).map(element => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_wrong(open_page, site, axe, path, device, scheme):
    axe(open_page(site + path, status=PAGES[path], device=device, scheme=scheme))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_wrong_where_more_contrast_is_asked_for(open_page, site, axe, scheme):
    axe(open_page(f"{site}/353/", scheme=scheme, contrast="more"))


@pytest.mark.parametrize("way", ["forced colours", "less motion", "text of twice the size"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_wrong_however_it_is_looked_at(open_page, site, axe, path, way):
    options = {"forced colours": {"forced_colors": "active"}, "less motion": {"reduced_motion": "reduce"}}.get(way, {})
    page = open_page(site + path, status=PAGES[path], device="phone", **options)
    if way == "text of twice the size":
        page.evaluate("document.documentElement.style.fontSize = '200%'")
    axe(page)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_page_does_not_scroll_sideways(open_page, site, path, width):
    page = open_page(site + path, status=PAGES[path], viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("path", PAGES)
def test_text_of_twice_the_size_is_all_there(open_page, site, path):
    page = open_page(site + path, status=PAGES[path], viewport={"width": 640, "height": 800})
    size = "parseFloat(getComputedStyle(document.querySelector('main p, main a')).fontSize)"
    before = page.evaluate(size)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(size) == pytest.approx(2 * before, rel=0.3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("path", PAGES)
def test_it_works_with_scripts_off(open_page, site, path):
    page = open_page(site + path, status=PAGES[path], java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Comics", exact=True).click()
    expect(page).to_have_url(f"{site}/")


@pytest.mark.parametrize("path", PAGES)
def test_it_stands_still_for_who_asks_for_less_motion(open_page, site, path):
    page = open_page(site + path, status=PAGES[path], reduced_motion="reduce")
    assert page.evaluate(MOVING) == []


@pytest.mark.parametrize(("motion", "slides"), [("no-preference", True), ("reduce", False)])
def test_pages_slide_unless_less_motion_is_asked_for(open_page, site, motion, slides):
    page = open_page(f"{site}/350/", reduced_motion=motion)
    expect(page.locator("html.gestures")).to_be_attached()
    page.evaluate("""() => {
      const animate = Element.prototype.animate
      window.moved = []
      Element.prototype.animate = function (frames, ...given) {
        window.moved.push(...frames.flatMap(Object.keys))
        return animate.call(this, frames, ...given)
      }
    }""")
    page.get_by_role("link", name="Next comic", exact=True).click()
    expect(page).to_have_url(f"{site}/351/")
    assert page.evaluate("window.moved.includes('transform')") is slides
    # When the browser loads the page, it uses the browser's own transition.
    page.add_init_script("addEventListener('pagereveal', event => { window.slid = event.viewTransition !== null })")
    slid = []
    for path in ["/comics", "/about", "/favorites", "/settings", "/search"]:
        page.evaluate("path => location.assign(path)", path)
        expect(page).to_have_url(site + path)
        slid.append(page.evaluate("window.slid"))
    # A busy browser skips slides, so one of five is enough.
    assert any(slid) is slides


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forced_colours_leave_everything_in_sight(open_page, site, axe, keep_picture, scheme):
    page = open_page(f"{site}/353/", scheme=scheme, forced_colors="active")
    invisible = page.locator("a:visible, button:visible").evaluate_all(
        """elements => elements.filter(element => {
          const style = getComputedStyle(element)
          return style.color === style.backgroundColor
        }).map(element => element.outerHTML)"""
    )
    assert invisible == []
    keep_picture(page, f"forced-colours-{scheme}")


@pytest.mark.parametrize("path", PAGES)
def test_what_can_be_pressed_is_large_enough_for_a_thumb(open_page, site, path):
    page = open_page(site + path, status=PAGES[path], device="phone")
    # A checkbox can also be pressed by its label.
    small = page.locator("nav a:visible, button:visible, input:visible, summary:visible").evaluate_all(
        """elements => elements.filter(element => {
          const box = (element.closest('label') ?? element).getBoundingClientRect()
          return box.width < 43.5 || box.height < 43.5
        }).map(element => element.outerHTML.slice(0, 120))"""
    )
    assert small == []


@pytest.mark.parametrize("path", PAGES)
def test_it_has_one_heading_of_level_1_a_title_and_a_language(open_page, site, path):
    page = open_page(site + path, status=PAGES[path])
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.title()
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^en"))
    expect(page.get_by_role("navigation", name="Main").get_by_role("link", name="Comics", exact=True)).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
def test_its_headers_keep_strangers_out(site, path):
    status, headers, _ = programs.get(site + path)
    assert status == PAGES[path]
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"]


@pytest.mark.parametrize("address", ["/info.0.json", "/353/info.0.json"])
def test_other_pages_may_read_the_comic_as_they_would_from_xkcd(open_page, site, upstream, address):
    page = open_page(f"{upstream}/info.0.json")
    theirs, ours = page.evaluate(
        """([upstream, site, address]) => Promise.all(
          [upstream + address, site + address].map(url => fetch(url).then(reply => reply.json())))""",
        [upstream, site, address],
    )
    assert ours == theirs
