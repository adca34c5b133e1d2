#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Tests scripts/run_tests.py by made-up commands in place of the runners of tests."""

import signal
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import run_tests  # noqa: E402  (found by the line above)


class RunnerTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, value in {
            "LOGS": Path(folder.name),
            "SWIFT": ["bash", "-c"],
            "PYTEST": ["bash", "-c"],
            "SILENT_SECONDS": 1,
        }.items():
            self.addCleanup(setattr, run_tests, name, getattr(run_tests, name))
            setattr(run_tests, name, value)
        self.again = Path(folder.name, "again")
        self.output = StringIO()
        redirect = redirect_stdout(self.output)
        redirect.__enter__()
        self.addCleanup(redirect.__exit__, None, None, None)

    def script(self, first: str, second: str) -> str:
        """A command that does one thing when it runs first, and another after that."""
        return f'if [[ -e "{self.again}" ]]; then {second}; else touch "{self.again}"; {first}; fi'

    def unstable(self) -> str:
        file = run_tests.LOGS / "unstable.out"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def test_what_passes_runs_once(self) -> None:
        self.assertTrue(run_tests.pytest("faults", self.script("echo 3 passed", "exit 1"))())
        self.assertTrue(run_tests.are_few_unstable())
        self.assertEqual((run_tests.closing_lines(), self.unstable()), (["3 passed"], ""))

    def test_few_failures_run_again(self) -> None:
        first = "echo 'FAILED Tests/a.py::test_b - AssertionError: c - d'; echo 1 failed; exit 1"
        self.assertTrue(run_tests.pytest("faults", self.script(first, "echo 1 passed"))())
        self.assertEqual(self.unstable(), "faults: Tests/a.py::test_b\n")
        self.assertEqual(run_tests.closing_lines(), ["1 failed", "1 passed"])
        self.assertTrue(run_tests.are_few_unstable())

    def test_what_fails_twice_fails(self) -> None:
        self.assertFalse(run_tests.pytest("faults", "echo 'FAILED Tests/a.py::test_b'; exit 1")())
        self.assertEqual((run_tests.failures(), self.unstable()), (["FAILED Tests/a.py::test_b"] * 2, ""))

    def test_many_failures_and_crashes_dont_run_again(self) -> None:
        many = "; ".join(f"echo ERROR Tests/a.py::test_{number}" for number in range(run_tests.MOST_AGAIN + 1))
        for first in (f"{many}; exit 1", "exit 1", "kill -9 $$"):
            self.again.unlink(missing_ok=True)
            self.assertFalse(run_tests.pytest("faults", self.script(first, "exit 0"))())

    def test_more_unstable_tests_than_a_busy_machine_explains_fail_the_run(self) -> None:
        run_tests.note_unstable("swift", ["a", "b"])
        self.assertTrue(run_tests.are_few_unstable())
        run_tests.note_unstable("browser", ["c", "d"])
        self.assertFalse(run_tests.are_few_unstable())

    def swift_lines(self, *lines: str, code: int = 1) -> str:
        return "; ".join([*(f"echo '{line}'" for line in lines), f"exit {code}"])

    def test_swift_tests_that_fail_run_again(self) -> None:
        first = self.swift_lines(
            '◇ Test "a (b)" started.', "◇ Test c() started.", '✘ Test "a (b)" failed after 1.0 seconds with 1 issue.',
            "✔ Test c() passed after 1.0 seconds.", "✘ Test run with 2 tests in 1 suite failed after 1.0 seconds with 1 issue.",
        )  # fmt: skip
        second = self.swift_lines(
            '✔ Test "a (b)" with 2 test cases passed after 1.0 seconds.',
            "✔ Test run with 1 test passed after 1.0 seconds.",
            code=0,
        )
        run_tests.SWIFT = ["bash", "-c", self.script(first, second)]
        self.assertTrue(run_tests.swift()())
        self.assertEqual(self.unstable(), "swift: a (b)\n")
        self.assertEqual([line[:20] for line in run_tests.closing_lines()], ["✘ Test run with 2 te", "✔ Test run with 1 te"])
        self.assertNotIn("◇", self.output.getvalue())

    def test_swift_tests_that_pass_neither_time_or_crash_fail(self) -> None:
        ended = '✘ Test "a" failed after 1.0 seconds.', "✘ Test run with 1 test failed after 1.0 seconds."
        run_tests.SWIFT = ["bash", "-c", self.swift_lines(*ended)]
        self.assertFalse(run_tests.swift()())
        run_tests.SWIFT = ["bash", "-c", self.script(self.swift_lines(ended[0]), "exit 0")]
        self.assertFalse(run_tests.swift()())

    def test_a_swift_test_that_hangs_is_named_and_all_run_again(self) -> None:
        passed = self.swift_lines("✔ Test c() passed after 1.0 seconds.", code=0)
        run_tests.SWIFT = ["bash", "-c", self.script("echo '◇ Test c() started.'; sleep 60", passed)]
        self.assertTrue(run_tests.swift()())
        self.assertIn("== Hung: c()", self.output.getvalue())
        self.assertEqual(self.unstable(), "swift: c()\n")

    def test_each_suite_has_a_closing_line_and_its_tests(self) -> None:
        begun: dict[str, list[str]] = {}
        self.addCleanup(setattr, run_tests, "pytest", run_tests.pytest)
        run_tests.pytest = lambda suite, *words, **_: begun.setdefault(suite, list(words)) and (lambda: True)
        run_tests.lanes()
        self.assertEqual(sorted(begun), sorted(run_tests.SUITES))
        root = Path(run_tests.__file__).resolve().parents[1]
        paths = [word for words in begun.values() for word in words if word.startswith("Tests/")]
        self.assertEqual([path for path in paths if not (root / path).exists()], [])

    def test_a_lane_ends_at_the_first_step_that_fails(self) -> None:
        done: list[str] = []
        steps = [run_tests.Step(name, lambda name=name: not done.append(name) and name != "b") for name in "abc"]
        self.assertFalse(run_tests.run_lane(steps))
        self.assertEqual(done, ["a", "b"])

    def test_lanes_run_beside_and_end_with_the_runner(self) -> None:
        # A command that was started in the background ignores it, and so would its lanes.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        ready, mark = run_tests.LOGS / "ready", run_tests.LOGS / "cleaned"
        with run_tests.Beside("bash", "-c") as beside:
            beside.begin("echo one; exit 0")
            self.assertTrue(beside.finish("echo one; exit 0"))
            beside.begin("exit 3")
            self.assertFalse(beside.finish("exit 3"))
            lane = f"trap 'touch {mark.name}; exit' INT; touch {ready.name}; sleep 60 & wait"
            beside.processes["last"] = subprocess.Popen(["bash", "-c", lane], cwd=run_tests.LOGS, start_new_session=True)
            while not ready.exists():
                time.sleep(0.01)  # noqa: TID251  (for the file, which nothing announces)
        self.assertTrue(mark.exists())
        self.assertIn("one", self.output.getvalue())


if __name__ == "__main__":
    unittest.main(verbosity=0)
