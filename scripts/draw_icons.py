#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Draws the icons that Web/Public/manifest.webmanifest names: Chromium renders Web/Public/icon.svg.

    scripts/python.sh scripts/draw_icons.py

In maskable icons the drawing fills the middle 80 %, which no launcher cuts off. The monochrome icon has no background; the
launcher chooses its colour.
"""

import re

from playwright.sync_api import sync_playwright

import programs
from watch import CHROMIUM

PUBLIC = programs.ROOT / "Web" / "Public"
PAPER = "#faf8f3"


def square(drawing, size, background, share):
    """An HTML page that shows one icon: the drawing on a background, scaled to a share of the size."""
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
