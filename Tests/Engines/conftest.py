# Longbox
# SPDX-License-Identifier: MIT
"""Fixtures of the tests in three engines: each test that asks for `open_page` runs once in each."""

from collections import Counter

import pytest
from playwright.sync_api import sync_playwright

import programs
from engines import ALL
from playwright_page import PlaywrightBrowsers, PlaywrightPage
from webkit_page import WebKitPage, display

pytest_plugins = ["sites"]


def pytest_addoption(parser):
    parser.addoption("--engines", default=",".join(ALL), help=f"those to run in, of {', '.join(ALL)}; default: all")


def pytest_configure(config):
    chosen = config.getoption("--engines").split(",")
    if unknown := set(chosen) - set(ALL):
        raise pytest.UsageError(f"--engines: there is no {', '.join(sorted(unknown))}; the engines are {', '.join(ALL)}.")


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", metafunc.config.getoption("--engines").split(","), scope="session")


def pytest_itemcollected(item):
    for mark in item.iter_markers("cannot"):
        if item.callspec.params.get("engine") == mark.kwargs["engine"]:
            item.add_marker(pytest.mark.skip(reason=f"{mark.kwargs['engine']}: {mark.kwargs['reason']}"))


def pytest_terminal_summary(terminalreporter):
    """Counts by engine what passed, failed, and is marked as impossible, with the reasons."""
    stats = terminalreporter.stats
    marked = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in stats.get("skipped", []))
    terminalreporter.section("engines")
    for engine in ALL:
        here = {
            kind: [one for one in stats.get(kind, []) if f"[{engine}" in one.nodeid] for kind in ("passed", "failed", "error")
        }
        count = sum(number for reason, number in marked.items() if reason.startswith(f"{engine}:"))
        seconds = sum(one.duration for one in here["passed"] + here["failed"])
        bad = len(here["failed"]) + len(here["error"])
        terminalreporter.line(f"{engine}: {len(here['passed'])} passed, {bad} failed, {count} marked; {seconds:.0f} s")
    for reason, number in sorted(marked.items()):
        terminalreporter.line(f"{number} marked: {reason}")


class Home:
    """A server of a test's own, which it may stop and start again at the same address."""

    def __init__(self, data, upstream):
        self._program = programs.server(data, upstream, LONGBOX_XKCD_RATE=200)
        self._program.__enter__()
        self.address = self._program.address
        self._is_running = True

    def stop(self):
        """Ends it: from now on every device is offline."""
        self._program.__exit__()
        self._is_running = False

    def start(self):
        self._program = self._program.again()
        self._program.__enter__()
        self._is_running = True

    def close(self):
        if self._is_running:
            self.stop()


@pytest.fixture(scope="session")
def browsers():
    with sync_playwright() as playwright:
        running = PlaywrightBrowsers(playwright)
        yield running
        running.close()


@pytest.fixture(scope="session")
def screen():
    with display() as name:
        yield name


@pytest.fixture
def open_page(request, engine):
    """Opens a window: `open_page(site, "/5/", size=DESKTOP, dark=True, scripts=False, page_cache=True)`.

    `early` is a script that runs before those of each page. With `is_kept` the window may `restart()`.

    Console errors and violations of the content security policy fail the test at its end, except those in `expected`.
    """
    pages = []

    def open_path(site, path=None, **options):
        if engine == "webkit":
            page = WebKitPage(request.getfixturevalue("screen"), site, **options)
        else:
            page = PlaywrightPage(request.getfixturevalue("browsers"), engine, site, **options)
        pages.append(page)
        return page if path is None else page.go(path)

    yield open_path
    complaints = []
    for page in pages:
        complaints += page.unexpected()
        page.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def home(new_library, upstream):
    """A server with the whole recording for this test alone."""
    home = Home(new_library(), upstream)
    yield home
    home.close()
