#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Types a line in zsh at a terminal, then Tab and Ctrl-D, and prints what zsh shows until a word appears.

complete-in-zsh.py FOLDER LINE WORD

The folder has the completion script. Tab inserts a single match into the line, and Ctrl-D lists several. If the word doesn't
appear, it fails after a minute.
"""

import os
import pty
import re
import select
import sys
import time


def read(terminal, mark, seconds=60):
    """What comes from the terminal until it matches a mark; exits if it never does."""
    data, end = b"", time.monotonic() + seconds
    while not re.search(mark, data, re.DOTALL):
        if time.monotonic() > end:
            sys.exit(f"In {seconds} seconds zsh never showed {mark}, but: {data.decode(errors='replace')}")
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data += os.read(terminal, 65536)
            except OSError:
                sys.exit(f"zsh ended without {mark}, after: {data.decode(errors='replace')}")
    return data


folder, line, word = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    os.environ.update(TERM="dumb", PS1="> ", COLUMNS="200")
    os.execvp("zsh", ["zsh", "-f", "-i"])
os.write(
    terminal, f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u; setopt list_rows_first; print REA''DY\n".encode()
)
# After the prompt, zsh reads keys and not lines.
read(terminal, rb"READY\r\n.*> ")
os.write(terminal, line.encode() + b"\t\x04")
# zsh doesn't mark the end of a list.
print(read(terminal, re.escape(word.encode())).decode(errors="replace"))
os.write(terminal, b"\x03exit\n")
os.close(terminal)
os.waitpid(process, 0)
