#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Writes a man page for each command, from the program's own description of its commands and options.

make-man-pages.py PROGRAM FOLDER

The description comes from `longbox --experimental-dump-help`, the exit codes from docs/cli.md. The date is
SOURCE_DATE_EPOCH, or today.
"""

import json
import os
import re
import subprocess
import sys
import textwrap
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

FILES = [
    ("/etc/longbox/longbox.yaml", "The settings of this machine."),
    ("/var/lib/longbox", "The data folder of the service."),
    ("~/.local/share/longbox", "The data folder, unless a setting names another."),
    ("longbox.yaml", "In the data folder: the settings that longbox setup writes. They count before those of the machine."),
]


def escaped(text):
    """Text as roff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    for symbol, name in {"’": "\\(cq", "‘": "\\(oq", "“": "\\(lq", "”": "\\(rq", "…": "...", "–": "\\(en"}.items():
        text = text.replace(symbol, name)
    text = re.sub(r"[^\x00-\x7f]", lambda match: f"\\[u{ord(match.group()):04X}]", text)
    # A line that begins with a dot or a quote would be a request.
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def filled(text):
    """Text as lines of roff, with one sentence on each line, as mandoc demands."""
    sentences = re.sub(r"([.!?:]) +(?=[A-Z(“])", r"\1\n", " ".join(text.split()))
    lines = [line for sentence in sentences.split("\n") for line in textwrap.wrap(sentence, 76, break_long_words=False)]
    return [escaped(line) for line in lines]


def paragraphs(text):
    """Paragraphs of a description; indented lines are shown as they are."""
    lines, literal = [], []

    def end_literal():
        if literal:
            # A display has space before it.
            while lines and lines[-1] == ".Pp":
                lines.pop()
            lines.extend([".Bd -literal -offset indent", *[escaped(line.strip()) for line in literal], ".Ed"])
            literal.clear()

    plain = []

    def end_plain():
        if plain:
            lines.extend(filled(" ".join(plain)))
            plain.clear()

    for line in text.split("\n"):
        if line.startswith("  "):
            end_plain()
            literal.append(line)
        elif not line.strip():
            end_plain()
            end_literal()
            lines.append(".Pp")
        else:
            end_literal()
            plain.append(line)
    end_plain()
    end_literal()
    # mandoc complains about a paragraph that is empty, or that follows a display.
    kept = []
    for line in lines:
        if line == ".Pp" and (not kept or kept[-1] in (".Pp", ".Ed")):
            continue
        kept.append(line)
    return kept[:-1] if kept and kept[-1] == ".Pp" else kept


def flag(name):
    """The flag of a name, for mdoc, which puts a hyphen before it."""
    return ("\\-" if name["kind"] == "long" else "") + escaped(name["name"])


def synopsis(argument):
    value = escaped(argument.get("valueName") or "value")
    if argument["kind"] == "positional":
        call = f"Ar {value}"
    else:
        call = f"Fl {flag(argument['preferredName'])}" + (f" Ar {value}" if argument["kind"] == "option" else "")
    dots = " ..." if argument["isRepeating"] else ""
    return f".Op {call}{dots}" if argument["isOptional"] else f".{call}{dots}"


def item(argument):
    value = escaped(argument.get("valueName") or "value")
    if argument["kind"] == "positional":
        head = f".It Ar {value}"
    else:
        names = " , ".join(f"Fl {flag(name)}" for name in argument["names"])
        head = f".It {names}" + (f" Ar {value}" if argument["kind"] == "option" else "")
    text = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
    if argument.get("defaultValue"):
        text += f" The default is {argument['defaultValue']}."
    return [head, *(filled(text) or ["."])]


def shown(entries):
    return [entry for entry in entries or [] if entry.get("shouldDisplay", True)]


def variables(arguments):
    """The environment variables that options name in brackets, with their options."""
    found = {}
    for argument in arguments:
        for name in re.findall(r"\[(LONGBOX_[A-Z_]+)\]", argument.get("abstract") or ""):
            found[name] = argument
    return sorted(found.items())


@cache
def exit_codes():
    """The exit codes with their meanings, from the table of docs/cli.md."""
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", (ROOT / "docs/cli.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not rows:
        sys.exit("make-man-pages.py: docs/cli.md has no table of exit codes.")
    return [(code, meaning[0].upper() + meaning[1:].replace("`", "") + ".") for code, meaning in rows]


def page(command, names, date, children, version):
    """A man page, as lines of mdoc."""
    title = "-".join(names)
    arguments = shown(command.get("arguments"))
    positional = [argument for argument in arguments if argument["kind"] == "positional"]
    options = [argument for argument in arguments if argument["kind"] != "positional"]
    lines = [
        ".\\\" Made from the program's own description of its commands by scripts/make-man-pages.py.",
        f".Dd {date:%B} {date.day}, {date.year}",
        f".Dt {title.upper()} 1",
        f".Os Longbox {version}",
        ".Sh NAME",
        f".Nm {escaped(title)}",
        f".Nd {escaped((command.get('abstract') or title).rstrip('.'))}",
        ".Sh SYNOPSIS",
        f".Nm {' '.join(escaped(name) for name in names)}",
        *[synopsis(argument) for argument in options + positional],
    ]
    if children:
        lines += [".Ar command", ".Op Ar argument ..."]
    lines += [".Sh DESCRIPTION", *(paragraphs(command.get("discussion") or command.get("abstract") or title))]
    if children:
        lines += [".Ss Commands", ".Bl -tag -width Ds"]
        for child in children:
            page_name = escaped("-".join([*names, child["commandName"]]))
            lines += [f".It Xr {page_name} 1", *filled(child.get("abstract") or "See its page.")]
        lines += [".El"]
    if positional:
        lines += [".Ss Arguments", ".Bl -tag -width Ds", *[line for one in positional for line in item(one)], ".El"]
    if options:
        lines += [".Ss Options", ".Bl -tag -width Ds", *[line for one in options for line in item(one)], ".El"]
    if found := variables(arguments):
        lines += [".Sh ENVIRONMENT", ".Bl -tag -width Ds"]
        for name, argument in found:
            lines += [f".It Ev {name}", f"The same as\n.Fl {flag(argument['preferredName'])} ."]
        lines += [".El"]
    lines += [".Sh FILES", ".Bl -tag -width Ds"]
    for file, text in FILES:
        lines += [f".It Pa {escaped(file)}", *filled(text)]
    lines += [".El", ".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    for code, text in exit_codes():
        lines += [f".It {code}", *filled(text)]
    lines += [".El"]
    others = ["longbox"] if len(names) > 1 else []
    if len(names) > 2:
        others.append("-".join(names[:-1]))
    if others:
        lines += [".Sh SEE ALSO", *[f".Xr {escaped(other)} 1{' ,' if other != others[-1] else ''}" for other in others]]
    return lines


def write(command, names, folder, date, version):
    children = [child for child in shown(command.get("subcommands")) if child["commandName"] != "help"]
    lines = page(command, names, date, children, version)
    (folder / f"{'-'.join(names)}.1").write_text("\n".join(lines) + "\n", encoding="ascii")
    for child in children:
        write(child, [*names, child["commandName"]], folder, date, version)


def main(program, folder):
    def output(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    date = datetime.fromtimestamp(int(seconds), UTC) if seconds else datetime.now(UTC)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = json.loads(output("--experimental-dump-help"))["command"]
    write(command, [command["commandName"]], folder, date, output("--version").strip())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
