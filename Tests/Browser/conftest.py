# Longbox
# SPDX-License-Identifier: MIT
"""Fixtures of the browser tests: what is beside those of sites.py, and pages that open the sites."""

import json
import shutil
from contextlib import ExitStack

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect, sync_playwright

import device
import programs
import proxies
import recording
from watch import CHROMIUM, HEADLESS_SHELL, TIME_LIMIT, watched_page

pytest_plugins = ["sites"]

# Only so that a failure is found at all: a busy machine needs seconds for what otherwise takes milliseconds.
expect.set_options(timeout=TIME_LIMIT)


def pytest_addoption(parser):
    parser.addoption("--behind", choices=proxies.KINDS, help="puts every server behind this proxy, below a path")


def pytest_configure(config):
    if kind := config.getoption("--behind"):
        programs.server = proxies.behind(kind, programs.server)


@pytest.fixture(scope="session")
def proxy(request):
    """The proxy that every server is behind, `nginx` or `caddy`; None without one."""
    return request.config.getoption("--behind")


@pytest.fixture(scope="session")
def base_path(proxy):
    """The path below which every server is; empty without a proxy."""
    return proxies.BASE_PATH if proxy else ""


@pytest.fixture(scope="session")
def explained_site(site):
    """The address of a server that has indexed all explanations for search."""
    return device.when_explained(site, recording.LATEST - 2)


@pytest.fixture(scope="session")
def recorded_site(made_once, tmp_path_factory):
    """The address of a server with recorded xkcd data; skips if there is none."""
    shared = programs.recorded_data()
    if shared is None:
        pytest.skip("no recorded data: neither LONGBOX_SHARED nor ../shared holds data/xkcd")

    def fill(folder):
        imported = programs.longbox("import", shared, data=folder)
        assert imported.returncode == 0, imported.stderr

    data = tmp_path_factory.mktemp("recorded-library") / "data"
    shutil.copytree(made_once("recorded-library", fill), data)
    # Faster than the default rate: each page fetches its neighbours' pictures, and tests turn pages faster than people.
    settings = {"LONGBOX_FILL": "false", "LONGBOX_XKCD_RATE": 200}
    with programs.replay(shared) as replay, programs.server(data, replay.address, **settings) as server:
        yield server.address


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium):
    browser = chromium.launch(**HEADLESS_SHELL)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_browser(chromium):
    """A browser that also shows badges, and syncs in the background."""
    browser = chromium.launch(**CHROMIUM)
    yield browser
    browser.close()


@pytest.fixture
def open_page(browser):
    """Opens an address on a device, `open_page(url, device="phone", scheme="dark")`, and returns the page.

    Console errors, CSP violations, exceptions and failed requests of any page fail the test at its end.
    """
    with ExitStack() as stack:

        def open_address(url, status=200, **options):
            page = stack.enter_context(watched_page(browser, **options))
            reply = page.goto(url)
            assert reply.status == status, f"{url} answered {reply.status}"
            return page

        yield open_address


@pytest.fixture
def keep_picture(request):
    """Saves a screenshot of a page as screenshots/tests/NAME.png, for people to look at."""
    folder = programs.ROOT / "screenshots" / "tests"

    def keep(page, name, full_page=False):
        folder.mkdir(parents=True, exist_ok=True)
        page.evaluate("Promise.all([...document.images].filter(image => image.complete).map(image => image.decode()))")
        path = folder / f"{name}.png"
        try:
            page.screenshot(path=path, full_page=full_page)
        except Error:
            # Chromium sometimes can't capture a page at once.
            page.screenshot(path=path, full_page=full_page)

    return keep


@pytest.fixture(scope="session")
def violations():
    """What axe finds wrong on a page, as text, by some of its rules, else by all with best practices and target sizes."""
    script = Axe().axe_script

    def find(page, rules=None):
        # What axe would load before it looks is for rules about sound, which no page has.
        options = {"resultTypes": ["violations"], "preload": False}
        options |= {"runOnly": rules} if rules else {"rules": {"target-size": {"enabled": True}}}
        # Half a megabyte is loaded once for each page, not for each look at it.
        if not page.evaluate("Boolean(window.axe)"):
            page.evaluate(script)
        found = AxeResults(page.evaluate(f"axe.run({json.dumps(options)})"))
        return found.generate_report() if found.violations_count else ""

    return find


@pytest.fixture(scope="session")
def axe(violations):
    """Fails if axe finds a violation on a page."""

    def check(page):
        found = violations(page)
        assert not found, f"{page.url}\n{found}"

    return check
