#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks that code and docs use plain English and the terms of docs/glossary.md.

    check-words.py               prints each word that should be replaced as file:line, exits 1 if there are any
    check-words.py --self-test   tests the checker itself

WORDS is the only list. Each row is a regular expression, what to write instead, and the path prefixes to which the row
applies; without a prefix it applies to all files.
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

WORDS = [
    # Names that the field has a term for
    (r"\bShelf\b", "PageContext or Loaded", ()),
    (r"SharedWork|\b[Ff]lights?\b(?! (attendant|mode))", "SingleFlight, or a promise", ("Sources", "Web")),
    (r"SourceOutage", "CircuitBreaker", ()),
    (r"RecentFailures", "NegativeCache", ()),
    (r"[Tt]urnstile", "AsyncMutex or SerialQueue", ()),
    (r"CallWindow", "SlidingWindowLimiter", ()),
    (r"\bPatience\b", "withTimeout", ()),
    (r"\bManners\b", "RequestPolicies", ()),
    (r"ReadyAnswer", "CachedResponse", ()),
    (r"DeviceRoute", "a controller", ()),
    (r"\bFinder\b|LongboxFinder", "search", ("Sources", "Web", "Tests", "bench", "scripts")),
    (
        r"Settlement|\bLetter\b|\bDraft\b|\bLot\b",
        "DeliveryResult, Message or Batch",
        ("Sources/LongboxPush", "Sources/LongboxReaders"),
    ),
    (r"[Dd]oorkeeper", "untrustedResolver", ()),
    (r"[Rr]efusals?\b", "rejection or dismissal", ()),
    (r"[Uu]pkeep", "RefreshService", ()),
    (r"\bTurner\b|\b[Tt]urning pages\b", "pager", ()),
    (r"\b(hands|ways)\b", "gestures, controls", ("Web/src/pages/viewer",)),
    (r"\b([Tt]old|[Ii]s told|are told)\b", "notified, called with, or says", ()),
    (r"library moment|\bstamps?\b", "timestamp", ("Sources", "Web", "Tests", "docs")),
    (r"\bjoin a device\b", "pair a device", ()),
    # English that sounds translated
    (r"\b[Nn]obody\b", "no reader, no client, not", ()),
    (r"(?i:\bwhoever\b)", "the person who", ()),
    (r"\b[Bb]y chance\b", "random", ()),
    (r"\bof all else\b|\bthe one that was\b|\bin vain\b", "say it directly", ()),
    (r"\b[Ss]tands? by itself\b", "is independent", ()),
    (r"\b[Ll]ets? go of\b", "releases", ()),
    (r"\b[Ww]hat (was|is) (made|asked|said) of\b", "the result of, the question for", ()),
    (
        r"(?<!one )(?<!body )(?<!person )(?<!reader )(?<!readers )(?<!those )\b[Ww]ho (asks|has|knows|reads|comes|waits)\b",
        "a reader who, the client that",
        (),
    ),
    (r"\b[Aa]new\b", "again, new", ()),
    (r"\b[Mm]eanwhile\b", "in the meantime, during", ()),
    (r"\bstandard errors\b", "standard error", ()),
]

# Phrases that contain such a word and are right: names, quotations, and texts of comics in tests.
ALLOWED = [
    "011 how many comics in a row a browser was not told of",
    "A code nobody broke.",
    "Nobody inspects the spammish repetition",
    "The Long Shelf",
    "LongboxFinder` and `LongboxAlbums` are gone",
    "refusals: dismissals = 0",
    "isKept: true, refusals: 3",
    "user nobody",
    "nobody=debug",
    ": nobody speaks",
    '"Nobody"',
    "=nobody",
    "albums-nobody",
    'for="nobody"',
    "tell told",
]

# Data, drawings, formats of others, and this list.
SKIPPED = re.compile(
    r"\.(jsonl|tsv|svg|sql|png|gif|jpe?g|webp|woff2|lock|resolved|patch|bin|lbx|gz)$|Browser/schemas/|^sdks/|scripts/check-words\.py$"
)


def faults(path, text):
    """The lines of a file with a word that should be replaced."""
    rows = [(re.compile(word), instead) for word, instead, paths in WORDS if not paths or path.startswith(paths)]
    for number, line in enumerate(text.split("\n"), start=1):
        for phrase in ALLOWED:
            line = line.replace(phrase, "")
        for word, instead in rows:
            if found := word.search(line):
                yield f"{path}:{number}: “{found.group()}”: write {instead}"


def files():
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    for path in listed.split("\0"):
        if not path or SKIPPED.search(path) or not Path(path).is_file():
            continue
        try:
            yield path, Path(path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


class CheckWordsTests(unittest.TestCase):
    def found(self, line, path="docs/a.md"):
        return list(faults(path, line))

    def test_words_of_the_list(self):
        for line in (
            "Nobody reads it.",
            "made anew",
            "It waits for who asks first.",
            "Who knows the code gets in.",
            "a Turnstile",
            "is told how it ended",
        ):
            with self.subTest(line):
                self.assertEqual(len(self.found(line)), 1)

    def test_plain_english(self):
        for line in (
            "Anyone who has the link can read it.",
            "A reader who waits gets a page.",
            "The anew2 flag, somebody who knows it",
            "user nobody",
        ):
            with self.subTest(line):
                self.assertEqual(self.found(line), [])

    def test_rows_for_some_folders(self):
        self.assertEqual(len(self.found("two hands", "Web/src/pages/viewer/zoom.js")), 1)
        self.assertEqual(self.found("two hands"), [])

    def test_the_line_is_named(self):
        self.assertEqual(self.found("a\nb anew"), ["docs/a.md:2: “anew”: write again, new"])


def main():
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1])
    found = [fault for path, text in files() for fault in faults(path, text)]
    print("\n".join(found) if found else "The words of code and docs are those of the glossary.")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
