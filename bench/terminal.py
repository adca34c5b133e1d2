# Longbox
# SPDX-License-Identifier: MIT
"""The cold start of the reader for the terminal, beside programs that do less: sqlite3's shell, and curl of a server."""

import os
import shutil
import statistics
import subprocess
import time

import measure
import programs

# A comic's text and its number's picture from the store; the least that a program has to do for a comic.
QUERY = "SELECT raw FROM comic WHERE number = 353;"


def milliseconds(command, environment, runs):
    """The median time of a command from exec to exit, its output in a pipe."""
    times = []
    for _ in range(runs + 1):
        started = time.perf_counter()
        subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        times.append((time.perf_counter() - started) * 1000)
    # The first run reads the programs from the disk.
    return statistics.median(times[1:])


def measure_terminal(setting):
    runs = 3 if setting.quick else 40
    folder = setting.library()
    program = str(programs.binaries() / "longbox")
    home = setting.scratch / "home"
    environment = programs.environment(LONGBOX_DATA=folder) | {"HOME": str(home)}
    with setting.server() as server:
        # The server writes the copies of archive and index that a command reads.
        programs.get(server.address + "/353/")
        curl = {
            "text": milliseconds(["curl", "-s", server.address + "/api/comics/353"], environment, runs),
            "search": milliseconds(["curl", "-s", server.address + "/api/search?q=bobby+tables"], environment, runs),
        }
        beside = milliseconds([program, "353", "--text"], environment, runs)
    shell = None
    if shutil.which("sqlite3"):
        command = ["sqlite3", f"file:{folder / 'longbox.sqlite'}?mode=ro", QUERY]
        shell = milliseconds(command, environment, runs)
    text = milliseconds([program, "353", "--text"], environment, runs)
    found = milliseconds([program, "search", "bobby", "tables"], environment, runs)
    yield measure.Figure("longbox 353 --text", text, shell, "sqlite3's shell", "ms", "at most 60 ms", text <= 60)
    yield measure.Figure("longbox 353 --text, beside a server", beside, curl["text"], "curl", "ms", "", None)
    yield measure.Figure("longbox search", found, curl["search"], "curl", "ms", "at most 80 ms", found <= 80)
    least = milliseconds([program, "--version"], os.environ, runs)
    yield measure.Figure("longbox --version, nothing opened", least, None, "", "ms")
