#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks which modules each module imports, and that no source contains a banned construct.

    imports.py [ROOT]        prints each breach as file:line, exits 1 if any
    imports.py --self-test   tests the checker itself

Package.swift is the table of modules: a module may import what it depends on there, and what this file adds. The compiler
allows more, namely what other modules of the same build depend on. The table of docs/architecture.md must agree with
Package.swift. Tests aren't checked.
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

# Modules of the Swift toolchain, which Package.swift doesn't list.
SYSTEM = {"Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization"}

# What is also compiled for the service worker may not import even these. Only the device's native build, which tests compare with
# the WebAssembly, imports Foundation: to read standard input.
PURE = {"LongboxCore": set(), "LongboxPages": set(), "LongboxDevice": {"Foundation"}}

# What a module may import besides what it depends on.
BESIDES = {
    "LongboxStore": {"Dispatch"},  # a connection to PostgreSQL blocks, so it has its own thread
    "LongboxCatalog": {"Dispatch"},  # waiting for longbox-pictures blocks, so it has its own queue
    "LongboxReaders": {"Dispatch"},  # scrypt and large imports block
    "longbox": {"SystemPackage"},  # swift-configuration takes a FilePath
}

TABLE = "docs/architecture.md"


@dataclass(frozen=True)
class Module:
    """A target of Package.swift: its folder below the root, the targets and the products (with their package) that it uses."""

    folder: str
    targets: frozenset[str] = frozenset()
    products: frozenset[tuple[str, str]] = frozenset()

    @property
    def packages(self):
        return {package for _, package in self.products}

    def may_import(self, name):
        return self.targets | {product for product, _ in self.products} | PURE.get(name, SYSTEM) | BESIDES.get(name, set())


# Constructs that are banned in Sources and Web, and what to do instead. swift-format finds force unwraps.
BANNED = [
    (re.compile(r"@unchecked\s+Sendable"), "'@unchecked Sendable': let the compiler prove it, by a value, an actor or a Mutex"),
    (re.compile(r"\btry!"), "'try!': handle the error or throw it on"),
    (re.compile(r"\bfatalError\b"), "'fatalError': throw an error that a reader can act on"),
    (re.compile(r"\bstatic\s+(?:let|var)\s+shared\b"), "a singleton: pass the value in from the composition root"),
]

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+"
    r"(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?"
    r"([A-Za-z_]\w*)"
)

# Where the modules of the product are, and the stand-in for its sources.
PRODUCT = ("Sources/", "Tests/Replay", "Web")

# A row of the table of modules: the name, and the columns of our modules and of other packages.
ROW = re.compile(r"\| `([^`]+)` \| .* \| ([^|]*?) \| ([^|]*?) \|$")

# Comments and string literals, which may mention imports.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def code_lines(source):
    """The numbered lines of `source`, without comments and strings."""
    blanked = NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), source)
    return enumerate(blanked.split("\n"), start=1)


def modules_of(manifest):
    """The modules of a manifest, as `swift package dump-package` prints it, without tests and benchmarks."""
    modules = {}
    for target in manifest["targets"]:
        folder = target.get("path") or f"Sources/{target['name']}"
        if target["type"] == "test" or not folder.startswith(PRODUCT):
            continue
        targets, products = set(), set()
        for dependency in target["dependencies"]:
            if "product" in dependency:
                products.add(tuple(dependency["product"][:2]))
            else:
                targets.add(next(iter(dependency.values()))[0])
        modules[target["name"]] = Module(folder, frozenset(targets), frozenset(products))
    return modules


def breaches_in(file, name, module):
    allowed = module.may_import(name)
    for number, line in code_lines(file.read_text(encoding="utf-8")):
        for statement in line.split(";"):
            found = IMPORT.match(statement)
            if found and found.group(1) not in allowed:
                yield number, f"{name} may not import {found.group(1)}"
        for pattern, message in BANNED:
            if pattern.search(line):
                yield number, message


def table_breaches(root, modules):
    """Where the table of modules in the docs differs from Package.swift."""
    rows = {}
    for number, line in enumerate((root / TABLE).read_text(encoding="utf-8").split("\n"), start=1):
        if row := ROW.match(line):
            cells = [re.sub(r"\s*\([^()]*\)", "", cell) for cell in row.groups()[1:]]
            rows[row[1]] = number, *({word.strip("`") for word in cell.split(", ")} - {"none"} for cell in cells)
    for name, module in modules.items():
        if module.folder.startswith("Sources/C/"):
            continue
        if name not in rows:
            yield f"{TABLE}:1: the table of modules has no row for {name}"
            continue
        number, ours, others = rows[name]
        for listed, used in ((ours, {target.removeprefix("Longbox") for target in module.targets}), (others, module.packages)):
            if listed != used:
                differs = ", ".join(sorted(listed ^ used))
                yield f"{TABLE}:{number}: the row of {name} and Package.swift differ in {differs}"


def breaches(root, modules):
    """Every breach below `root`, each as 'file:line: message'."""
    folders = {root / module.folder for module in modules.values()}
    for folder in sorted(folder for pattern in ("Sources/*", "Sources/C/*") for folder in root.glob(pattern)):
        if folder.is_dir() and folder not in folders and folder != root / "Sources/C":
            yield f"{folder.relative_to(root)}:1: {folder.name} is not in Package.swift"
    for name, module in sorted(modules.items()):
        for file in sorted((root / module.folder).rglob("*.swift")):
            for number, message in breaches_in(file, name, module):
                yield f"{file.relative_to(root)}:{number}: {message}"


class SelfTest(unittest.TestCase):
    MODULES = {
        "LongboxCore": Module("Sources/LongboxCore"),
        "LongboxPages": Module("Sources/LongboxPages", frozenset({"LongboxCore"})),
        "LongboxStore": Module("Sources/LongboxStore", frozenset({"LongboxCore", "CFiles"}), frozenset({("GRDB", "GRDB.swift")})),
        "LongboxWeb": Module("Web"),
    }

    def found(self, source, module="LongboxPages"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            place = root / (self.MODULES[module].folder if module in self.MODULES else f"Sources/{module}")
            place.mkdir(parents=True)
            (place / "File.swift").write_text(source, encoding="utf-8")
            return list(breaches(root, self.MODULES))

    def in_table(self, *rows):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            (root / TABLE).write_text("\n".join(rows), encoding="utf-8")
            return list(table_breaches(root, {"LongboxStore": self.MODULES["LongboxStore"]}))

    def test_every_form_of_import_is_read(self):
        for statement in (
            "import GRDB",
            "  import GRDB  // indented under #if",
            "public import GRDB",
            "@testable import GRDB",
            "@_spi(Internals) @preconcurrency package import GRDB",
            "import struct GRDB.Row",
            "private import protocol GRDB.FetchableRecord",
            "import LongboxCore; import GRDB",
        ):
            with self.subTest(statement):
                self.assertEqual(
                    self.found(f"// A header\n\n{statement}\n"),
                    ["Sources/LongboxPages/File.swift:3: LongboxPages may not import GRDB"],
                )

    def test_an_edge_of_the_table_passes(self):
        self.assertEqual(self.found("import LongboxCore\n"), [])
        self.assertEqual(self.found("import GRDB\nimport Foundation\n", module="LongboxStore"), [])
        self.assertEqual(self.found("import Foundation\n", module="LongboxWeb"), [])

    def test_what_is_also_compiled_for_the_service_worker_has_no_foundation(self):
        for module in ("LongboxCore", "LongboxPages"):
            self.assertEqual(len(self.found("import Foundation\n", module=module)), 1)

    def test_database_and_framework_stay_where_they_are(self):
        modules = modules_of(manifest(Path(__file__).resolve().parents[2]))
        for name, module in modules.items():
            self.assertEqual("GRDB.swift" in module.packages, name == "LongboxStore")
            self.assertEqual("hummingbird" in module.packages, name in ("LongboxServer", "longbox-replay"))

    def test_a_folder_that_is_no_module_fails(self):
        self.assertEqual(
            self.found("", module="LongboxExtras"), ["Sources/LongboxExtras:1: LongboxExtras is not in Package.swift"]
        )

    def test_the_manifest_names_targets_and_products(self):
        dependencies = [
            {"byName": ["CFiles", None]},
            {"target": ["LongboxCore", None]},
            {"product": ["GRDB", "GRDB.swift", None, None]},
        ]
        targets = [
            {"name": "LongboxStore", "type": "regular", "dependencies": dependencies},
            {"name": "LongboxWeb", "type": "regular", "path": "Web", "dependencies": []},
            {"name": "LongboxCoreTests", "type": "test", "dependencies": []},
            {"name": "TestSupport", "type": "regular", "path": "Tests/Support/Swift", "dependencies": []},
        ]
        found = modules_of({"targets": targets})
        self.assertEqual(found, {name: self.MODULES[name] for name in ("LongboxStore", "LongboxWeb")})

    def test_the_table_of_the_docs_agrees(self):
        self.assertEqual(self.in_table("| `LongboxStore` | what is kept (all) | Core, `CFiles` | GRDB.swift (here only) |"), [])
        self.assertEqual(
            self.in_table("", "| `LongboxStore` | what is kept | Core, Pages | none |"),
            [
                f"{TABLE}:2: the row of LongboxStore and Package.swift differ in CFiles, Pages",
                f"{TABLE}:2: the row of LongboxStore and Package.swift differ in GRDB.swift",
            ],
        )
        self.assertEqual(self.in_table(""), [f"{TABLE}:1: the table of modules has no row for LongboxStore"])

    def test_forbidden_constructs(self):
        for line in (
            "final class Box: @unchecked Sendable {}",
            "let x = try! read()",
            'fatalError("no")',
            "static let shared = Box()",
            "public static var shared: Box",
        ):
            with self.subTest(line):
                self.assertEqual(len(self.found(f"{line}\n")), 1)

    def test_comments_and_strings_are_not_code(self):
        self.assertEqual(
            self.found('// import GRDB\n/* fatalError\nimport GRDB */\nlet a = "try!"\nlet b = """\nimport GRDB\n"""\n'), []
        )

    def test_line_numbers_hold_after_comments_of_several_lines(self):
        self.assertIn("File.swift:4:", self.found("/*\n\n*/\nimport GRDB\n")[0])


def manifest(root):
    """The manifest of a package, as SwiftPM reads it."""
    printed = subprocess.run(["swift", "package", "--package-path", root, "dump-package"], capture_output=True, check=True)
    return json.loads(printed.stdout)


def main(arguments):
    if arguments == ["--self-test"]:
        unittest.main(argv=[sys.argv[0]], verbosity=0)
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    modules = modules_of(manifest(root))
    found = [*breaches(root, modules), *table_breaches(root, modules)]
    for breach in found:
        print(breach, file=sys.stderr)
    if found:
        sys.exit(f"{len(found)} breaches of the rules in scripts/checks/imports.py; Package.swift is the table of modules.")
    print("Imports agree with Package.swift.")


if __name__ == "__main__":
    main(sys.argv[1:])
