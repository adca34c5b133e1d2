#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks that the package in Fuzz has all files that its readers of untrusted bytes use.

    fuzz.py FOLDER   FOLDER has the product's built modules, as `scripts/build-tests.sh --show-bin-path` prints it

Compiling that package takes minutes. Its modules with all files of a module of the product are known to compile, so this looks
only at those that leave files out, and at what uses them, and lets them import nothing else. It exits 1 if one doesn't compile.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Fuzz"
# SwiftPM names a package by its folder; what is for the package alone is visible by this name.
PACKAGE_NAME = re.sub(r"\W", "_", ROOT.name.lower())
# A system library, and what only starts libFuzzer.
NOT_COMPILED = {"CLibXML", "fuzz"}


def flags_of_c():
    packages = subprocess.run(["pkg-config", "--cflags", "libxml-2.0"], stdout=subprocess.PIPE, text=True, check=True)
    return [f"-fmodule-map-file={ROOT}/Sources/C/CLibXML/module.modulemap", *packages.stdout.split()]


def main():
    built = Path(sys.argv[1], "Modules").resolve()
    described = subprocess.run(
        ["swift", "package", "--package-path", PACKAGE, "describe", "--type", "json"], stdout=subprocess.PIPE, check=True
    )
    targets = {target["name"]: target for target in json.loads(described.stdout)["targets"] if target["name"] not in NOT_COMPILED}
    flags = [word for flag in flags_of_c() for word in ("-Xcc", flag)]
    with tempfile.TemporaryDirectory() as modules:
        # Dependencies come first.
        while targets:
            name, target = next((name, target) for name, target in targets.items() if not targets.keys() & {*needs(target)})
            del targets[name]
            folder = PACKAGE / target["path"]
            sources = {folder / source for source in target["sources"]}
            left_out = {*folder.rglob("*.swift")} - sources
            whole = built / f"{name}.swiftmodule"
            if whole.exists() and {file.name for file in left_out} <= {"Main.swift"}:
                Path(modules, whole.name).symlink_to(whole)
                continue
            compiled = subprocess.run(
                ["swiftc", "-emit-module", "-enable-testing", "-swift-version", "6", "-package-name", PACKAGE_NAME]
                + ["-module-name", name, "-o", f"{modules}/{name}.swiftmodule", "-I", modules, *flags, *sorted(sources)]
            )
            if compiled.returncode != 0:
                sys.exit(f"Fuzz/Package.swift: {name} does not compile with the files that are listed there.")
    print("The package of the fuzzers has all files that they read.")


def needs(target):
    return target.get("target_dependencies", [])


if __name__ == "__main__":
    main()
