#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks that code and docs use plain English and the terms of docs/glossary.md.

    words.py               prints each word that should be replaced as file:line, exits 1 if there are any
    words.py --self-test   tests the checker itself

WORDS is the only list. Each row is a regular expression, what to write instead, and the path prefixes to which the row
applies; without a prefix it applies to all files.
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

# Where messages to readers and changes are written about: there, nobody is "told".
NOTIFYING = (
    "Sources/LongboxCatalog",
    "Sources/LongboxPush",
    "Sources/LongboxReaders",
    "Sources/LongboxServer/Push",
    "Sources/LongboxStore",
    "Tests/LongboxPushTests",
    "Tests/LongboxReadersTests",
    "Tests/LongboxStoreTests",
    "docs/push.md",
)

# Names are split into words before: LibraryMoment is "Library Moment". Case doesn't count, except in (?-i:...).
WORDS = [
    # Names that the field has a term for
    (r"\bshelf\b", "PageContext or Loaded", ()),
    (r"\bcollections?\b", "ComicRepository, or what it holds", ()),
    (r"shared ?work|(?<!single )(?<!reply )(?<!in[ -])\bflights?\b", "SingleFlight, or a promise", ()),
    (r"source ?outage", "CircuitBreaker", ()),
    (r"(?-i:\bRecent Failures\b)", "NegativeCache", ()),
    (r"turnstile|(?-i:\b(class|struct|actor) (Serial|Turns)\b(?! [A-Z]))", "AsyncMutex or SerialQueue", ()),
    (r"call ?window", "RequestLimiter", ()),
    (r"\bpatience\b", "withTimeout", ()),
    (r"\bmanners\b", "RequestPolicies", ()),
    (
        r"ready ?answer|(?-i:\b(class|struct|enum|actor|protocol|typealias) (\w+ )*Answers?\b)|payload",
        "response, reply, body or CachedResponse",
        (),
    ),
    (
        r"(?-i:\b(class|struct|enum|actor|protocol|typealias) (\w+ )+Routes?\b(?! [A-Z]))",
        "a controller; a Route is an enum case",
        (),
    ),
    (r"finder\b", "search", ()),
    (r"\b(settlements?|drafts?|lots?)\b", "DeliveryResult, Message or Batch", ("Sources", "Tests", "Web")),
    (r"(?-i:\bLetter\b)", "Message", ("Sources/LongboxPush", "Sources/LongboxReaders", "Tests/LongboxPushTests")),
    (r"doorkeeper", "untrustedResolver", ()),
    (r"refusals?\b", "rejection or dismissal", ()),
    (r"upkeep", "RefreshService", ()),
    (r"\bturn(er|ing)\b", "pager, paging", ()),
    (r"\b(hands|ways)\b", "gestures, controls, links", ("Web/src", "Sources/LongboxPages")),
    (r"\btold\b", "notified, called with, or says", ()),
    (r"(?<!can )(?<!can't )\btells?\b", "notifies, or says", NOTIFYING),
    (r"library moment|(?<!time )\bstamps?\b", "timestamp", ("Sources", "Tests", "Web", "bench", "docs")),
    (r"\bjoin(s|ed|ing)? (a|the|another) device\b", "pair a device", ()),
    # English that sounds translated
    (r"\bnobody\b", "no reader, no client, not", ()),
    (r"\bwhoever\b", "the person who", ()),
    (r"\bby chance\b", "random", ()),
    (r"\bof all else\b|\bthe one that was\b|\bin vain\b", "say it directly", ()),
    (r"\bstands? by itself\b", "is independent", ()),
    (r"\blets? go of\b", "releases", ()),
    (r"\bwhat (was|is) (made|asked|said) of\b", "the result of, the question for", ()),
    (
        r"(?<!one )(?<!body )(?<!person )(?<!reader )(?<!readers )(?<!those )\bwho (asks|has|knows|reads|comes|waits)\b",
        "a reader who, the client that",
        (),
    ),
    (r"\banew\b", "again, new", ()),
    (r"\bmeanwhile\b", "in the meantime, during", ()),
    (r"\bstandard errors\b", "standard error", ()),
]

WORDS = [(re.compile(word, re.IGNORECASE), instead, paths) for word, instead, paths in WORDS]

# Regular expressions for what contains such a word and is right.
ALLOWED = re.compile(
    "|".join(
        [
            # Names of migrations, stored settings, earlier modules and forms: they can't change
            "010 what feeds tell",
            "011 how many comics in a row a browser was not told of",
            "refusals: dismissals = 0",
            "isKept: true, refusals: 3",
            "LongboxFinder` and `LongboxAlbums` are gone",
            r"target `LongboxFinder`|finder\.wasm",
            # Swift's and Python's own types, and the iTunes API
            r"\w*Collection<|RandomAccessCollection|from collections\b|import collections|collections\.Counter",
            r"collection(ID|Name|Type|Explicitness|ViewURL)\b|\\?\"collection\\?\"",
            # Other ordinary meanings: an answer and the turns of a quiz, a user's name, titles, texts of comics and searches
            "enum Answer: Equatable|class Turns \\{",
            "user nobody|nobody=debug",
            r"the collection\"",
            "one of these ways",
            "tell told",
            "A code nobody broke",
            "Nobody inspects the spammish repetition",
            "The Long Shelf",
            ": nobody speaks",
            '"Nobody"|=nobody|albums-nobody|for="nobody"',
            r'of dough & <patience>|q=patience|patience dough|"patience"',
        ]
    ),
    re.IGNORECASE,
)

# Between the words of a name in snake_case or camelCase
SEAM = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])")

# Data, drawings, formats of others, and this list.
SKIPPED = re.compile(
    r"\.(jsonl|tsv|svg|sql|png|gif|jpe?g|webp|woff2|lock|resolved|patch|bin|lbx|gz)$|Browser/schemas/|^sdks/|scripts/checks/words\.py$|lettering-licence"
)


def faults(path, text):
    """The lines of a file with a word that should be replaced, also as a part of a name."""
    words = SEAM.sub(" ", text)
    for pattern, instead, paths in WORDS:
        if (paths and not path.startswith(paths)) or not pattern.search(words):
            continue
        for number, line in enumerate(text.split("\n"), start=1):
            if found := pattern.search(SEAM.sub(" ", ALLOWED.sub("", line))):
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
            "def test_it_locks_nobody_out():",
            "let byChance = 1",
            "struct ITunesAnswer {",
            "enum ReplayRoutes {",
            "a collection of comics",
        ):
            with self.subTest(line):
                self.assertEqual(len(self.found(line)), 1)

    def test_plain_english(self):
        for line in (
            "Anyone who has the link can read it.",
            "A reader who waits gets a page.",
            "The anew2 flag, somebody who knows it",
            "user nobody",
            "some Collection<UInt8>",
            "it answers; Route.comic; a single flight",
        ):
            with self.subTest(line):
                self.assertEqual(self.found(line), [])

    def test_rows_for_some_folders(self):
        self.assertEqual(len(self.found("two hands", "Web/src/pages/zoom.js")), 1)
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
