#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Generates queries with known answers from the comics' own texts, at random with a fixed seed.

    made_queries.py DOCUMENTS.jsonl [--each N] [--seed S] [--without QUERIES.tsv] > QUERIES.tsv

Kinds: title (some of its words, in any order), typo (the title, misspelt), quote (consecutive words from the transcript,
one or two lost or replaced by a common one), alt (the same from the alt text). They are easier than what people type.
There is no `topic`, since its words are not the comic's own. But there are many queries, over other comics.
"""

import argparse
import csv
import json
import random
import re
import sys

COMMON = "a the of to and in is it that this for with".split()


def words_of(text):
    return re.findall(r"[\w']+", text)


def title(comic, dice):
    words = words_of(comic["title"])
    chosen = dice.sample(words, min(len(words), dice.randint(2, 3)))
    return chosen if sum(map(len, chosen)) >= 6 else []


def misspelt(word, dice):
    """The word with a letter dropped, doubled, changed or swapped with the next."""
    place = dice.randrange(1, len(word) - 1)
    before, letter, after = word[:place], word[place], word[place + 1 :]
    changed = dice.choice("aeiou" if letter in "aeiou" else "bcdfghklmnprst")
    swapped = after[0] + letter + after[1:]
    return before + dice.choice([after, letter + letter + after, changed + after, swapped])


def typo(comic, dice):
    words = words_of(comic["title"].lower())
    places = [place for place, word in enumerate(words) if len(word) >= 5 and word.isascii() and word.isalpha()]
    if not places or len(words) > 4:
        return []
    place = dice.choice(places)
    words[place] = misspelt(words[place], dice)
    return words


def remembered(text, dice):
    """Consecutive words, one or two of them wrong."""
    words = words_of(text)
    if len(words) < 12:
        return []
    length = dice.randint(5, 9)
    start = dice.randrange(len(words) - length)
    chosen = words[start : start + length]
    for _ in range(dice.randint(1, 2)):
        place = dice.randrange(len(chosen))
        chosen[place : place + 1] = dice.choice([[], [dice.choice(COMMON)]])
    return [word.lower() for word in chosen]


def quote(comic, dice):
    lines = [line.split(":", 1)[-1] for line in comic["transcript"].splitlines() if not line.startswith("[[")]
    return remembered(" ".join(lines), dice)


def alt(comic, dice):
    return remembered(comic["alt"], dice)


def made(comics, each, seed):
    """Rows with id, kind, query and answers; a title shared by several comics has all of them as answers."""
    by_title = {}
    for comic in comics:
        by_title.setdefault(comic["title"], []).append(str(comic["number"]))
    for kind, make in (("title", title), ("typo", typo), ("quote", quote), ("alt", alt)):
        dice = random.Random(f"{seed} {kind}")
        count = 0
        for comic in dice.sample(comics, len(comics)):
            words = make(comic, dice)
            if words and count < each:
                count += 1
                answers = by_title[comic["title"]] if make in (title, typo) else [str(comic["number"])]
                yield f"{kind}-{count}", kind, " ".join(words), ",".join(answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("--each", type=int, default=100, help="so many of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", metavar="QUERIES", help="leave out the comics that these queries ask for")
    arguments = parser.parse_args()
    with open(arguments.documents, encoding="utf-8") as lines:
        comics = [json.loads(line) for line in lines]
    if arguments.without:
        with open(arguments.without, encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            asked = {int(number) for row in rows for number in row["answers"].split(",")}
        comics = [comic for comic in comics if comic["number"] not in asked]
    print("id", "kind", "query", "answers", sep="\t")
    for row in made(comics, arguments.each, arguments.seed):
        print(*row, sep="\t")


if __name__ == "__main__":
    sys.exit(main())
