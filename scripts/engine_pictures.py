#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Takes pictures of pages in Chromium, Firefox and WebKit, with a column for each: what differs is seen at a glance.

    engine_pictures.py [--into FOLDER] [STATE...]     FOLDER/STATE-SCHEME.png

The states are below. They show recorded data if there is any, otherwise the small recording of the browser tests.
"""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

import programs

sys.path.insert(0, str(programs.ROOT / "Tests" / "Engines"))

import recording
from engines import ALL, DESKTOP, PHONE
from page_states import OWN_PATHS
from playwright_page import PlaywrightBrowsers, PlaywrightPage
from screenshots import RECORDED_PATHS
from watch import SCHEMES
from webkit_page import WebKitPage, display

GAP = 12
LABEL_HEIGHT = 28


def states(paths):
    """The path, the size of the window and the keys to press there, by the name of a state."""
    quiz = paths["album"].replace("?", "/quiz?")
    return {
        "comic": (paths["comic"], PHONE, ()),
        "comic-desktop": (paths["comic"], DESKTOP, ()),
        "comic-alt-text": (paths["comic"], PHONE, ("a",)),
        "comic-details": (paths["comic"], PHONE, ("d",)),
        "comic-number": (paths["comic"], PHONE, ("g",)),
        "comic-keys": (paths["comic"], DESKTOP, ("?",)),
        "tall": (paths["tall"], PHONE, ()),
        "wide": (paths["wide"], PHONE, ()),
        "interactive": (paths["interactive"], PHONE, ()),
        "comics": ("/comics", PHONE, ()),
        "comics-list": ("/comics?view=list", PHONE, ()),
        "comics-map": ("/comics?view=map", PHONE, ()),
        "favorites-empty": ("/favorites", PHONE, ()),
        "search-results": ("/search?q=is&deep=1", PHONE, ()),
        "search-preview": ("/search?q=is&deep=1", DESKTOP, ()),
        "albums": ("/albums", PHONE, ()),
        "artist": (paths["artist"], PHONE, ()),
        "album": (paths["album"], PHONE, ()),
        "quiz": (quiz, PHONE, ()),
        "settings": ("/settings", PHONE, ()),
        "settings-desktop": ("/settings", DESKTOP, ()),
        "about": ("/about", PHONE, ()),
        "not-found": ("/no-such-page", PHONE, ()),
    }


def take(open_window, state):
    """The picture of a state in one engine."""
    path, size, keys = state
    page = open_window(size)
    try:
        page.install().go(path)
        page.by_role("main").wait()
        if keys:
            page.by_selector("html.gestures").wait()
        for key in keys:
            page.press(key)
        page.until(
            lambda: page.evaluate(
                "[...document.images].every((image) => image.complete || image.loading === 'lazy')"
                " && document.getAnimations().every(({ playState }) => playState !== 'running')"
            ),
            "pictures have come and nothing moves",
        )
        return page.picture()
    finally:
        page.close()


def side_by_side(pictures):
    """One picture with a column for each engine, below its name."""
    width, height = (max(getattr(picture, side) for picture in pictures.values()) for side in ("width", "height"))
    sheet = Image.new("RGB", ((width + GAP) * len(pictures) - GAP, height + LABEL_HEIGHT), "#808080")
    draw = ImageDraw.Draw(sheet)
    for column, (engine, picture) in enumerate(pictures.items()):
        left = column * (width + GAP)
        draw.text((left + 6, 5), engine, fill="white", font_size=16)
        sheet.paste(picture, (left, LABEL_HEIGHT))
    return sheet


def main():
    parser = argparse.ArgumentParser(description="Takes pictures of pages in three engines side by side.")
    parser.add_argument("--into", type=Path, default=programs.ROOT / "screenshots" / "engines")
    parser.add_argument("states", nargs="*", metavar="STATE", help="names of states to take alone")
    arguments = parser.parse_args()
    recorded = programs.recorded_data()
    known = states(RECORDED_PATHS if recorded else OWN_PATHS)
    names = arguments.states or list(known)
    if unknown := set(names) - set(known):
        sys.exit(f"There is no state {', '.join(sorted(unknown))}. States: {', '.join(known)}.")
    arguments.into.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        data = recorded or recording.make(temporary / "recording")
        imported = programs.longbox("import", data / "xkcd", data=temporary / "library")
        if imported.returncode != 0:
            sys.exit(imported.stderr)
        replay = stack.enter_context(programs.replay(data))
        site = stack.enter_context(programs.server(temporary / "library", replay.address, LONGBOX_FILL="false")).address
        screen = stack.enter_context(display())
        browsers = PlaywrightBrowsers(stack.enter_context(sync_playwright()))
        stack.callback(browsers.close)

        def opener(engine, dark):
            if engine == "webkit":
                return lambda size: WebKitPage(screen, site, size=size, dark=dark)
            return lambda size: PlaywrightPage(browsers, engine, site, size=size, dark=dark)

        for scheme in SCHEMES:
            for name in names:
                pictures = {engine: take(opener(engine, scheme == "dark"), known[name]) for engine in ALL}
                side_by_side(pictures).save(arguments.into / f"{name}-{scheme}.png")
    print(f"{len(names) * len(SCHEMES)} pictures of {len(ALL)} engines each in {arguments.into}")


if __name__ == "__main__":
    main()
