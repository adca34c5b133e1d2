#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks which modules each module imports, and that no source contains a banned construct.

    check-imports.py [ROOT]        reads ROOT/Sources and ROOT/Web, prints each breach as file:line, exits 1 if any
    check-imports.py --self-test   tests the checker itself

Change ALLOWED and the module table of docs/architecture.md together. Tests aren't checked: Package.swift limits their
imports.
"""

import re
import sys
import tempfile
import unittest
from pathlib import Path

# Modules of the Swift toolchain. Code that is also compiled for the service worker may not import even these.
SYSTEM = {"Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization"}

# Module -> the modules that its Swift files may import.
ALLOWED = {
    "LongboxCore": set(),
    "LongboxPages": {"LongboxCore"},
    # Only its native build, which tests compare with the WebAssembly, imports Foundation: to read standard input.
    "LongboxDevice": {"LongboxCore", "LongboxPages", "Foundation"},
    # AsyncHTTPClient's interface uses NIO's types for headers, times and errors.
    "LongboxUpstream": SYSTEM | {"CLibXML", "LongboxCore", "AsyncHTTPClient", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix"},
    "LongboxStore": SYSTEM
    | {"CFiles", "CPostgres", "LongboxCore"}
    | {"Crypto", "Dispatch", "GRDB"},  # Dispatch: a connection to PostgreSQL blocks, so it has its own thread
    "LongboxCatalog": SYSTEM
    | {"CPictureMessages", "CSpawn", "LongboxCore", "LongboxStore", "LongboxUpstream"}
    | {"Dispatch", "Logging", "ServiceLifecycle"},  # Dispatch: waiting for longbox-pictures blocks, so it has its own queue
    "LongboxPush": SYSTEM | {"AsyncHTTPClient", "Crypto", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"},
    "LongboxReaders": SYSTEM
    | {"LongboxCatalog", "LongboxCore", "LongboxPush", "LongboxStore"}
    | {"Crypto", "CryptoExtras", "Dispatch", "Logging", "ServiceLifecycle"},  # Dispatch: scrypt and large imports block
    "LongboxWeb": SYSTEM,
    "LongboxServer": SYSTEM
    | {"CBrotli", "CQrencode", "CZlib", "LongboxCatalog", "LongboxCore", "LongboxPages", "LongboxPush", "LongboxReaders"}
    | {"LongboxStore", "LongboxUpstream", "LongboxWeb"}
    | {"Crypto", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOSSL"}
    | {"CoreMetrics", "NIOHTTPTypesHTTP1", "ServiceLifecycle", "SwiftASN1", "UnixSignals", "X509"},
    "longbox": SYSTEM
    | {"LongboxCatalog", "LongboxCore", "LongboxPages", "LongboxPush", "LongboxReaders", "LongboxServer", "LongboxStore"}
    | {"LongboxUpstream", "ArgumentParser", "CMalloc", "Configuration", "Logging", "UnixSignals"}
    | {"SystemPackage"}  # swift-configuration takes a FilePath
    | {"AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix"},  # the reader for the terminal asks another Longbox
    "longbox-replay": SYSTEM
    | {"ArgumentParser", "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "ServiceLifecycle", "UnixSignals"},
    # C modules, without Swift files; longbox-pictures is a program.
    "longbox-pictures": set(),
    "CBrotli": set(),
    "CChafa": set(),
    "CDeviceRuntime": set(),
    "CFiles": set(),
    "CLibXML": set(),
    "CPictureMessages": set(),
    "CPostgres": set(),
    "CQrencode": set(),
    "CSeccomp": set(),
    "CSpawn": set(),
    "CVips": set(),
    "CMalloc": set(),
    "CZlib": set(),
}

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

# Comments and string literals, which may mention imports.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def code_lines(source):
    """The numbered lines of `source`, without comments and strings."""
    blanked = NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), source)
    return enumerate(blanked.split("\n"), start=1)


def breaches_in(file, module):
    for number, line in code_lines(file.read_text(encoding="utf-8")):
        for statement in line.split(";"):
            found = IMPORT.match(statement)
            if found and found.group(1) not in ALLOWED[module]:
                yield number, f"{module} may not import {found.group(1)}"
        for pattern, message in BANNED:
            if pattern.search(line):
                yield number, message


def breaches(root):
    """Every breach below `root`, each as 'file:line: message'."""
    folders = [*(root / "Sources").iterdir(), *(root / "Sources" / "C").glob("*")]
    modules = [(folder.name, folder) for folder in sorted(folders) if folder.is_dir() and folder.name != "C"]
    modules.append(("LongboxWeb", root / "Web"))
    for module, folder in modules:
        if module not in ALLOWED:
            yield f"{folder.relative_to(root)}:1: {module} is not in the table of modules"
            continue
        for file in sorted(folder.rglob("*.swift")):
            for number, message in breaches_in(file, module):
                yield f"{file.relative_to(root)}:{number}: {message}"


class SelfTest(unittest.TestCase):
    def found(self, source, module="LongboxPages"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            place = root / "Web" if module == "LongboxWeb" else root / "Sources" / module
            (root / "Sources").mkdir()
            place.mkdir(parents=True)
            (place / "File.swift").write_text(source, encoding="utf-8")
            return list(breaches(root))

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
        for module in ALLOWED:
            self.assertEqual("GRDB" in ALLOWED[module], module == "LongboxStore")
            self.assertEqual("Hummingbird" in ALLOWED[module], module in ("LongboxServer", "longbox-replay"))

    def test_a_module_that_is_not_in_the_table_fails(self):
        self.assertEqual(
            self.found("", module="LongboxExtras"),
            ["Sources/LongboxExtras:1: LongboxExtras is not in the table of modules"],
        )

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


def main(arguments):
    if arguments == ["--self-test"]:
        unittest.main(argv=[sys.argv[0]], verbosity=0)
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parent.parent)
    found = list(breaches(root))
    for breach in found:
        print(breach, file=sys.stderr)
    if found:
        sys.exit(
            f"{len(found)} breaches of the rules in scripts/check-imports.py; see also the module table of docs/architecture.md."
        )
    print("Imports agree with the module table.")


if __name__ == "__main__":
    main(sys.argv[1:])
