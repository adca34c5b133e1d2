# Longbox
# SPDX-License-Identifier: MIT
"""WebKit, driven by WebKitWebDriver: the engine of Safari, in a window of our own (webkit_window.py)."""

import io
import os
import re
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from engines import PHONE, TIME_LIMIT, Page

WINDOW = Path(__file__).with_name("webkit_window.py")
KEYS = {
    "ArrowLeft": Keys.ARROW_LEFT,
    "ArrowRight": Keys.ARROW_RIGHT,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
    "Backspace": Keys.BACKSPACE,
    "End": Keys.END,
    "Enter": Keys.ENTER,
    "Escape": Keys.ESCAPE,
    "Home": Keys.HOME,
    "Space": " ",
    "Tab": Keys.TAB,
}
# WebKitGTK is built without manifests, and says so on each page. A transition between two pages is the browser's own: no script
# of Longbox has its promise, and WebKit skips it if a page is late.
NOISE = "Unrecognized Content-Security-Policy directive 'manifest-src'|AbortError: Skipping view transition"
# What WebKit says of a request that a page left behind: within one site there is no access to control. For what a missing script
# does a test fails, since it waits.
LEFT = "Fetch API cannot load {site}/\\S* due to access control checks|TypeError: Importing a module script failed"
# A promise's failure has to come back as a value: the driver only waits for a call.
CALL = """
const [given, done] = arguments
const ask = async () => { const value = (%s); return typeof value === "function" ? value(given) : value }
ask().then((value) => done([value ?? null]), (error) => done([null, String(error?.stack ?? error)]))
"""


@contextmanager
def display():
    """A screen in memory for windows; gives its name. WebKit has no mode without one."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            name = number.readline().strip()
        if not name:
            raise RuntimeError("Xvfb did not start; is its package installed? scripts/install-prerequisites.sh engines")
        yield f":{name}"
    finally:
        server.terminate()
        server.wait()


class WebKitPage(Page):
    engine = "webkit"
    failures = (WebDriverException,)

    # Each has a profile of its own, so `is_kept` changes nothing.
    def __init__(self, screen, site, size=PHONE, dark=False, scripts=True, page_cache=False, early=None, is_kept=False):
        super().__init__(site)
        self.noise = f"{NOISE}|{LEFT.format(site=re.escape(site))}"
        # Processes of the browser may still write there when it has closed.
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._log = Path(self._folder.name) / "console"
        switches = {"DARK": dark, "WITHOUT_SCRIPTS": not scripts, "WITHOUT_PAGE_CACHE": not page_cache}
        environment = os.environ | {
            "DISPLAY": screen,
            "XDG_RUNTIME_DIR": self._folder.name,
            "GDK_SCALE": "1",
            "ENGINE_PROFILE": self._folder.name,
            "LANG": "C.UTF-8",
        }
        environment |= {"ENGINE_WIDTH": str(size[0]), "ENGINE_HEIGHT": str(size[1])}
        environment |= {f"ENGINE_{name}": "1" for name, is_on in switches.items() if is_on}
        self._environment = environment | {"ENGINE_EARLY": early or ""}
        self._open()

    def _open(self):
        options = Options()
        options.binary_location = str(WINDOW)
        options.add_argument("--automation")
        service = Service("/usr/bin/WebKitWebDriver", log_output=str(self._log), env=self._environment)
        self._driver = webdriver.WebKitGTK(options=options, service=service)
        self._driver.set_script_timeout(TIME_LIMIT)
        self._driver.set_page_load_timeout(TIME_LIMIT)

    def load(self, address):
        self._driver.get(address)

    def evaluate(self, script, given=None):
        value, *error = self._driver.execute_async_script(CALL % script, given)
        if error:
            raise WebDriverException(error[0])
        return value

    def _mouse(self):
        builder = ActionBuilder(self._driver, duration=20)
        return builder, builder.pointer_action

    def move_to(self, x, y):
        builder, mouse = self._mouse()
        mouse.move_to_location(int(x), int(y))
        builder.perform()

    def click_at(self, x, y):
        builder, mouse = self._mouse()
        mouse.move_to_location(int(x), int(y)).pointer_down().pointer_up()
        builder.perform()

    def drag(self, start, end):
        builder, mouse = self._mouse()
        mouse.move_to_location(*map(int, start)).pointer_down()
        for step in range(1, 13):
            mouse.move_to_location(*(int(a + (b - a) * step / 12) for a, b in zip(start, end, strict=True)))
        mouse.pointer_up()
        builder.perform()

    def press(self, key):
        *held, key = key.split("+") if len(key) > 1 else [key]
        keys = ActionChains(self._driver, duration=0)
        if held:
            keys.key_down(Keys.SHIFT)
        keys.send_keys(KEYS.get(key, key))
        if held:
            keys.key_up(Keys.SHIFT)
        keys.perform()

    def type(self, text):
        ActionChains(self._driver, duration=0).send_keys(text).perform()

    def picture(self):
        return Image.open(io.BytesIO(self._driver.get_screenshot_as_png())).convert("RGB")

    def cookies(self):
        return self._driver.get_cookies()

    def errors(self):
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        # Such as: http://127.0.0.1/app.js:1:35: CONSOLE JS ERROR TypeError: ...
        return [line for line in lines if re.search("CONSOLE .*ERROR ", line)]

    def restart(self):
        self._driver.quit()
        self._open()

    def close(self):
        self._driver.quit()
        self._folder.cleanup()
