#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Measures Longbox, each figure next to its peer's from the same run.

    run.py [--quick] [--growth] [GROUP ...]

Runs all groups by default; --quick only shows that they run, its figures mean little.

LONGBOX_BINARIES is the folder of the programs, which should be a release build (`make bench` makes one). A group is a
file in this folder with a function that yields figures.
"""

import argparse
import os
import platform
import tempfile
from pathlib import Path

import cluster
import filling
import floods
import importing
import installed
import libraries
import measure
import pager
import pages
import pushing
import search_device
import searching
import standing
import terminal

GROUPS = {
    "import": importing.measure_import,
    "pages": pages.measure_pages,
    "cluster": cluster.measure_cluster,
    "push": pushing.measure_push,
    "libraries": libraries.measure_libraries,
    "floods": floods.measure_floods,
    "search": searching.measure_search,
    "standing": standing.measure_standing,
    "filling": filling.measure_filling,
    "terminal": terminal.measure_terminal,
    "installed": installed.measure_installed,
    "search-device": search_device.measure_search_device,
    "pager": pager.measure_pager,
}


def processor():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def row(*cells):
    print(f"{cells[0]:<48} {cells[1]:>10} {cells[2]:>10} {cells[3]:>7}  {cells[4]:<12} {cells[5]}", flush=True)


def show(figure):
    peer = f"{figure.peer:,.1f}" if figure.peer else "-"
    ratio = f"{figure.ratio:.2f}" if figure.peer else "-"
    goal = f"{figure.goal}: {'met' if figure.met else 'MISSED'}" if figure.goal else ""
    beside = f" (beside {figure.peer_name})" if figure.peer_name else ""
    row(figure.name, f"{figure.ours:,.1f}", peer, ratio, figure.unit, goal + beside)


def main():
    parser = argparse.ArgumentParser(description="Measures Longbox beside its peers.")
    parser.add_argument("--quick", action="store_true", help="one short round of each")
    parser.add_argument("--growth", action="store_true", help="search over ten and a hundred times the comics, too")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - set(GROUPS):
        parser.error(f"there is no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")

    with tempfile.TemporaryDirectory(prefix="longbox-bench-") as scratch:
        recording, is_recorded = measure.recording(Path(scratch))
        setting = measure.Setting(recording, Path(scratch), arguments.quick, arguments.growth)
        print(f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(f"on {'recorded data' if is_recorded else 'a synthetic archive'}; medians of {setting.rounds} rounds\n")
        row("figure", "Longbox", "peer", "ratio", "unit", "goal")
        for name in arguments.groups or GROUPS:
            for figure in GROUPS[name](setting):
                show(figure)


if __name__ == "__main__":
    main()
