# Longbox
# SPDX-License-Identifier: MIT
"""The service worker and the console, in three engines."""

import os
import re
import select

import pytest

import programs
import recording
from acts import link, press_pager, ready, wait_kept, wait_shown
from copies import BASE, publish
from static_host import serving

PATHS = ["/", "/353/", f"/{recording.WIDE}/", f"/{recording.TRANSPARENT}/", "/comics", "/comics?view=list", "/comics?view=map",
         "/favorites", "/search?q=harbour", "/albums", "/settings", "/about", "/feeds"]  # fmt: skip


# Whether the script of each kind of page has come: one whose page is left before is an error in the console.
HAS_SCRIPTS = """() => Object.entries({
  ".comic-page": "comic", ".search-box": "search", ".year": "overview", ".favorites": "favorites", ".settings": "settings",
}).every(([part, script]) => !document.querySelector(part)
  || performance.getEntriesByType("resource").some(({ name }) => name.includes(`/assets/${script}-`)))"""


@pytest.fixture
def logged(new_library, upstream):
    """A server that writes a line for each request."""
    with programs.server(new_library(), upstream, LONGBOX_ACCESS_LOG="combined") as server:
        yield server


def requests(server):
    """The requests that a server got since the last look, such as "GET /3/ HTTP/1.1"."""
    log, read = server.process.stdout.fileno(), ""
    while select.select([log], [], [], 0)[0]:
        read += os.read(log, 65536).decode()
    return re.findall(r'"([A-Z]+ [^"]*)"', read)


@pytest.mark.core
def test_pages_come_from_the_device_once_the_worker_is_in_control(logged, open_page):
    page = ready(open_page(logged.address).install("/5/").go("/5/"))
    wait_kept(page, "/comics/5/image")
    assert any(one.startswith("GET /5/ ") for one in requests(logged))
    paths = ["/353/", "/comics", "/favorites", "/search?q=harbour", "/about"]
    for path in paths:
        page.go(path)
        page.by_role("heading").wait()
    page.evaluate("fetch('/healthz', { cache: 'no-store' }).then(() => true)")
    asked = []

    def is_answered():
        asked.extend(requests(logged))
        return any(one.startswith("GET /healthz ") for one in asked)

    page.until(is_answered, "the server has written the last request")
    assert not [one for one in asked if one.split(" ")[1] in paths]


@pytest.mark.core
def test_no_page_complains_in_the_console(open_page, site):
    """What a page wrote there fails each test at its end; this one opens them all."""
    page = open_page(site).install()
    for path in PATHS:
        page.go(path)
        page.by_role("heading").wait()
        page.until(lambda: page.evaluate(HAS_SCRIPTS), "its scripts have come")
    assert page.unexpected() == []


def test_pages_fetched_ahead_are_no_errors(open_page, site):
    """Not even one of those that are passed over elsewhere, since no page is left: Firefox writes one for a worker's redirect."""
    page = ready(open_page(site).install("/5/").go("/5/"))
    fetched = """() => performance.getEntriesByType("resource")
      .filter(({ name, responseEnd }) => name.endsWith("/random") && responseEnd > 0).length"""
    page.until(lambda: page.evaluate(fetched), "a random comic was fetched ahead")
    before = len(page.errors())
    for number in (6, 7):
        press_pager(page, "Next comic", number)
    link(page, "Random comic").click()
    page.until(lambda: re.fullmatch(r"/\d+/", page.path()) and page.path() != "/7/", "a random comic is open")
    ready(page)
    assert page.errors()[before:] == []


def test_an_address_without_a_comic_says_so(open_page, site):
    page = open_page(site).install()
    page.expected.append(r"404|Failed to load resource")
    page.go("/no-such-page")
    page.by_role("heading").wait()
    page.go(f"/{recording.LATEST + 100}/")
    page.by_role("main").wait_text(str(recording.LATEST))


@pytest.mark.core
def test_a_new_version_of_the_worker_takes_over_while_a_page_is_open(open_page, new_library, tmp_path):
    folder = tmp_path / "copy"
    publish(folder, new_library())
    with serving(folder) as host:
        page = open_page(host.address)
        ready(page.install("/5/").go("/5/"))
        address = page.evaluate("new URL(navigator.serviceWorker.controller.scriptURL).pathname")
        worker = folder / address.removeprefix(BASE).lstrip("/")
        worker.write_bytes(worker.read_bytes() + b"\n// A later version.\n")
        page.evaluate(
            """() => { navigator.serviceWorker.addEventListener("controllerchange", () => { window.hasNewWorker = true }) }"""
        )
        page.evaluate("() => navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => true)")
        page.until(lambda: page.evaluate("window.hasNewWorker === true"), "the new worker is in control")
        page.by_role("link", "Next comic").click()
        wait_shown(page, 6)
