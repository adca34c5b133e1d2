#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Runs the Swift tests that scripts/build-tests.sh has built; arguments go to `swift test`.

A machine can be too busy for a test that waits for something. So up to five tests that fail run once more, and those that
pass then are named as unstable, which is a defect to look into. If a test hangs, it is named, and all tests run once more.
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

# A name is in quotation marks, or that of a function.
STARTED = re.compile(r'◇ Test (?:"(.+)"|(\S+\(.*\))) started\.$')
ENDED = re.compile(r'[✔✘➜] Test (?:"(.+?)"|(\S+\(.*?\)))(?: with \d+ test cases?)? (passed|failed|skipped)(?: after|[.:]|$)')


@dataclass
class Run:
    """What a run of tests has printed so far."""

    running: Counter[str] = field(default_factory=Counter)
    failed: set[str] = field(default_factory=set)
    hangs: bool = False

    def read(self, line: str) -> None:
        """Notes which tests run, and which have failed."""
        if match := STARTED.match(line):
            self.running[match[1] or match[2]] += 1
        elif match := ENDED.match(line):
            name = match[1] or match[2]
            self.running[name] -= 1
            if match[3] == "failed":
                self.failed.add(name)


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
    arguments = sys.argv[1:]
    seen, code = run("swift-test.log", arguments)
    if code == 0:
        return 0
    unstable = sorted(seen.failed)
    if seen.hangs:
        unstable += [f"{name} (hung)" for name in sorted(+seen.running)]
    elif not 1 <= len(unstable) <= MOST_AGAIN:
        return 1
    else:
        # The filter is a regular expression.
        arguments = [word for name in unstable for word in ("--filter", re.sub(r"[^\w ]", ".", name))]
    print("\n== Run unstable tests again:", ", ".join(unstable), flush=True)
    if run("swift-again.log", arguments)[1] != 0:
        return 1
    for name in unstable:
        print("Unstable, since it passed only when it ran again:", name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
