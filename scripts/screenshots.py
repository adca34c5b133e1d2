#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Takes screenshots of every page at four sizes, light and dark, and puts all of them on one sheet.

    screenshots.py [--into FOLDER]     FOLDER/PAGE-WIDTHxHEIGHT-SCHEME.png, and FOLDER/sheet.png

The pages show recorded data if there is any, otherwise the small recording of the browser tests. Two more show the sample box.
"""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

import programs

sys.path.insert(0, str(programs.ROOT / "Tests" / "Browser"))

import recording
from watch import CHROMIUM, SCHEMES

SIZES = [(390, 844), (844, 390), (820, 1180), (1440, 900)]

# Name -> address: of the small recording, of the recorded data, and of both.
OWN_PAGES = {
    "comic": f"/{recording.PLAIN}/",
    "tall": f"/{recording.TALL}/",
    "wide": f"/{recording.WIDE}/",
    "interactive": f"/{recording.INTERACTIVE}/",
    "no-picture": f"/{recording.NO_PICTURE}/",
    "artist": "/albums/artists/9001?country=us",
    "album": "/albums/9102?country=us",
}
RECORDED_PAGES = {
    "comic": "/353/",
    "tall": "/1732/",
    "wide": "/942/",
    "interactive": "/1110/",
    "no-picture": "/1608/",
    "artist": "/albums/artists/414425?country=gb",
    "album": "/albums/1441458047?country=gb",
}
COMMON_PAGES = {
    "latest": "/",
    "first": "/1/",
    "comics": "/comics",
    "comics-list": "/comics?view=list",
    "comics-map": "/comics?view=map",
    "on-this-day": "/comics?on=11-21",
    "about": "/about",
    "search": "/search",
    "search-results": "/search?q=box&deep=1",
    "albums": "/albums",
    "albums-saved": "/albums/saved",
    "favorites": "/favorites",
    "settings": "/settings",
    "404": "/404/",
    "above-latest": "/999999/",
    "not-found": "/no-such-page",
}

TILE_HEIGHT = 260
LABEL_WIDTH = 130
GAP = 8

# Waits until the loaded pictures are decoded.
DECODED = """() => Promise.allSettled([...document.images].filter(image => image.complete).map(image => image.decode()))"""


def take(browser, pages, folder):
    """Takes every page at every size and scheme, and returns a list of files for each page."""
    rows = {name: [] for name in pages}
    for scheme in SCHEMES:
        for width, height in SIZES:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            for name, url in pages.items():
                page.goto(url, wait_until="load")
                page.evaluate(DECODED)
                path = folder / f"{name}-{width}x{height}-{scheme}.png"
                page.screenshot(path=path)
                rows[name].append(path)
            context.close()
    return rows


def lay_out(rows, path):
    """Writes one sheet, with a row for each page and a column for each size and scheme."""
    widths = [width * TILE_HEIGHT // height for width, height in SIZES] * len(SCHEMES)
    size = (LABEL_WIDTH + sum(widths) + GAP * len(widths), len(rows) * (TILE_HEIGHT + GAP))
    sheet = Image.new("RGB", size, "#808080")
    draw = ImageDraw.Draw(sheet)
    for row, (name, files) in enumerate(rows.items()):
        left, top = LABEL_WIDTH, row * (TILE_HEIGHT + GAP)
        draw.text((8, top + 8), name, fill="white", font_size=16)
        for file, width in zip(files, widths, strict=True):
            with Image.open(file) as picture:
                sheet.paste(picture.resize((width, TILE_HEIGHT)), (left, top))
            left += width + GAP
    sheet.save(path)


def main():
    parser = argparse.ArgumentParser(description="Takes screenshots of every page.")
    parser.add_argument("--into", type=Path, default=programs.ROOT / "screenshots")
    into = parser.parse_args().into
    into.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        recorded = programs.recorded_data()
        own = RECORDED_PAGES if recorded else OWN_PAGES
        data = recorded or recording.make(temporary / "recording")
        imported = programs.longbox("import", data / "xkcd", data=temporary / "library")
        if imported.returncode != 0:
            sys.exit(imported.stderr)
        replay = stack.enter_context(programs.replay(data))
        site = stack.enter_context(programs.server(temporary / "library", replay.address, LONGBOX_FILL="false"))
        samples = stack.enter_context(programs.server(temporary / "empty", programs.closed_address()))
        pages = {name: site.address + path for name, path in (own | COMMON_PAGES).items()}
        pages |= {"samples": samples.address, "samples-comics": samples.address + "/comics"}

        chromium = stack.enter_context(sync_playwright()).chromium
        browser = chromium.launch(**CHROMIUM)
        rows = take(browser, pages, into)
        browser.close()
    lay_out(rows, into / "sheet.png")
    print(f"{sum(map(len, rows.values()))} pictures in {into}, all on {into / 'sheet.png'}")


if __name__ == "__main__":
    main()
