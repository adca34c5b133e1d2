#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Runs the steps of `make test` in lanes beside each other, and prints what the runners of tests said last.

    run_tests.py [ARGUMENT...]   runs all lanes; the arguments go to pytest of the browser tests
    run_tests.py --swift ...     runs only the Swift tests; the arguments go to `swift test`

A machine can be too busy for a test that waits for something. So up to MOST_AGAIN tests of a suite that fail run once more.
Those that pass then are printed: each is a defect to look into. A busy machine no longer explains more than MOST_AGAIN of them
in the whole run, so the run fails. A Swift test that hangs is named, and all Swift tests run once more. After a crash nothing
runs again.

Logs are in .build/logs: SUITE-test.log and SUITE-again.log, and LANE.out for what a lane printed. When a step fails, the other
lanes end, and its failures end the output. `checks/runner.py` tests all this.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

LOGS = Path(".build/logs")
MOST_AGAIN = 3
# After so long without output, a Swift test hangs. Only its end is printed, and the slowest takes two minutes on a busy machine.
SILENT_SECONDS = 360
# How long a lane may take to clean up after SIGINT, in seconds.
LANE_ENDS = 10
# Some lines of the Swift tests have megabytes of arguments.
LONGEST_LINE = 1000
# Tests make and remove thousands of files. In memory, where it has so much room, the Swift tests take two thirds of the time.
MEMORY_BYTES = 4 << 30

SWIFT = "swift test -c release --scratch-path .build/tests --skip-build --disable-xctest".split()
PYTEST = ["scripts/python.sh", "-m", "pytest"]
# At most 8 at once: more would time out waiting for each other.
SWIFT_WIDTH = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8"}

# A name is in quotation marks, or that of a function. What a test prints may stand before it on the line.
SWIFT_STARTED = re.compile(r'◇ Test (?:"(.+)"|(\S+\(.*\))) started\.$')
SWIFT_ENDED = re.compile(
    r'[✔✘➜] Test (?:"(.+?)"|(\S+\(.*?\)))(?: with \d+ test cases?)? (passed|failed|skipped)(?: after|[.:]|$)'
)
# The last line; a process that crashes prints none.
SWIFT_SUMMARY = re.compile(r"[✔✘] Test run with \d+ tests? ")
PYTEST_FAILED = re.compile(r"(?:FAILED|ERROR) (.+?)(?: - .*)?$")
FAILURE = re.compile(r"✘ Test .*(recorded an issue|failed)|(FAILED|ERROR) ")

# The order of the closing lines.
SUITES = "browser engines nginx caddy attacks growth terminal faults cluster household".split()


@dataclass(frozen=True)
class Step:
    """A title, and what to do; that returns whether it succeeded."""

    title: str
    act: Callable[[], bool]


def run(*words: str) -> Callable[[], bool]:
    return lambda: subprocess.run(words, stdin=subprocess.DEVNULL).returncode == 0


def logged(log: str, words: Sequence[str]) -> bool:
    """Runs a command, and prints and logs what it prints."""
    with (
        open(LOGS / log, "wb") as file,
        subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process,
    ):
        assert process.stdout
        try:
            for line in process.stdout:
                file.write(line)
                sys.stdout.write(line.decode(errors="replace"))
                sys.stdout.flush()
            return process.wait() == 0
        except KeyboardInterrupt:
            # The command has the signal, too, and removes what it has made outside its folder, such as namespaces.
            process.wait()
            raise


def note_unstable(suite: str, names: Sequence[str]) -> None:
    print("Unstable, since they passed only when they ran again:", *names, sep="\n")
    with open(LOGS / "unstable.out", "a", encoding="utf-8") as file:
        file.writelines(f"{suite}: {name}\n" for name in names)


def failed_of(log: str) -> list[str]:
    lines = (LOGS / log).read_text(encoding="utf-8", errors="replace").splitlines()
    return sorted({match[1] for line in lines if (match := PYTEST_FAILED.match(line))})


def pytest(suite: str, *arguments: str, all_again: bool = False) -> Callable[[], bool]:
    """Tests in Python. `all_again` is for tests that follow each other."""

    def act() -> bool:
        # Suites that run at the same time share a folder, so each has its own note of what failed.
        words = [*PYTEST, *arguments, "-o", f"cache_dir={(LOGS / 'cache' / suite).resolve()}"]
        if logged(f"{suite}-test.log", words):
            return True
        failed = failed_of(f"{suite}-test.log")
        if not 1 <= len(failed) <= MOST_AGAIN:
            return False
        title(f"Run {len(failed)} unstable tests again")
        if not logged(f"{suite}-again.log", [*words, "-n", "0", *([] if all_again else ["--last-failed"])]):
            return False
        note_unstable(suite, failed)
        return True

    return act


@dataclass
class SwiftRun:
    """What a run of Swift tests has printed so far: which tests run, have passed and have failed, and whether all have ended."""

    running: Counter[str] = field(default_factory=Counter)
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    hangs: bool = False
    is_complete: bool = False

    def read(self, line: str) -> None:
        if match := SWIFT_STARTED.search(line):
            self.running[match[1] or match[2]] += 1
        elif match := SWIFT_ENDED.search(line):
            name = match[1] or match[2]
            self.running[name] -= 1
            if match[3] == "failed":
                self.failed.add(name)
            elif match[3] == "passed":
                self.passed.add(name)
        elif SWIFT_SUMMARY.search(line):
            self.is_complete = not +self.running


def run_swift(log: str, arguments: Sequence[str]) -> tuple[SwiftRun, int]:
    """Runs Swift tests, and prints and logs what they print, without the starts; returns the exit code, too."""
    seen = SwiftRun()
    process = subprocess.Popen(
        [*SWIFT, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=SWIFT_WIDTH | os.environ,
        start_new_session=True,
    )
    assert process.stdout

    def end_hanging(*_: object) -> None:
        seen.hangs = True
        os.killpg(process.pid, signal.SIGKILL)

    signal.signal(signal.SIGALRM, end_hanging)
    signal.alarm(SILENT_SECONDS)
    try:
        with process, open(LOGS / log, "w", encoding="utf-8") as file:
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


def swift(*arguments: str) -> Callable[[], bool]:
    """The Swift tests, which scripts/build-tests.sh has built."""

    def act() -> bool:
        seen, code = run_swift("swift-test.log", arguments)
        if code == 0:
            return True
        unstable, again = sorted(seen.failed), list(arguments)
        if seen.hangs:
            hung = sorted(+seen.running)
            print("\n== Hung:", ", ".join(hung), flush=True)
            unstable += hung
        elif not seen.is_complete or not 1 <= len(unstable) <= MOST_AGAIN:
            # After a crash, the tests that had not run yet would never run.
            return False
        else:
            # The filter is a regular expression.
            again = [word for name in unstable for word in ("--filter", re.sub(r"[^\w ]", ".", name))]
        title("Run unstable tests again: " + ", ".join(unstable))
        seen, code = run_swift("swift-again.log", again)
        if missing := [name for name in unstable if name not in seen.passed]:
            print("Not passed when they ran again:", ", ".join(missing), flush=True)
        if code != 0 or missing:
            return False
        note_unstable("swift", unstable)
        return True

    return act


def lanes(arguments: Sequence[str] = ()) -> dict[str, list[Step]]:
    """The steps by the name of their lane."""
    spread = ("-n", "2", "--dist", "worksteal")
    # Both proxies pass the path on alike, so each has other pages. Only tests with this mark run: they follow links, send forms,
    # or have scripts that ask the server. The rest of these files looks at what a page shows, which is the same below a path.
    pages = [f"Tests/Browser/test_{name}.py" for name in "overview favorites search settings".split()]
    others = [f"Tests/Browser/test_{name}.py" for name in "albums quiz places feeds".split()]
    below = ("-m", "below_a_path", "--behind")
    recorded = Path(os.environ.get("LONGBOX_SHARED", "../shared"), "data")
    texts = ["Tests/Texts/compare.py", f"{os.environ.get('LONGBOX_BINARIES')}/show-texts", str(recorded)]
    soak = ["scripts/python.sh", "Tests/Soak/soak.py", "--seconds", os.environ.get("SOAK_SECONDS", "60")]
    return {
        # The packages need no web files.
        "packages": [Step("Build the packages", run("scripts/build-tests.sh", "--product", "longbox-replay"))],
        "code": [
            Step("Check the code", run("scripts/lint.sh")),
            Step("Build the WebAssembly", run("scripts/build-wasm.sh")),
            Step("Build the web files", run("scripts/build-web.sh")),
        ],
        "programs": [Step("Build the tests and the programs", run("scripts/build-tests.sh"))],
        # Tests that mostly wait, for time limits, for networks to change, for nodes to fail, run beside those that keep the
        # processor busy.
        "faults": [
            Step("Run the attacks", pytest("attacks", "Tests/Attacks")),
            Step("Read in a terminal", pytest("terminal", "Tests/Terminal", *spread)),
            Step("Run the faults", pytest("faults", "Tests/Faults", *spread)),
            Step("Count the work on growing inputs", pytest("growth", "Tests/Growth")),
            Step("Run a short soak", lambda: logged("soak.log", soak)),
        ],
        "networks": [
            Step(
                "Connect a phone and a stranger to a household's network",
                pytest("household", "Tests/Household", all_again=True),
            ),
            Step("Let nodes fail", pytest("cluster", "Tests/Cluster")),
            # Its list of files goes out of date when a parser uses another file. libFuzzer itself runs by hand.
            Step("Check what the fuzzers read", run("scripts/checks/fuzz.py", os.environ.get("LONGBOX_BINARIES", ""))),
            Step("Run tests of pages behind nginx", pytest("nginx", *pages, *below, "nginx")),
            Step("Run tests of pages behind Caddy", pytest("caddy", *others, *below, "caddy")),
            # The browser tests have shown Chromium all that these do.
            Step(
                "Read in Firefox and WebKit",
                pytest("engines", "Tests/Engines", "-m", "core", "--engines", "firefox,webkit", *spread),
            ),
        ],
        "tests": [
            Step("Run the Swift tests", swift()),
            *([Step("Compare the texts with recorded ones", run(*texts))] if (recorded / "explainxkcd").is_dir() else []),
            # Three processes, since the tests mostly wait for the browser.
            Step("Run the browser tests", pytest("browser", "Tests/Browser", "-n", "3", "--dist", "worksteal", *arguments)),
        ],
    }


BEGAN = float(os.environ.setdefault("LONGBOX_TESTS_BEGAN", str(time.monotonic())))


def title(text: str) -> None:
    """Names a step, with the time since the start: it shows where the time goes."""
    minutes, seconds = divmod(int(time.monotonic() - BEGAN), 60)
    print(f"\n== {text} (after {minutes}:{seconds:02})", flush=True)


def run_lane(steps: Sequence[Step]) -> bool:
    """Runs the steps of a lane until one fails."""
    for step in steps:
        title(step.title)
        if not step.act():
            return False
    return True


class Beside:
    """Lanes that run beside this process, each in a process group of its own, so that all their processes end with it."""

    def __init__(self, *command: str) -> None:
        self.command = command
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def begin(self, lane: str) -> None:
        with open(LOGS / f"{lane}.out", "wb") as output:
            self.processes[lane] = subprocess.Popen(
                [*self.command, lane],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def finish(self, lane: str) -> bool:
        """Waits for a lane, and prints its output."""
        code = self.processes[lane].wait()
        del self.processes[lane]
        print((LOGS / f"{lane}.out").read_text(encoding="utf-8", errors="replace"), end="", flush=True)
        return code == 0

    def __enter__(self) -> "Beside":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
        # Where this process itself runs beside something, its commands ignore SIGINT.
        for process in self.processes.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(LANE_ENDS)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)


def closing_lines() -> list[str]:
    """What each runner of tests said last."""
    lines = []
    for name in ("swift-test", "swift-again"):
        with suppress(FileNotFoundError):
            lines += [
                line for line in (LOGS / f"{name}.log").read_text(encoding="utf-8").splitlines() if SWIFT_SUMMARY.search(line)
            ][-1:]
    for name in [*(f"{suite}-{which}" for suite in SUITES for which in ("test", "again")), "soak"]:
        with suppress(FileNotFoundError):
            lines += (LOGS / f"{name}.log").read_text(encoding="utf-8", errors="replace").splitlines()[-1:]
    return lines


def failures() -> list[str]:
    """The last lines of all logs that name a test that failed."""
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in sorted(LOGS.glob("*.log"))]
    return [line for text in texts for line in text.splitlines() if FAILURE.match(line)][-40:]


def are_few_unstable() -> bool:
    """Prints the tests of all lanes that passed only at the second try; whether a busy machine explains them."""
    with suppress(FileNotFoundError):
        names = (LOGS / "unstable.out").read_text(encoding="utf-8").splitlines()
        print("Passed only when they ran again:", *names, sep="\n")
        return len(names) <= MOST_AGAIN
    return True


@contextmanager
def temporary_files_in_memory() -> Iterator[None]:
    folder = None
    with suppress(OSError):
        if shutil.disk_usage("/dev/shm").free >= MEMORY_BYTES:
            folder = os.environ["TMPDIR"] = tempfile.mkdtemp(dir="/dev/shm", prefix="lb.")
    try:
        yield
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def run_all(arguments: Sequence[str]) -> bool:
    with Beside(sys.executable, __file__, "--lane") as beside:
        beside.begin("packages")
        if not run_lane(lanes()["code"]) or not beside.finish("packages") or not run_lane(lanes()["programs"]):
            return False
    if not os.environ.get("LONGBOX_BINARIES"):
        found = subprocess.run(["scripts/build-tests.sh", "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True)
        os.environ["LONGBOX_BINARIES"] = found.stdout.strip()
    # The folder in memory goes when all lanes have ended.
    with temporary_files_in_memory(), Beside(sys.executable, __file__, "--lane") as beside:
        beside.begin("faults")
        beside.begin("networks")
        if not run_lane(lanes(arguments)["tests"]):
            return False
        title("Wait for the other tests")
        return beside.finish("networks") and beside.finish("faults")


def main() -> int:
    arguments = sys.argv[1:]
    os.chdir(Path(__file__).resolve().parent.parent)
    # So that a stop from outside ends all lanes, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    LOGS.mkdir(parents=True, exist_ok=True)
    if arguments[:1] == ["--lane"]:
        return 0 if run_lane(lanes()[arguments[1]]) else 1
    for file in [*LOGS.glob("*.log"), *LOGS.glob("*.out")]:
        file.unlink()
    if arguments[:1] == ["--swift"]:
        return 0 if swift(*arguments[1:])() else 1
    if not run_all(arguments):
        print("\nFailed:", *failures(), sep="\n")
        return 1
    title("Done")
    few = are_few_unstable()
    print(*closing_lines(), sep="\n")
    if not few:
        print(f"\nFailed: more than {MOST_AGAIN} unstable tests are not explained by a busy machine.")
    return 0 if few else 1


if __name__ == "__main__":
    sys.exit(main())
