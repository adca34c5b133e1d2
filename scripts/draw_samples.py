#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Draws the sample box anew: pictures, records, explanations and albums. The same input gives the same files.

    .venv/bin/python scripts/draw_samples.py [--only SLUG ...] [--into FOLDER]

Needs Pillow 12.0.0 and Debian's fonts-humor-sans.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from samples import albums, catalogue

FOLDER = Path(__file__).resolve().parent.parent / "Sources" / "LongboxCatalog" / "SampleBox"


def main():
    parser = argparse.ArgumentParser(description="Draws the sample box anew.")
    parser.add_argument("--only", nargs="*", metavar="SLUG", help="draw only these pictures")
    parser.add_argument("--into", type=Path, default=FOLDER, help="the folder to write to")
    arguments = parser.parse_args()
    images = arguments.into / "images"
    images.mkdir(parents=True, exist_ok=True)
    chosen = [slug for slug in catalogue.DRAWINGS if not arguments.only or slug in arguments.only]
    with ProcessPoolExecutor(2) as workers:
        for report in workers.map(catalogue.draw, chosen, [images] * len(chosen)):
            print(report)
    catalogue.write_records(arguments.into)
    albums.write(arguments.into)


if __name__ == "__main__":
    main()
