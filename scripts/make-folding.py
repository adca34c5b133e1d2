#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Writes the folding table that search compares text by: case, diacritics, width and compatibility forms.

Usage: scripts/make-folding.py > Sources/LongboxCore/Search/FoldingTable.swift

The table covers what comics and their readers write: every scalar below U+2100, letterlike symbols, number forms,
enclosed numbers, Latin ligatures and the full-width forms. FoldingTests compares it with Swift's own Unicode data.
"""
import unicodedata as unicode

BLOCKS = [(0x80, 0x2190), (0x2460, 0x2500), (0xFB00, 0xFB07), (0xFF01, 0xFFF0)]

# Letters that Unicode does not decompose, as people without them on the keyboard type them.
TYPED = {
    "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l",
    "ŋ": "n", "þ": "th", "ŧ": "t", "ς": "σ",
}


def is_diacritic(scalar):
    """Marks over and under letters; not the vowel signs and viramas of scripts that spell with them."""
    return unicode.combining(scalar) not in (0, 9)


def is_ignored(scalar):
    """Formatting that is not seen. A zero width space is left: it parts words."""
    return unicode.category(scalar) == "Cf" and scalar != "\u200B"


def fold(scalar):
    lowered = unicode.normalize("NFKD", unicode.normalize("NFKD", scalar).lower())
    kept = "".join(c for c in lowered if not is_diacritic(c) and not is_ignored(c))
    return "".join(TYPED.get(c, c) for c in kept)


def table_fold(scalar):
    """What the table has: nothing that takes four scalars or more, and nothing that would part a word (a fraction)."""
    folded = fold(scalar)
    if len(folded) > 3 or unicode.category(scalar) == "Cn" or len({is_word(c) for c in folded}) > 1:
        return scalar
    return folded


def is_word(scalar):
    return unicode.category(scalar)[0] in "LMN"


def ranges():
    """The word scalars among U+0080 to U+218F that folding leaves, as first and last."""
    found = []
    for value in range(0x80, 0x2190):
        if table_fold(chr(value)) == chr(value) and is_word(chr(value)):
            if found and found[-1][1] == value - 1:
                found[-1][1] = value
            else:
                found.append([value, value])
    return found


def rows(numbers, per_row=12):
    for start in range(0, len(numbers), per_row):
        yield "    " + ", ".join("0x%04X" % n for n in numbers[start:start + per_row]) + ","


def main():
    singles, expansions = [], []
    for first, end in BLOCKS:
        for value in range(first, end):
            scalar = chr(value)
            folded = table_fold(scalar)
            if folded == scalar:
                continue
            assert all(ord(c) <= 0xFFFF for c in folded)
            if len(folded) <= 1:
                singles += [value, ord(folded) if folded else 0]
            else:
                expansions += ([value] + [ord(c) for c in folded] + [0])[:4]
    words = [n for r in ranges() for n in r]
    print("// Longbox\n// SPDX-License-Identifier: MIT\n")
    print("// swift-format-ignore-file")
    print("// Written by scripts/make-folding.py from Unicode %s. Do not edit.\n" % unicode.unidata_version)
    print("/// What ``Folding`` looks up.\nenum FoldingTable {")
    for name, comment, numbers in [
        ("singles", "A scalar and what it folds to, 0 for nothing; ordered by the first.", singles),
        ("expansions", "A scalar and the two or three that it folds to, 0 at the end; ordered by the first.", expansions),
        ("words", "First and last of each range of folded scalars that are part of words.", words),
    ]:
        print("  /// %s\n  static let %s: [UInt16] = [" % (comment, name))
        print("\n".join(rows(numbers)))
        print("  ]")
    print("}")


main()
