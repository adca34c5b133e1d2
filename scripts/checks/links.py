#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks what Markdown files say about the repository's files: relative links and anchors, and names of source files in code.

    links.py [ROOT]        prints each broken link and unknown name as file:line, exits 1 if there are any
    links.py --self-test   tests the checker itself

It doesn't use the network: links with a scheme, such as https:, are skipped. Anchors are those that GitHub gives headings.

A name such as `Route.swift` or `Routing/Route.swift` must be that of a file, or the end of its path. The changelog and the
decisions may name files of their time.
"""

import os
import re
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

SKIPPED_FOLDERS = {"dist", "screenshots", "sdks"}
HISTORY = ("CHANGELOG.md", "docs/decisions")
# Files that a build makes, and so may be named without being in the repository.
GENERATED = {"sw.js"}

FENCE = re.compile(r"\s*(```+|~~~+)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
SOURCE_FILE = re.compile(r"[\w+./-]*\w\.(?:swift|js|py|sh)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*$")
TEXT = r"\[((?:[^\[\]]|\[[^\]]*\])*)\]"
INLINE_LINK = re.compile(TEXT + r"\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+[\"'][^\"']*[\"'])?\s*\)")
REFERENCE = re.compile(TEXT + r"\[([^\]]*)\]")
DEFINITION = re.compile(r"\s{0,3}\[([^\]]+)\]:\s*<?([^\s>]+)")
HTML_LINK = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=[\"']([^\"' ]+)")
HTML_ANCHOR = re.compile(r"<[a-z][^>]*?\b(?:id|name)=[\"']([^\"']+)")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def lines_of(text):
    """The numbered lines of a Markdown text outside code blocks and comments."""
    text = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text)
    fence = None
    for number, line in enumerate(text.split("\n"), start=1):
        found = FENCE.match(line)
        if fence:
            if found and found.group(1).startswith(fence):
                fence = None
        elif found:
            fence = found.group(1)
        else:
            yield number, line


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(TEXT + r"\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]*>", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors_of(text):
    anchors, uses = set(), {}
    for _, line in lines_of(text):
        anchors.update(HTML_ANCHOR.findall(line))
        if heading := HEADING.match(line):
            name = slug(heading.group(1))
            count = uses.get(name, 0)
            uses[name] = count + 1
            anchors.add(f"{name}-{count}" if count else name)
    return anchors


def links_of(text):
    """Line number and target of each link; the target of a reference without a definition is None."""
    lines = [(number, CODE.sub("", line)) for number, line in lines_of(text)]
    definitions = {found.group(1).lower() for _, line in lines if (found := DEFINITION.match(line))}
    for number, line in lines:
        if found := DEFINITION.match(line):
            yield number, found.group(2)
            continue
        # An image may be the text of a link, so both are looked for.
        for text_of_link, target in INLINE_LINK.findall(line):
            yield number, target
            yield from ((number, inner) for _, inner in INLINE_LINK.findall(text_of_link))
        yield from ((number, target) for target in HTML_LINK.findall(line))
        for label, name in REFERENCE.findall(line):
            if (name or label).lower() not in definitions:
                yield number, None


def source_files_of(text):
    """Line number and name of each source file that is named in code; a command's arguments are names, too."""
    for number, line in lines_of(text):
        for code in CODE.finditer(line):
            yield from ((number, word) for word in code.group().strip("` ").split() if SOURCE_FILE.fullmatch(word))


def files_below(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS)
        yield from (Path(folder) / name for name in sorted(files))


def problem_of(target, file, root):
    """What is wrong with a link in `file`, or None."""
    if target is None:
        return "a reference has no definition"
    if SCHEME.match(target):
        return None
    path, _, anchor = target.partition("#")
    path, anchor = unquote(path), unquote(anchor)
    linked = root / path.lstrip("/") if path.startswith("/") else file.parent / path if path else file
    linked = Path(os.path.normpath(linked))
    if not linked.is_relative_to(root):
        return f"{target} is outside the repository"
    if not linked.exists():
        return f"{target} does not exist"
    if anchor and linked.suffix == ".md" and anchor not in anchors_of(linked.read_text(encoding="utf-8")):
        return f"{target}: no such heading"
    return None


def problems(root):
    """Every broken link and unknown name below `root`, each as 'file:line: message'."""
    root = Path(os.path.abspath(root))
    files = list(files_below(root))
    paths = [f"/{file.relative_to(root)}" for file in files]
    for file in files:
        if file.suffix != ".md":
            continue
        place = str(file.relative_to(root))
        text = file.read_text(encoding="utf-8")
        for number, target in links_of(text):
            if problem := problem_of(target, file, root):
                yield f"{place}:{number}: {problem}"
        if place.startswith(HISTORY):
            continue
        for number, name in source_files_of(text):
            path = os.path.normpath(f"/{name}")
            if Path(name).name not in GENERATED and not any(known.endswith(path) for known in paths):
                yield f"{place}:{number}: there is no file {name}"


class SelfTest(unittest.TestCase):
    def found(self, text, **files):
        """The problems of a repository whose README.md is `text`; each of `files` is docs/NAME.md."""
        with tempfile.TemporaryDirectory() as folder:
            docs = Path(folder) / "docs"
            docs.mkdir()
            for name, content in files.items():
                (docs / f"{name}.md").write_text(content, encoding="utf-8")
            (Path(folder) / "README.md").write_text(text, encoding="utf-8")
            return list(problems(folder))

    def test_links_that_resolve(self):
        guide = "# Guide\n## What's new, in 2.0?\n## `a_b` and [c](#guide)\n## Guide\n<a id='own'></a>\n"
        for link in (
            "[a](docs/guide.md)",
            "[a](docs/guide.md 'title')",
            "[a](<docs/guide.md>)",
            "[a](/docs/guide.md)",
            "[a](docs/)",
            "[a](docs/../docs/guide.md#guide)",
            "[a](docs/guide.md#guide-1)",
            "[a](docs/guide.md#whats-new-in-20)",
            "[a](docs/guide.md#a_b-and-c)",
            "[a](docs/guide.md#own)",
            "[a](https://example.org/nothing.md#x) <mailto:a@example.org>",
            "# Top\n[a](#top)",
            "[a][label] [label][]\n\n[Label]: docs/guide.md",
            "<img src='docs/guide.md'>",
        ):
            with self.subTest(link):
                self.assertEqual(self.found(link, guide=guide), [])

    def test_links_that_do_not_resolve(self):
        for link, message in (
            ("[a](docs/other.md)", "docs/other.md does not exist"),
            ("![a](docs/other.png)", "docs/other.png does not exist"),
            ("[![a](docs/other.png)](docs/guide.md)", "docs/other.png does not exist"),
            ("[a](docs/Guide.md)", "docs/Guide.md does not exist"),
            ("[a](docs/guide.md#nothing)", "docs/guide.md#nothing: no such heading"),
            ("[a](#nothing)", "#nothing: no such heading"),
            ("[a](../README.md)", "../README.md is outside the repository"),
            ("[label]: docs/other.md", "docs/other.md does not exist"),
            ("[a][nothing]", "a reference has no definition"),
            ('<a href="docs/other.md">', "docs/other.md does not exist"),
        ):
            with self.subTest(link):
                self.assertEqual(self.found(f"\n{link}\n", guide="# Guide\n"), [f"README.md:2: {message}"])

    def test_a_link_is_relative_to_its_own_file(self):
        self.assertEqual(self.found("", a="[a](b.md)", b="[a](../README.md)"), [])
        self.assertEqual(self.found("", a="[a](docs/a.md)"), ["docs/a.md:1: docs/a.md does not exist"])

    def test_code_and_comments_have_no_links(self):
        for text in ("`[a](b)`", "``[a](`b`)``", "```\n[a](b)\n```", "~~~ md\n[a](b)\n~~~", "<!--\n[a](b)\n-->"):
            with self.subTest(text):
                self.assertEqual(self.found(text), [])

    def test_a_heading_in_code_is_no_anchor(self):
        self.assertEqual(self.found("```\n# Top\n```\n[a](#top)"), ["README.md:4: #top: no such heading"])

    def test_names_of_files(self):
        guide = "`a.md` `.swift` `XTests+Y` `https://example.org/a.js` `Foo.swift.orig`"
        for text in (
            "`One.swift`",
            "`Sources/One.swift`",
            "`run.sh --all`",
            "`./scripts/run.sh`",
            "`sw.js`",
            "`/sw.js`",
            "```\n`Two.swift`\n```",
            "Two.swift",
        ):
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                for name in ("Package/Sources/One.swift", "scripts/run.sh"):
                    (Path(folder) / name).parent.mkdir(parents=True)
                    (Path(folder) / name).touch()
                (Path(folder) / "README.md").write_text(f"{text}\n{guide}", encoding="utf-8")
                self.assertEqual(list(problems(folder)), [])

    def test_names_of_unknown_files(self):
        for text, name in (
            ("`Two.swift`", "Two.swift"),
            ("a `b` and `Sources/One.js`", "Sources/One.js"),
            ("| `scripts/run.sh --all` |", "scripts/run.sh"),
            ("`./run.py` [x](#top)", "./run.py"),
            ("`EADME.md` `neREADME.py`", "neREADME.py"),
        ):
            with self.subTest(text):
                self.assertEqual(self.found(f"# Top\n{text}"), [f"README.md:2: there is no file {name}"])

    def test_history_may_name_earlier_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("CHANGELOG.md", "docs/decisions/001-one.md"):
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text("`Two.swift`", encoding="utf-8")
            self.assertEqual(list(problems(folder)), [])


def main(arguments):
    if arguments == ["--self-test"]:
        unittest.main(argv=[sys.argv[0]], verbosity=0)
    found = list(problems(arguments[0] if arguments else Path(__file__).resolve().parents[2]))
    for problem in found:
        print(problem, file=sys.stderr)
    if found:
        sys.exit(f"Broken links and unknown files in Markdown files: {len(found)}.")
    print("All links between Markdown files resolve, and all files that they name exist.")


if __name__ == "__main__":
    main(sys.argv[1:])
