# Longbox
# SPDX-License-Identifier: MIT
"""Import of the text of all comics, compared with a minimal import in Python's json and sqlite3."""

import json
import sqlite3
import statistics
import time

import measure
import programs


def ours(folder, data):
    started = time.perf_counter()
    result = programs.longbox("import", "--text-only", folder, data=data)
    assert result.returncode == 0, result.stderr
    return time.perf_counter() - started


def peers(folder, file):
    """Parses each line as JSON and stores the line, in one transaction."""
    started = time.perf_counter()
    database = sqlite3.connect(file)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE comic (number INTEGER PRIMARY KEY, raw BLOB NOT NULL) STRICT")
    with (folder / "comics.jsonl").open("rb") as lines, database:
        rows = ((json.loads(line)["num"], line.strip()) for line in lines)
        database.executemany("INSERT INTO comic VALUES (?, ?)", rows)
    database.close()
    return time.perf_counter() - started


def measure_import(setting):
    folder = setting.recording / "xkcd"
    count = sum(1 for _ in (folder / "comics.jsonl").open("rb"))
    times = [
        (ours(folder, setting.scratch / f"imported-{run}"), peers(folder, setting.scratch / f"peer-{run}.sqlite"))
        for run in range(setting.rounds)
    ]
    mine, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    yield measure.Figure(f"import of {count:,} records' text", mine, theirs, "Python's sqlite3", "s", "under 3 s", mine < 3)
