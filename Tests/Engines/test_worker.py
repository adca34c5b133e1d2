# Longbox
# SPDX-License-Identifier: MIT
"""The service worker and the console, in three engines."""

import pytest

import recording
from acts import ready, wait_shown
from copies import BASE, publish
from static_host import serving

PATHS = ["/", "/353/", f"/{recording.WIDE}/", f"/{recording.TRANSPARENT}/", "/comics", "/comics?view=list", "/comics?view=map",
         "/favorites", "/search?q=harbour", "/albums", "/settings", "/about", "/feeds"]  # fmt: skip


# Whether the script of each kind of page has come: one whose page is left before is an error in the console.
HAS_SCRIPTS = """() => Object.entries({
  ".comic-page": "comic", ".search-box": "search", ".year": "overview", ".favorites": "favorites", ".settings": "settings",
}).every(([part, script]) => !document.querySelector(part)
  || performance.getEntriesByType("resource").some(({ name }) => name.includes(`/assets/${script}-`)))"""


def test_no_page_complains_in_the_console(open_page, site):
    """What a page wrote there fails each test at its end; this one opens them all."""
    page = open_page(site).install()
    for path in PATHS:
        page.go(path)
        page.by_role("heading").wait()
        page.until(lambda: page.evaluate(HAS_SCRIPTS), "its scripts have come")
    assert page.unexpected() == []


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
