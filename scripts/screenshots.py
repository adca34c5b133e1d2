#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Takes screenshots of every state of every page at five sizes, light and dark, and puts all of them on one sheet.

    screenshots.py [--into FOLDER] [STATE...]     FOLDER/STATE-WIDTHxHEIGHT-SCHEME.png, and FOLDER/sheet.png

The states are in page_states.py. They show recorded data if there is any, otherwise the small recording of the browser tests.
"""

import argparse
import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

import copies
import page_states
import programs
import recording
from watch import CHROMIUM, SCHEMES, WITHOUT_HINTS

SIZES = [(390, 844), (844, 390), (820, 1180), (1180, 820), (1440, 900)]
# Narrower windows, and flatter ones, belong to devices with a touch screen.
DESKTOP_WIDTH = 1440

# The paths of comics and albums of which states are taken, in the recorded data.
RECORDED_PATHS = {
    "comic": "/353/",
    "tall": "/1133/",
    "wide": "/942/",
    "interactive": "/1110/",
    "without_picture": "/1608/",
    "latest": None,
    "artist": "/albums/artists/414425?country=gb",
    "album": "/albums/1441458047?country=gb",
}

TILE_HEIGHT = 260
LABEL_WIDTH = 130
GAP = 8


def take(browser, states, folder, names):
    """Takes every state at every size and scheme, and returns a list of files for each state.

    `states` are (address of the site, state) by name. A state that can't be reached is reported, and the others go on.
    """
    rows = {name: [] for name in names}
    for scheme in SCHEMES:
        for width, height in SIZES:
            is_touch = width < DESKTOP_WIDTH
            for name in names:
                site, state = states[name]
                options = {"color_scheme": scheme, "has_touch": is_touch, "is_mobile": is_touch} | state.options
                context = browser.new_context(viewport={"width": width, "height": height}, **options)
                context.set_default_timeout(10_000)
                context.add_init_script(WITHOUT_HINTS)
                page = context.new_page()
                try:
                    state.show(page, site)
                except (PlaywrightError, AssertionError) as error:
                    print(f"{name} at {width}x{height}: {str(error).splitlines()[0]}", file=sys.stderr)
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
    parser = argparse.ArgumentParser(description="Takes screenshots of every state of every page.")
    parser.add_argument("--into", type=Path, default=programs.ROOT / "screenshots")
    parser.add_argument("states", nargs="*", metavar="STATE", help="names of states to take alone")
    arguments = parser.parse_args()
    into = arguments.into
    into.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        recorded = programs.recorded_data()
        data = recorded or recording.make(temporary / "recording")
        paths = dict(RECORDED_PATHS if recorded else page_states.OWN_PATHS)
        imported = programs.longbox("import", data / "xkcd", data=temporary / "library")
        if imported.returncode != 0:
            sys.exit(imported.stderr)
        replay = stack.enter_context(programs.replay(data))
        site = stack.enter_context(programs.server(temporary / "library", replay.address, LONGBOX_FILL="false"))
        samples = stack.enter_context(programs.server(temporary / "empty", programs.closed_address()))
        # Its comics are known, but neither their pictures nor xkcd.com can be had.
        programs.longbox("import", data / "xkcd", data=temporary / "cut-off")
        cut_off = stack.enter_context(programs.server(temporary / "cut-off", programs.closed_address()))
        if paths["latest"] is None:
            paths["latest"] = f"/{json.loads(programs.get(f'{site.address}/info.0.json')[2])['num']}/"
        household, home = stack.enter_context(page_states.household(temporary / "household", programs.closed_address()))
        sites = {"whole": site.address, "samples": samples.address, "cut-off": cut_off.address}
        sites |= {"household": household, "home": home}
        known = page_states.states(**paths)
        names = arguments.states or list(known)
        if unknown := set(names) - set(known):
            sys.exit(f"There is no state {', '.join(sorted(unknown))}. States: {', '.join(known)}.")
        if any(known[name].is_copy for name in names):
            sites |= stack.enter_context(copies.one_of_each(temporary / "cut-off", temporary / "copies"))
        states = {name: (sites[known[name].server], known[name]) for name in names}

        chromium = stack.enter_context(sync_playwright()).chromium
        browser = chromium.launch(**CHROMIUM)
        rows = take(browser, states, into, names)
        browser.close()
    lay_out(rows, into / "sheet.png")
    print(f"{sum(map(len, rows.values()))} pictures in {into}, all on {into / 'sheet.png'}")


if __name__ == "__main__":
    main()
