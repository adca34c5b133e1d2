# Longbox
# SPDX-License-Identifier: MIT
"""Faults around the server, and checks of what the server must do then."""

import collections
import contextlib
import http.client
import subprocess
import time

import pytest

import programs
import waiting

QUIET = {"LONGBOX_FILL": "false", "LONGBOX_XKCD_RATE": 200}


def server(data, upstream=None, **settings):
    """A server that fetches only what readers ask for."""
    return programs.server(data, upstream or programs.closed_address(), **QUIET | settings)


def until_served(reader, path, timeout=60):
    """Waits until a reader gets a page or a picture; the failure names what the reader got instead."""
    got = collections.Counter()

    def is_served():
        try:
            answer = reader.get(path).status
        except (OSError, http.client.HTTPException) as error:
            answer = type(error).__name__
        got[answer] += 1
        return answer == 200

    with contextlib.suppress(AssertionError):
        return waiting.until(is_served, f"{path} is answered", timeout=timeout)
    pytest.fail(f"In {timeout} seconds {path} was not answered, but: {dict(got)}.")


def kill_while_writing(process, data, seconds, idle=5):
    """Kills a process some seconds after its next write to the database, or after `idle` seconds without a write.

    The time is random: the tests need kills at all stages of its work.
    """
    log = data / "longbox.sqlite-wal"

    def last_write():
        with contextlib.suppress(FileNotFoundError):
            return log.stat().st_mtime_ns

    before, end = last_write(), time.monotonic() + idle

    def is_time():
        return last_write() != before or process.poll() is not None or time.monotonic() >= end

    waiting.until(is_time, "the process writes, ends or is idle", pause=0.002)
    waiting.let_pass(seconds)
    process.kill()
    process.wait()


def command(*words):
    """Runs a command of the system; returns whether it worked, and its error message."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr.strip()


@contextlib.contextmanager
def mounted(folder, *options):
    """Mounts something on a folder; skips the test where that is not allowed."""
    is_done, error = command("mount", *options, folder)
    if not is_done:
        pytest.skip(f"this needs the right to mount a file system: {error}")
    try:
        yield
    finally:
        command("umount", "--lazy", folder)


def small_disk(folder, megabytes):
    """A file system of its own on a folder."""
    return mounted(folder, "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs")


@contextlib.contextmanager
def read_only(folder):
    """Makes a folder read-only; files that are open already stay writable."""
    with mounted(folder, "--bind", folder):
        is_done, error = command("mount", "-o", "remount,bind,ro", folder)
        assert is_done, error
        yield


@contextlib.contextmanager
def full(folder):
    """Fills the file system of a folder to the last byte."""
    filler = folder / "filler"
    try:
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            for size in (1 << 20, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while file.write(b"x" * size):
                        pass
        yield
    finally:
        filler.unlink()


def assert_pages_are_served(address, number=1):
    """Checks that a reader without a library gets a stored page."""
    status, _, body = programs.get(f"{address}/{number}/")
    assert status == 200 and b"</html>" in body


def assert_not_saved(answer):
    """Checks that a form or a sync was rejected with the reason."""
    assert answer.status in (503, 507), (answer.status, answer.text)
    assert "Not saved" in answer.text or "Nothing was changed or lost" in answer.text, answer.text


def reported(data, what, **settings):
    """A fact that 'longbox status' reports; None if there is none, or as long as nothing is stored."""
    report = programs.status(data, **settings)
    return report and report.get(what)


def assert_sound(data):
    """Checks that nothing in a data folder is missing or damaged."""
    report = programs.status(data)
    assert report["isSound"], report
