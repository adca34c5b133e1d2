#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Takes screenshots of the sample box: for the README and the tour, several side by side, to docs/pictures/; and single ones
for the web app manifest, which browsers show when they install Longbox, to Web/Public/."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import page_acts
import page_states
import programs
from waiting import let_pass
from watch import CHROMIUM, WITHOUT_HINTS

PHONE, SIDEWAYS, TABLET, DESKTOP = (390, 844), (844, 390), (820, 1180), (1280, 844)
GAP = 24

STATES = page_states.states(
    comic="/12/",
    tall="/16/",
    wide="/9/",
    interactive="/3/",
    without_picture="/5/",
    latest="/16/",
    artist="/albums/artists/9001?country=us",
    album="/albums/9102?country=us",
)

# File -> its screenshots: size, scheme, and the state or the address.
PICTURES = {
    "reading": [(PHONE, "dark", "/12/"), (DESKTOP, "light", "/16/")],
    "phone": [
        (PHONE, "light", "comic-zoomed"),
        (PHONE, "dark", "comic-details"),
        (PHONE, "light", "search-results"),
        (PHONE, "dark", "comics"),
    ],
    "tour-comic": [
        (PHONE, "light", "comic-alt-text"),
        (PHONE, "light", "comic-transcript"),
        (PHONE, "light", "comic-number"),
        (PHONE, "light", "comic-end"),
    ],
    "tour-lists": [
        (PHONE, "light", "comics"),
        (PHONE, "light", "comics-map"),
        (PHONE, "light", "favorites"),
        (PHONE, "light", "search-results"),
    ],
    "tour-albums": [
        (PHONE, "light", "artist"),
        (PHONE, "light", "album"),
        (PHONE, "light", "quiz"),
        (PHONE, "light", "quiz-playing"),
    ],
    "tour-dark": [
        (PHONE, "dark", "comic-favorite"),
        (PHONE, "dark", "comic-offline"),
        (PHONE, "dark", "settings"),
        (PHONE, "dark", "settings-ask"),
    ],
    "tour-large": [(TABLET, "light", "comic"), (DESKTOP, "light", "tall")],
    "tour-sideways": [(SIDEWAYS, "light", "comic")],
}

# File -> its screenshot for the manifest. All of one shape have one size; few colors keep them small.
SCREENSHOTS = {
    "screenshot-phone-comic.png": (PHONE, "light", "/16/"),
    "screenshot-phone-all.png": (PHONE, "light", "/comics"),
    "screenshot-phone-dark.png": (PHONE, "dark", "/12/"),
    "screenshot-desktop-comic.png": (DESKTOP, "light", "/16/"),
    "screenshot-desktop-all.png": (DESKTOP, "dark", "/comics"),
}
COLORS = 32

HIDE_SAMPLES_STRIP = """
  for (const strip of document.querySelectorAll(".strip.sample")) strip.style.visibility = "hidden"
"""


def take(browser, site, size, scheme, what):
    """Takes a screenshot of a state or an address."""
    state = STATES.get(what) or page_states.State(what)
    width, height = size
    is_touch = min(size) < 600
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=is_touch, is_mobile=is_touch
    )
    context.add_init_script(WITHOUT_HINTS)
    page = context.new_page()
    if state.has_favorites:
        page_acts.favorite(page, site, 4, 12, 14, 16)
    # Load the page twice, so that the font is in the cache.
    for _ in range(2):
        page.goto(site + state.path)
        let_pass(1.5, page)
    if state.act:
        state.act(page)
    # Hide the strip that says that these are samples.
    page.evaluate(HIDE_SAMPLES_STRIP)
    let_pass(0.5, page)
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
            taken = [take(browser, site.address, *shot) for shot in shots]
            beside(taken).quantize(128, dither=Image.Dither.NONE).save(
                programs.ROOT / "docs" / "pictures" / f"{name}.png", optimize=True
            )
        for name, shot in SCREENSHOTS.items():
            picture = take(browser, site.address, *shot)
            picture.quantize(COLORS, dither=Image.Dither.NONE).save(programs.ROOT / "Web" / "Public" / name, optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
