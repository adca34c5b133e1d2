# Longbox
# SPDX-License-Identifier: MIT
"""Chromium and Firefox, driven by Playwright: Debian's own builds of both, Firefox by WebDriver BiDi."""

import io
import re

from PIL import Image
from playwright.sync_api import Error

from engines import PHONE, TIME_LIMIT, Page
from watch import CHROMIUM

# Playwright's own style while it takes a picture, by its hash.
NOISE = "blocked an inline style.*sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\\+SmwNZWA="
# What Firefox says of a request whose page is left before the worker has answered. Of a worker that fails it gives the reason.
LEFT = "Failed to load ‘.*’. A ServiceWorker intercepted the request and encountered an unexpected error."
# Stock Firefox doesn't let Playwright choose the colour scheme, nor switch off scripts: its preferences do.
FIREFOX = {"channel": "moz-firefox", "executable_path": "/usr/bin/firefox-esr"}


class PlaywrightBrowsers:
    """The running browsers of one test process, by their kind and options: each starts when a test needs it first."""

    def __init__(self, playwright):
        self._playwright = playwright
        self._running = {}

    def browser(self, engine, dark=False, scripts=True, page_cache=False):
        """A running browser. Options that a browser can choose for each window share one."""
        key = (engine, page_cache) if engine == "chromium" else (engine, dark, scripts, page_cache)
        if key not in self._running:
            self._running[key] = self._chromium(page_cache) if engine == "chromium" else self._firefox(dark, scripts, page_cache)
        return self._running[key]

    def _chromium(self, page_cache):
        without = {"ignore_default_args": ["--disable-back-forward-cache"]} if page_cache else {}
        return self._playwright.chromium.launch(**CHROMIUM, **without)

    def _firefox(self, dark, scripts, page_cache):
        preferences = {
            "ui.systemUsesDarkTheme": int(dark),
            "javascript.enabled": scripts,
            "browser.sessionhistory.max_total_viewers": 8 if page_cache else 0,
        }
        return self._playwright.firefox.launch(**FIREFOX, firefox_user_prefs=preferences)

    def close(self):
        for browser in self._running.values():
            browser.close()


class PlaywrightPage(Page):
    failures = (Error,)

    def __init__(self, browsers, engine, site, size=PHONE, dark=False, scripts=True, page_cache=False):
        super().__init__(site)
        self.engine = engine
        browser = browsers.browser(engine, dark, scripts, page_cache)
        options = {"viewport": {"width": size[0], "height": size[1]}, "locale": "en-GB"}
        if engine == "chromium":
            options |= {"color_scheme": "dark" if dark else "light", "java_script_enabled": scripts}
        self._context = browser.new_context(**options)
        self._context.set_default_timeout(TIME_LIMIT * 1_000)
        self._page = self._context.new_page()
        self._complaints = []
        self._page.on("console", self._console)
        self._page.on("pageerror", lambda error: self._complaints.append(f"exception: {error}"))

    def _console(self, message):
        if message.type == "error":
            self._complaints.append(f"{message.text} ({(message.location or {}).get('url')})")

    def load(self, address):
        self._page.goto(address)

    def evaluate(self, script, given=None):
        return self._page.evaluate(script, given)

    def move_to(self, x, y):
        self._page.mouse.move(x, y)

    def click_at(self, x, y):
        self._page.mouse.click(x, y)

    def drag(self, start, end):
        self._page.mouse.move(*start)
        self._page.mouse.down()
        self._page.mouse.move(*end, steps=12)
        self._page.mouse.up()

    def press(self, key):
        self._page.keyboard.press(key)

    def type(self, text):
        self._page.keyboard.type(text)

    def picture(self):
        return Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")

    def cookies(self):
        return self._context.cookies()

    def complaints(self):
        # Playwright delivers what has happened only while it is asked for something.
        self._page.evaluate("0")
        return [one for one in self._complaints if not re.search(f"{NOISE}|{LEFT}", one)]

    def close(self):
        self._context.close()
