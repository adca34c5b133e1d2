# Longbox
# SPDX-License-Identifier: MIT
"""Chromium and Firefox, driven by Playwright: Debian's own builds of both, Firefox by WebDriver BiDi."""

import io
import tempfile

from PIL import Image
from playwright.sync_api import Error

from engines import PHONE, TIME_LIMIT, Page
from watch import CHROMIUM

# Playwright's own style while it takes a picture, by its hash; and a transition between two pages that Chromium skips, whose
# promise no script of Longbox has.
NOISE = "blocked an inline style.*sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\\+SmwNZWA=|^exception: Transition was "
# What Firefox says of a request whose page is left, or whose server is stopped, before the whole answer. Of a worker that fails
# it gives the reason, and for what a missing script or picture does a test fails, since it waits.
LEFT = (
    "Failed to load ‘.*’. A ServiceWorker intercepted the request and encountered an unexpected error."
    "|^exception: error loading dynamically imported module: |^exception: Image corrupt or truncated"
)
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
            kind, options = self._kind(engine, dark, scripts, page_cache)
            self._running[key] = kind.launch(**options)
        return self._running[key]

    def keep(self, engine, folder, dark, scripts, page_cache, options):
        """The only window of a browser of its own, with its profile in a folder."""
        kind, own = self._kind(engine, dark, scripts, page_cache)
        return kind.launch_persistent_context(folder, **own, **options)

    def _kind(self, engine, dark, scripts, page_cache):
        if engine == "chromium":
            without = {"ignore_default_args": ["--disable-back-forward-cache"]} if page_cache else {}
            return self._playwright.chromium, CHROMIUM | without
        preferences = {
            "ui.systemUsesDarkTheme": int(dark),
            "javascript.enabled": scripts,
            "browser.sessionhistory.max_total_viewers": 8 if page_cache else 0,
        }
        return self._playwright.firefox, FIREFOX | {"firefox_user_prefs": preferences}

    def close(self):
        for browser in self._running.values():
            browser.close()


class PlaywrightPage(Page):
    failures = (Error,)

    def __init__(self, browsers, engine, site, size=PHONE, dark=False, scripts=True, page_cache=False, early=None, is_kept=False):
        super().__init__(site)
        self.engine = engine
        self.noise = f"{NOISE}|{LEFT}"
        options = {"viewport": {"width": size[0], "height": size[1]}, "locale": "en-GB"}
        if engine == "chromium":
            options |= {"color_scheme": "dark" if dark else "light", "java_script_enabled": scripts}
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True) if is_kept else None
        choice = (dark, scripts, page_cache)
        if self._folder:
            self._new_context = lambda: browsers.keep(engine, self._folder.name, *choice, options)
        else:
            self._new_context = lambda: browsers.browser(engine, *choice).new_context(**options)
        self._early = early
        self._errors = []
        self._open()

    def _open(self):
        self._context = self._new_context()
        self._context.set_default_timeout(TIME_LIMIT * 1_000)
        if self._early:
            self._context.add_init_script(self._early)
        self._page = self._context.pages[0] if self._context.pages else self._context.new_page()
        self._page.on("console", self._console)
        self._page.on("pageerror", lambda error: self._errors.append(f"exception: {error}"))

    def _console(self, message):
        if message.type == "error":
            self._errors.append(f"{message.text} ({(message.location or {}).get('url')})")

    def load(self, address):
        try:
            self._page.goto(address)
        except Error as error:
            # A page that waits for the store of albums loads itself again.
            if "interrupted by another navigation" not in error.message:
                raise

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

    def errors(self):
        # Playwright delivers what has happened only while it is asked for something.
        self._page.evaluate("0")
        return list(self._errors)

    def restart(self):
        self._context.close()
        self._open()

    def close(self):
        self._context.close()
        if self._folder:
            self._folder.cleanup()
