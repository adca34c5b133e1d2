#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Counts what is wrong in the texts that Longbox makes of recorded records and wiki pages.

    compare.py PROGRAM DATA            prints each count, and exits 1 if one is above that in counts.json
    compare.py PROGRAM DATA --pages    prints the comics that each count stands for, too
    compare.py PROGRAM DATA --words    prints the words that differ from MediaWiki's rendering

PROGRAM is the built program show-texts; DATA is the folder with `xkcd/comics.jsonl` and `explainxkcd/pages.jsonl`, and
perhaps `explainxkcd/rendered.jsonl.gz`, MediaWiki's rendering of the same pages.
"""

import argparse
import difflib
import gzip
import json
import re
import subprocess
import sys
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path

LIMITS = Path(__file__).with_name("counts.json")

BLOCKS = set(
    "p li td th dd dt tr h1 h2 h3 h4 h5 h6 div pre blockquote table caption hr ol ul dl center br section figure".split()
)
VOID = {"br", "hr", "img", "wbr", "area", "input", "col", "link", "meta"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}

# A line of a transcript that is a scene or a sound as a whole.
WHOLE_LINE = re.compile(r"\[\[(?:(?!\[\[|\]\]|<<|\{\{).)*\]\]|<<(?:(?!<<|>>|\[\[|\{\{).)*>>")
NOTATION = re.compile(r"\[\[|\{\{|<<(?=\S)")
POWER = re.compile(r"(?<![\w.])(\d+)<sup>[ ]*([-−]?\d+)[ ]*</sup>")
GLUED_HOST = re.compile(r"(?<!\\)\w(?:www\.\w+\.\w+|web\.archive\.org)")
HOLE = re.compile(r"(?<![\w(])\([ ,;]*\)|\([,;]|, ,| ,(?=[ ])")
SENTENCE_END = re.compile(r"[.!?…](?:[\"'”’)\]»]|\W{0,2}$)*$")


class Rendering(HTMLParser):
    """The text of an explanation in MediaWiki's HTML, with a line for each block, without transcript and discussion."""

    def __init__(self):
        super().__init__()
        self.text = []
        self.open = []
        self.hidden = None
        self.picture = None
        self.heading = None
        self.is_kept = True

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        kind = attributes.get("class") or ""
        if tag in HEADINGS and not [name for name, _ in self.open if name in {"div", "td", "table"}]:
            self.heading = len(self.open), len(self.text)
        if tag in BLOCKS:
            self.text.append("\n")
        if tag in VOID:
            return
        is_hidden = tag in {"style", "map"} or "mw-cite-backlink" in kind
        if is_hidden and self.hidden is None:
            self.hidden = len(self.open)
        if self.hidden is None and tag == "span" and kind == "tex":
            self.text.append(" formula ")
            self.hidden = len(self.open)
        is_picture = tag == "a" and (attributes.get("title") or "").startswith("File:")
        if self.hidden is None and (is_picture or (tag == "div" and kind == "thumb")):
            self.picture = len(self.open), len(self.text)
        self.open.append((tag, kind))

    def handle_endtag(self, tag):
        if tag in VOID or tag not in [name for name, _ in self.open]:
            return
        while self.open.pop()[0] != tag:
            pass
        if self.hidden is not None and len(self.open) <= self.hidden:
            self.hidden = None
        if self.picture and len(self.open) <= self.picture[0]:
            # A missing picture has its name as its text; a link to a picture has words.
            name = "".join(self.text[self.picture[1] :]).strip()
            if name.startswith("File:") or re.fullmatch(r".*\.(?:png|jpe?g|gif|svg|webp)", name, re.IGNORECASE):
                self.text[self.picture[1] :] = [" picture "]
            self.picture = None
        if tag in BLOCKS:
            self.text.append("\n")
        if self.heading and len(self.open) <= self.heading[0]:
            self.end_heading(tag, self.heading[1])
            self.heading = None

    def end_heading(self, tag, start):
        title = "".join(self.text[start:]).strip().lower()
        if title.startswith("transcript") or title == "discussion":
            self.is_kept = False
            del self.text[start:]
        elif tag in {"h1", "h2"} or title == "explanation":
            self.is_kept = True
            if title == "explanation":
                del self.text[start:]
        elif not self.is_kept:
            del self.text[start:]

    def handle_data(self, data):
        if self.hidden is None and (self.is_kept or self.heading):
            self.text.append(data)


def words(text):
    """The words and signs of a text."""
    text = re.sub(r"[\u200b-\u200f\u2060\u00ad\ufeff\u202a-\u202e]", "", text)
    text = re.sub(r"\[picture: [^\]]*\.(?:png|jpe?g|gif|svg|webp)\]", " picture ", text, flags=re.IGNORECASE)
    text = re.sub(r"\[picture: ([^\]]*)\]", r"\1", text)
    return re.findall(r"[^\W_]+|[^\w\s]|_", text)


def faults(texts, wikitext):
    """The kinds of faults in a comic's texts."""
    if texts["hasRecordTranscript"] and not texts["transcript"].strip():
        yield "transcripts lost"
    if texts["num"] <= 1608:
        lines = texts["transcript"].split("\n")
        if any(NOTATION.search(line) and not WHOLE_LINE.fullmatch(line.strip()) for line in lines):
            yield "transcripts with raw notation"
    if GLUED_HOST.search(texts["explanation"]):
        yield "explanations with a host glued to a word"
    shown = texts["lead"] + "\n" + texts["transcript"]
    for before, raised in POWER.findall(wikitext):
        joined = re.compile(r"(?<![\w.,])" + re.escape(before + raised) + r"(?![\w])")
        # Unless the page has that number, too.
        if joined.search(shown + "\n" + texts["searched"]) and not joined.search(wikitext):
            yield "texts with an exponent read as digits"
            break
    if HOLE.search(texts["explanation"]):
        yield "explanations with a hole before punctuation"
    if wikitext and not SENTENCE_END.search(texts["lead"]):
        yield "leads without the end of a sentence"
    if texts["num"] in texts["linkedComics"]:
        yield "explanations that link to their own comic"
    if re.search(r"^rect \d", texts["explanation"], re.MULTILINE):
        yield "explanations with the source of an image map"
    if re.search(r"&[a-z]+;", texts["alt"]) and texts["num"] == 259:
        yield "alt texts with an entity for a letter"


def read_lines(path):
    """The objects of a file with one a line, packed or not."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def parts(expected, found):
    """The parts in which two lists of words differ, each after the words before it."""
    matcher = difflib.SequenceMatcher(None, expected, found, autojunk=len(expected) > 8000)
    for change, start, end, found_start, found_end in matcher.get_opcodes():
        if change != "equal":
            yield expected[max(0, start - 5) : start], expected[start:end], found[found_start:found_end]


def is_of_rendering(part):
    """Whether a difference is one of the rendering: it has no formulas, and not all of the wiki's templates."""
    _, expected, found = part
    is_formula = bool(expected) and all(word == "formula" for word in expected)
    is_template = expected[:2] == ["Template", ":"] or expected == ["{", "{", "{", "1", "}", "}", "}"]
    is_quote = not expected and found in (["“"], ["”"])
    return is_formula or is_template or is_quote


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", action="store_true", help="print the comics of each count")
    parser.add_argument("--words", action="store_true", help="print the words that differ")
    options = parser.parse_args()
    records, pages = options.data / "xkcd/comics.jsonl", options.data / "explainxkcd/pages.jsonl"
    output = subprocess.run([options.program, records, pages], check=True, capture_output=True, text=True).stdout
    *lines, last = output.splitlines()
    wikitexts = {page["num"]: page["wikitext"] for page in read_lines(pages)}
    found = defaultdict(list)
    shown = {}
    for line in lines:
        texts = json.loads(line)
        shown[texts["num"]] = texts
        for kind in faults(texts, wikitexts.get(texts["num"], "")):
            found[kind].append(texts["num"])
    rendered = options.data / "explainxkcd/rendered.jsonl.gz"
    if rendered.exists():
        for page in read_lines(rendered):
            if page["num"] not in shown:
                continue  # 404 has a page but no record.
            rendering = Rendering()
            rendering.feed(page["html"])
            expected, ours = words("".join(rendering.text)), words(shown[page["num"]]["explanation"])
            # The differences take long to find.
            if expected != ours and not all(map(is_of_rendering, parts(expected, ours))):
                found["explanations that differ from MediaWiki"].append(page["num"])
                if options.words:
                    for part in parts(expected, ours):
                        print(page["num"], *(" ".join(words)[:200] for words in part), sep="\t")
    print(f"{json.loads(last)['seconds']:.2f} s to parse {len(wikitexts)} pages")
    limits = json.loads(LIMITS.read_text())
    risen = False
    for kind in sorted(set(found) | set(limits)):
        count, limit = len(found[kind]), limits.get(kind, 0)
        risen = risen or count > limit
        print(f"{count:5} of at most {limit:5}  {kind}", *(found[kind] if options.pages else []))
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
