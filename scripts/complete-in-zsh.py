#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Types a line in zsh at a terminal, then Tab and Ctrl-D, and prints what zsh shows in the next three seconds.

complete-in-zsh.py FOLDER LINE

The folder has the completion script. Tab inserts a single match into the line, and Ctrl-D lists several.
"""

import os
import pty
import select
import sys
import time


def read(terminal, until, seconds=20):
    """What comes from the terminal until a mark does."""
    data, end = b"", time.monotonic() + seconds
    while until not in data and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data += os.read(terminal, 65536)
            except OSError:
                break
    return data


folder, line = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    os.environ.update(TERM="dumb", PS1="> ", COLUMNS="200")
    os.execvp("zsh", ["zsh", "-f", "-i"])
os.write(
    terminal, f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u; setopt list_rows_first; print REA''DY\n".encode()
)
read(terminal, b"READY\r\n")
# zsh doesn't mark the end of a list, so this reads for three seconds.
os.write(terminal, line.encode() + b"\t\x04")
print(read(terminal, b"--never--", seconds=3).decode(errors="replace"))
os.write(terminal, b"\x03exit\n")
os.close(terminal)
os.waitpid(process, 0)
