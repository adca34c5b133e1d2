#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Takes the README's screenshots of the sample box, and writes them to docs/pictures/, several side by side in each file."""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import programs

sys.path.insert(0, str(programs.ROOT / "Tests" / "Browser"))

from watch import CHROMIUM

PHONE, DESKTOP = (390, 844), (1280, 844)
GAP = 24


def zoom(page):
    page.locator("html.gestures").wait_for()
    for _ in range(2):
        page.keyboard.press("+")


def details(page):
    page.locator(".to-details").click()
    page.get_by_role("dialog").wait_for()


# File -> its screenshots: size, scheme, address, and what to do on the page first.
PICTURES = {
    "reading": [(PHONE, "dark", "/12/", None), (DESKTOP, "light", "/16/", None)],
    "phone": [
        (PHONE, "light", "/12/", zoom),
        (PHONE, "dark", "/16/", details),
        (PHONE, "light", "/search?q=box&deep=1", None),
        (PHONE, "dark", "/comics", None),
    ],
}


def take(browser, address, size, scheme, act):
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=width < 600, is_mobile=width < 600
    )
    page = context.new_page()
    # Load the page twice, so that the font is in the cache.
    for _ in range(2):
        page.goto(address)
        page.wait_for_timeout(1_500)
    # Hide the message that these are samples: it would cover the page.
    page.evaluate("document.querySelector('.messages').style.display = 'none'")
    if act:
        act(page)
    page.wait_for_timeout(500)
    path = Path(tempfile.mkstemp(suffix=".png")[1])
    page.screenshot(path=path)
    context.close()
    with Image.open(path) as picture:
        picture.load()
    path.unlink()
    return picture.convert("RGB")


def beside(pictures):
    width = sum(picture.width for picture in pictures) + GAP * (len(pictures) - 1)
    row = Image.new("RGB", (width, max(picture.height for picture in pictures)), "#d8d3c7")
    left = 0
    for picture in pictures:
        row.paste(picture, (left, 0))
        left += picture.width + GAP
    return row


def main():
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        site = stack.enter_context(programs.server(temporary / "empty", programs.closed_address()))
        browser = stack.enter_context(sync_playwright()).chromium.launch(**CHROMIUM)
        for name, shots in PICTURES.items():
            taken = [take(browser, site.address + path, size, scheme, act) for size, scheme, path, act in shots]
            beside(taken).quantize(128, dither=Image.Dither.NONE).save(
                programs.ROOT / "docs" / "pictures" / f"{name}.png", optimize=True
            )
        browser.close()


if __name__ == "__main__":
    main()
