#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Prints the folding table of the search: it removes differences in case, diacritics, width and compatibility forms.

    make-folding.py > Sources/LongboxCore/Search/FoldingTable.swift

It covers every scalar below U+2100, letterlike symbols, number forms, enclosed numbers, Latin ligatures and full-width
forms. FoldingTests compares it with Swift's Unicode data.
"""

import unicodedata as unicode

BLOCKS = [(0x80, 0x2190), (0x2460, 0x2500), (0xFB00, 0xFB07), (0xFF01, 0xFFF0)]

# Letters that Unicode doesn't decompose, and how people type them without a key for them.
# fmt: off
TYPED = {
    "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l",
    "ŋ": "n", "þ": "th", "ŧ": "t", "ς": "σ",
}
# fmt: on


def is_diacritic(scalar):
    """Whether it is a mark over or under a letter. Viramas (class 9) and vowel signs (class 0) are part of the spelling."""
    return unicode.combining(scalar) not in (0, 9)


def is_ignored(scalar):
    """Whether it is invisible formatting. A zero width space is kept, because it separates words."""
    return unicode.category(scalar) == "Cf" and scalar != "\u200b"


def fold(scalar):
    lowered = unicode.normalize("NFKD", unicode.normalize("NFKD", scalar).lower())
    kept = "".join(c for c in lowered if not is_diacritic(c) and not is_ignored(c))
    return "".join(TYPED.get(c, c) for c in kept)


def table_fold(scalar):
    """The scalar's folding in the table. Foldings of four scalars or more, or ones that would split a word, are left out."""
    folded = fold(scalar)
    if len(folded) > 3 or unicode.category(scalar) == "Cn" or len({is_word(c) for c in folded}) > 1:
        return scalar
    return folded


def is_word(scalar):
    return unicode.category(scalar)[0] in "LMN"


def ranges():
    """The ranges (first, last) of scalars in U+0080 to U+218F that are part of words and fold to themselves."""
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
        yield "    " + ", ".join(f"0x{n:04X}" for n in numbers[start : start + per_row]) + ","


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
    print(f"// Written by scripts/make-folding.py from Unicode {unicode.unidata_version}. Do not edit.\n")
    print("/// What ``Folding`` looks up.\nenum FoldingTable {")
    for name, comment, numbers in [
        ("singles", "A scalar and what it folds to, 0 for nothing; ordered by the first.", singles),
        ("expansions", "A scalar and the two or three that it folds to, 0 at the end; ordered by the first.", expansions),
        ("words", "First and last of each range of folded scalars that are part of words.", words),
    ]:
        print(f"  /// {comment}\n  static let {name}: [UInt16] = [")
        print("\n".join(rows(numbers)))
        print("  ]")
    print("}")


main()
