#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Prints the section of a version in CHANGELOG.md, as release notes.

make-release-notes.py VERSION [--draft]

With --draft, the section [Unreleased] stands in for a version that has none yet.
"""

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"


def sections(text):
    """The body of each section, by its version."""
    parts = re.split(r"^## \[([^\]]+)\].*$", text, flags=re.MULTILINE)
    return {version: body.strip() for version, body in zip(parts[1::2], parts[2::2], strict=True)}


def main(version, *options):
    found = sections(CHANGELOG.read_text(encoding="utf-8"))
    notes = found.get(version) or ("--draft" in options and found.get("Unreleased"))
    if not notes:
        sys.exit(f"make-release-notes.py: CHANGELOG.md has no section [{version}]. Rename [Unreleased], and begin a new one.")
    print(notes)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
