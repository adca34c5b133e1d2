#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Draws the icons that Web/Public/manifest.webmanifest names, from Web/Public/icon.svg, with the browser of the tests.

    scripts/python.sh scripts/draw_icons.py

Maskable ones have the drawing inside the middle 80 %, which no launcher cuts off; the monochrome one has ink only, whose
colour the launcher chooses.
"""

import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).resolve().parent.parent / "Web" / "Public"
sys.path.insert(0, str(PUBLIC.parent.parent / "Tests" / "Browser"))

from watch import CHROMIUM  # noqa: E402  (found by the line above)

PAPER = "#faf8f3"


def square(drawing, size, background, share):
    """A page that is one icon: the drawing on a background, as large as a share of the whole."""
    return (
        f'<!doctype html><body style="margin:0;width:{size}px;height:{size}px;background:{background};display:grid;'
        f'place-items:center">{drawing.replace("<svg ", f"<svg width={size * share:g} height={size * share:g} ", 1)}</body>'
    )


def main():
    icon = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    bare = re.sub(r"<rect [^>]*/>", "", icon, count=1)
    ink = bare.replace("#ad3a1c", "#1e2025")
    drawings = {
        "icon-180": (square(bare, 180, PAPER, 1), 180),
        "icon-192": (square(icon, 192, "transparent", 1), 192),
        "icon-512": (square(icon, 512, "transparent", 1), 512),
        "icon-maskable-192": (square(bare, 192, PAPER, 0.8), 192),
        "icon-maskable-512": (square(bare, 512, PAPER, 0.8), 512),
        "icon-monochrome-512": (square(ink, 512, "transparent", 0.8), 512),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        page = browser.new_page()
        for name, (html, size) in drawings.items():
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(html)
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
