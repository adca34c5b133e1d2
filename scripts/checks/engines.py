#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks that the web code uses only what the oldest supported browsers have, or says what happens without it.

    engines.py               prints what is missing in Web/engines.toml as file:line, exits 1 if anything is
    engines.py --self-test   tests the checker itself

It finds CSS at-rules, functions, pseudo-classes, pseudo-elements and properties, and in JavaScript the methods that are
called and the classes of which objects are made. Each must be in Web/engines.toml. That file explains its tables.
"""

import re
import sys
import tomllib
import unittest
from pathlib import Path

ENGINES = ("safari", "firefox", "chromium")
# Never is later than any version.
NEVER = (10**6,)

CSS_COMMENT = re.compile(r"/\*.*?\*/|\"[^\"]*\"", re.DOTALL)
JS_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
CSS_WORD = re.compile(
    r"(?P<rule>@[a-z-]+)"
    r"|(?P<function>(?<![\w-])[a-z][a-z-]*)\("
    r"|(?P<pseudo>::?-?[a-z][a-z-]*)"
    r"|(?:(?<=[{;])|^)\s*(?P<property>-?[a-z][a-z-]*)(?=\s*:\s)",
    re.MULTILINE,
)
JS_WORD = re.compile(r"\.(?P<method>[a-zA-Z]\w*)\(|\bnew (?P<object>[A-Z]\w*)")
# What the web code declares itself: functions, methods, classes, constants, properties and parameters.
JS_OWN = re.compile(
    r"\b(?:class|function\*?|const|let|static|async|get) #?(\w+)|^\s*#?(\w+)\([^)]*\)\s*\{|\b(\w+)\s*[:=](?!=)"
    r"|[{,]\s*(\w+)(?=\s*[,}=])|@property \{.*\} \[?(\w+)",
    re.MULTILINE,
)


def blank(pattern, text):
    """The text without what the pattern finds, but with its lines."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)


def css_words(text):
    """The words of a style sheet that an engine must know, each with its line."""
    text = blank(CSS_COMMENT, text)
    for found in CSS_WORD.finditer(text):
        word = found[found.lastgroup]
        yield word + "()" * (found.lastgroup == "function"), text.count("\n", 0, found.start(found.lastgroup)) + 1


def js_words(text, own):
    """The methods and classes of a script that are not the web code's own, each with its line."""
    text = blank(JS_COMMENT, text)
    for found in JS_WORD.finditer(text):
        word = found[found.lastgroup]
        if word not in own:
            yield word, text.count("\n", 0, found.start()) + 1


def version(text):
    return NEVER if text == "never" else tuple(map(int, text.split(".")))


def faults(table, styles, scripts):
    """What is wrong, as sentences. `styles` and `scripts` are texts by path."""
    oldest = {engine: version(table["oldest"][engine]) for engine in ENGINES}
    own = {name for text in scripts.values() for names in JS_OWN.findall(blank(JS_COMMENT, text)) for name in names if name}
    known = {kind: set(table["old"][kind].split()) for kind in ("css", "js")}
    for feature in table["feature"]:
        for kind in known:
            known[kind].update(feature.get(kind, []))
    used = set()
    kinds = {"css": (styles, css_words), "js": (scripts, lambda text: js_words(text, own))}
    for kind, (texts, words) in kinds.items():
        for path, text in texts.items():
            for word, line in words(text):
                used.add(word)
                if word not in known[kind]:
                    yield f"{path}:{line}: {word} is not in Web/engines.toml"
    everything = "\n".join((*styles.values(), *scripts.values()))
    for feature in table["feature"]:
        name = feature["name"]
        late = [engine for engine in ENGINES if version(feature[engine]) > oldest[engine]]
        if late and not feature.get("without"):
            yield f"Web/engines.toml: {name} is newer than the oldest {' and '.join(late)}: say what happens without it"
        if not late and "without" in feature:
            yield f"Web/engines.toml: every supported engine has {name}, so nothing happens without it"
        yield from (
            f"Web/engines.toml: {word} of {name} is no longer used"
            for word in (*feature.get("css", []), *feature.get("js", []))
            if word not in used
        )
        if "pattern" in feature and not re.search(feature["pattern"], everything):
            yield f"Web/engines.toml: {name} is no longer used"


def without_fallback(text):
    """The colours of a style sheet's `:root` that older engines would not have."""
    named = set(re.findall(r"(--[\w-]+):[^;]*light-dark\(", text))
    block = re.search(r"@supports not \(color: light-dark\([^{]*\{(.*?)\n\}", text, re.DOTALL)
    return sorted(named - set(re.findall(r"(--[\w-]+):", block[1] if block else "")))


class SelfTest(unittest.TestCase):
    TABLE = {
        "oldest": {"safari": "17.5", "firefox": "128", "chromium": "123"},
        "old": {"css": "color", "js": "append"},
        "feature": [],
    }

    def found(self, style="", script="", **feature):
        versions = {"name": "It", "safari": "17.5", "firefox": "128", "chromium": "123"}
        table = self.TABLE | {"feature": [versions | feature] if feature else []}
        return list(faults(table, {"a.css": style}, {"a.js": script}))

    def test_words_that_are_not_in_the_table_are_found(self):
        style = "/* :old */\na:new { color: red; }\nb::newer { newest: fresh(1) }\n@latest { }"
        words = [":new", "::newer", "newest", "fresh()", "@latest"]
        self.assertEqual([fault.split()[1] for fault in self.found(style)], words)
        self.assertEqual(self.found("\n.a { grow: 1 }"), ["a.css:2: grow is not in Web/engines.toml"])
        script = "// it.old()\nfunction mine() {}\nit.append(it.mine())\nit.newest(new Thing())"
        self.assertEqual([fault.split()[1] for fault in self.found(script=script)], ["newest", "Thing"])

    def test_what_is_too_new_needs_a_fallback(self):
        self.assertEqual(self.found(".a { grow: 1 }", css=["grow"]), [])
        for late in ({"safari": "18"}, {"firefox": "never"}, {"chromium": "123.1"}):
            self.assertEqual(len(self.found(".a { grow: 1 }", css=["grow"], **late)), 1)
            self.assertEqual(self.found(".a { grow: 1 }", css=["grow"], without="It stays small.", **late), [])
        self.assertEqual(len(self.found(".a { grow: 1 }", css=["grow"], without="It stays small.")), 1)

    def test_what_is_no_longer_used_is_found(self):
        self.assertEqual(len(self.found(css=["grow"])), 1)
        self.assertEqual(len(self.found(pattern=r"\dvw")), 1)
        self.assertEqual(self.found(".a { color: 1vw }", pattern=r"\dvw"), [])

    def test_a_color_without_a_fallback_is_found(self):
        colors = ":root { --a: light-dark(#000, #fff); --b: red; }"
        self.assertEqual(without_fallback(colors), ["--a"])
        self.assertEqual(
            without_fallback(colors + "@supports not (color: light-dark(#000, #fff)) {\n  :root { --a: Canvas; }\n}"), []
        )


def main(arguments):
    if arguments == ["--self-test"]:
        unittest.main(argv=[sys.argv[0]], verbosity=0)
    root = Path(__file__).resolve().parents[2]
    table = tomllib.loads((root / "Web/engines.toml").read_text(encoding="utf-8"))

    def texts(ending):
        return {
            str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in sorted(root.glob(f"Web/src/**/*.{ending}"))
        }

    styles = texts("css")
    found = list(faults(table, styles, texts("js")))
    base = "Web/src/styles/base.css"
    found += [f"{base}: {name} has no value for engines without light-dark()" for name in without_fallback(styles[base])]
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        sys.exit(f"{len(found)} things to write down in Web/engines.toml, or not to use.")
    print("The web code uses what the oldest supported browsers have, or says what happens without it.")


if __name__ == "__main__":
    main(sys.argv[1:])
