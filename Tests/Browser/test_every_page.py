# Longbox
# SPDX-License-Identifier: MIT
"""Checks of every page: without scripts, its headers, its transition. test_states.py checks its appearance."""

import pytest
from playwright.sync_api import expect

import programs
import recording

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
    "/30/?in=2006": 200,
    "/comics?view=map": 200,
    "/comics?on=01-01": 200,
    "/favorites": 200,
    "/history": 200,
    "/settings": 200,
    "/about": 200,
    "/search": 200,
    "/search?q=python&deep=1": 200,
    "/topics": 200,
    "/topics/no-such-topic": 404,
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


@pytest.mark.parametrize("path", PAGES)
def test_it_works_without_scripts(open_page, site, path):
    page = open_page(site + path, status=PAGES[path], java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Comics", exact=True).click()
    expect(page).to_have_url(f"{site}/")


def test_an_open_page_stays_and_says_so_where_nothing_answers(open_page, site):
    page = open_page(f"{site}/350/", expected="ERR_INTERNET_DISCONNECTED")
    expect(page.locator("html.gestures")).to_be_attached()
    page.context.set_offline(True)
    for name in ("Favorites", "Search"):
        page.get_by_role("navigation", name="Main").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("alert").get_by_text("Longbox can’t be reached")).to_be_visible()
        expect(page).to_have_url(f"{site}/350/")
    # The pager has fetched its neighbours and a random comic before, but not the first one.
    with page.expect_event("requestfailed", lambda request: request.url == f"{site}/1/"):
        page.get_by_role("link", name="First comic", exact=True).click()
    expect(page.get_by_role("alert").get_by_text("Longbox can’t be reached")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("#350")
    page.context.set_offline(False)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Favorites", exact=True).click()
    expect(page).to_have_url(f"{site}/favorites")


@pytest.mark.parametrize(("motion", "slides"), [("no-preference", True), ("reduce", False)])
def test_pages_slide_unless_reduced_motion_is_preferred(open_page, site, motion, slides):
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
        page.evaluate("address => location.assign(address)", site + path)
        expect(page).to_have_url(site + path)
        page.wait_for_function("window.slid !== undefined")
        slid.append(page.evaluate("window.slid"))
    # A busy browser skips slides, so one of five is enough.
    assert any(slid) is slides


@pytest.mark.parametrize("path", PAGES)
def test_its_headers_restrict_scripts_and_framing(site, path):
    status, headers, _ = programs.get(site + path)
    assert status == PAGES[path]
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"]


@pytest.mark.parametrize("address", ["/info.0.json", "/353/info.0.json"])
def test_other_sites_can_read_a_record_as_they_would_from_xkcd(open_page, site, upstream, address):
    page = open_page(f"{upstream}/info.0.json")
    theirs, ours = page.evaluate(
        """([upstream, site, address]) => Promise.all(
          [upstream + address, site + address].map(url => fetch(url).then(reply => reply.json())))""",
        [upstream, site, address],
    )
    assert ours == theirs
