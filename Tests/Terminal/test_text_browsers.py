# Longbox
# SPDX-License-Identifier: MIT
"""What readers do in text browsers: w3m, lynx and links."""

import os
import re
import select
import shutil
import subprocess

import pytest

import programs
from terminals import Terminal
from waiting import until

# Lynx forgets cookies when it ends, unless a file says otherwise.
LYNX_SETTINGS = """PERSISTENT_COOKIES:TRUE
ACCEPT_ALL_COOKIES:TRUE
COOKIE_FILE:{home}/cookies
COOKIE_SAVE_FILE:{home}/cookies
"""
COMMANDS = {"w3m": ["w3m", "-cookie"], "lynx": ["lynx", "-cfg={home}/lynx.cfg", "-display_charset=utf-8"], "links": ["links"]}


class Browser:
    """A text browser with a home folder of its own."""

    def __init__(self, name, reader):
        self._name = name
        self._home = reader.home
        self._environment = reader.environment()
        self._home.mkdir()
        (self._home / "lynx.cfg").write_text(LYNX_SETTINGS.format(home=self._home), encoding="utf-8")

    def _command(self, *more):
        return [part.format(home=self._home) for part in COMMANDS[self._name]] + list(more)

    def text(self, address):
        """The text of a page, with single spaces."""
        done = subprocess.run(
            self._command("-dump", address), env=self._environment, capture_output=True, encoding="utf-8", timeout=120, check=True
        )
        return " ".join(done.stdout.split())

    def press(self, address, control):
        """Opens a page, finds a link or button by its text, presses it, and quits."""
        keys = f"/{control}\r\rqy"
        if self._name == "lynx":
            # It ignores what is typed while a page loads, but not what a file says.
            names = {"\r": "^J", " ": "<space>"}
            lines = "".join(f"key {names.get(key, key)}\n" for key in keys)
            (self._home / "keys").write_text(lines, encoding="utf-8")
            # It searches for links only on the screen, so the screen has the whole page.
            command = self._command(f"-cmd_script={self._home}/keys", address)
            terminal = Terminal(command, self._environment, rows=200)
        else:
            terminal = Terminal(self._command(address), self._environment)
            terminal.type(keys)
        assert terminal.finish() == 0, terminal.sent


class Site:
    """A server with the samples, and the requests that it got."""

    def __init__(self, server):
        self.address = server.address
        self._log = server.process.stdout.fileno()
        self._requests = ""

    def got(self, request):
        """Whether there was a request that begins so, such as "GET /3/"."""
        while select.select([self._log], [], [], 0)[0]:
            self._requests += os.read(self._log, 65536).decode()
        return f'"{request}' in self._requests


@pytest.fixture
def site(reader):
    settings = {"LONGBOX_FILL": "false", "LONGBOX_ACCESS_LOG": "combined"}
    with programs.server(reader.data, programs.closed_address(), **settings) as server:
        yield Site(server)


@pytest.fixture
def browser(name, reader):
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    return Browser(name, reader)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_comic_is_read_with_its_transcript(browser, site):
    page = browser.text(f"{site.address}/3/")
    assert "Have we had this conversation before?" in page
    for control in ("First comic", "Previous comic", "Random comic", "Next comic", "Latest comic", "Favorite", "Details"):
        assert control in page
    # Links beside each other don't run together. Lynx has the number of each before it.
    assert "Comics Favorites Search" in re.sub(r"\[\d+\]", "", page)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_search_finds_comics(browser, site):
    assert "The Pen Cycle" in browser.text(f"{site.address}/search?q=pen")


# Lynx shows a button's name beside it.
@pytest.mark.parametrize(("name", "heart"), [("w3m", "Favorite"), ("lynx", "(BUTTON)")])
def test_links_lead_to_other_comics_and_the_heart_adds_a_favorite(browser, site, heart):
    for comic, control, request in (
        (3, "Next comic", "GET /4/ "),
        (4, heart, "POST /favorites/set "),
        (4, "Random comic", "GET /random "),
    ):
        browser.press(f"{site.address}/{comic}/", control)
        until(lambda request=request: site.got(request), f"the server gets {request}")
    assert "#4 Terra Legacia" in browser.text(f"{site.address}/favorites")
