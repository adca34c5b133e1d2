#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Runs the Swift tests that scripts/build-tests.sh has built; arguments go to `swift test`.

A machine can be too busy for a test that waits for something. So up to five tests that fail run once more, and those that
pass then are named as unstable, which is a defect to look into. If a test hangs, it is named, and all tests run once more.
If the tests crash, nothing runs again.
"""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

LOGS = Path(".build/logs")
COMMAND = "swift test -c release --scratch-path .build/tests --skip-build --disable-xctest".split()
# At most 8 at once: more would time out waiting for each other.
WIDTH = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8"}
# After so long without output, a test hangs. Only its end is printed, and the slowest takes two minutes on a busy machine.
SILENT_SECONDS = 360
MOST_AGAIN = 5
# Some lines have megabytes of arguments.
LONGEST_LINE = 1000

# A name is in quotation marks, or that of a function. What a test prints may stand before it on the line.
STARTED = re.compile(r'◇ Test (?:"(.+)"|(\S+\(.*\))) started\.$')
ENDED = re.compile(r'[✔✘➜] Test (?:"(.+?)"|(\S+\(.*?\)))(?: with \d+ test cases?)? (passed|failed|skipped)(?: after|[.:]|$)')
# The last line; a process that crashes prints none.
SUMMARY = re.compile(r"[✔✘] Test run with \d+ tests? ")


@dataclass
class Run:
    """What a run of tests has printed so far: which tests run, have passed and have failed, and whether all have ended."""

    running: Counter[str] = field(default_factory=Counter)
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    hangs: bool = False
    is_complete: bool = False

    def read(self, line: str) -> None:
        """Notes what a line says."""
        if match := STARTED.search(line):
            self.running[match[1] or match[2]] += 1
        elif match := ENDED.search(line):
            name = match[1] or match[2]
            self.running[name] -= 1
            if match[3] == "failed":
                self.failed.add(name)
            elif match[3] == "passed":
                self.passed.add(name)
        elif SUMMARY.search(line):
            self.is_complete = not +self.running


def run(log: str, arguments: Sequence[str]) -> tuple[Run, int]:
    """Runs tests, and prints and logs what they print, without the starts; returns the exit code, too."""
    seen = Run()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=WIDTH | os.environ,
        start_new_session=True,
    )
    assert process.stdout

    def end_hanging(_signal: int, _frame: FrameType | None) -> None:
        seen.hangs = True
        os.killpg(process.pid, signal.SIGKILL)

    signal.signal(signal.SIGALRM, end_hanging)
    signal.alarm(SILENT_SECONDS)
    try:
        with open(LOGS / log, "w", encoding="utf-8") as file:
            for line in process.stdout:
                signal.alarm(SILENT_SECONDS)
                text = line.decode(errors="replace").rstrip("\n")
                seen.read(text)
                if text.startswith("◇"):
                    continue
                if len(text) > LONGEST_LINE:
                    text = text[:LONGEST_LINE] + " ..."
                for output in (sys.stdout, file):
                    print(text, file=output, flush=True)
        return seen, process.wait()
    finally:
        signal.alarm(0)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def main() -> int:
    # So that a stop from outside ends the tests, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    LOGS.mkdir(parents=True, exist_ok=True)
    arguments = sys.argv[1:]
    seen, code = run("swift-test.log", arguments)
    if code == 0:
        return 0
    unstable = sorted(seen.failed)
    if seen.hangs:
        hung = sorted(+seen.running)
        print("\n== Hung:", ", ".join(hung), flush=True)
        unstable += hung
    elif not seen.is_complete or not 1 <= len(unstable) <= MOST_AGAIN:
        # After a crash, the tests that had not run yet would never run.
        return 1
    else:
        # The filter is a regular expression.
        arguments = [word for name in unstable for word in ("--filter", re.sub(r"[^\w ]", ".", name))]
    print("\n== Run unstable tests again:", ", ".join(unstable), flush=True)
    again, code = run("swift-again.log", arguments)
    if missing := [name for name in unstable if name not in again.passed]:
        print("Not passed when they ran again:", ", ".join(missing), flush=True)
    if code != 0 or missing:
        return 1
    for name in unstable:
        print("Unstable, since it passed only when it ran again:", name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
