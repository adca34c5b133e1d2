# Longbox
# SPDX-License-Identifier: MIT
"""What can go wrong beside the server, and what the server must do then."""

import contextlib
import subprocess
import time

import pytest

import programs
import waiting

QUIET = {"LONGBOX_FILL": "false", "LONGBOX_XKCD_RATE": 200}


def server(data, upstream=None, **settings):
    """A server that fetches only what readers ask for."""
    return programs.server(data, upstream or programs.closed_address(), **QUIET | settings)


def until_it_answers(reader, path, timeout=60):
    """Waits until a reader gets a page or a picture."""
    waiting.until_answered(lambda: reader.get(path).status == 200, f"{path} is answered", timeout=timeout)


def kill_while_writing(process, data, seconds, idle=5):
    """Kills a process some seconds after its next write to the database, or after `idle` seconds without a write.

    The time is random: the tests need kills at all stages of its work.
    """
    log = data / "longbox.sqlite-wal"

    def last_write():
        with contextlib.suppress(FileNotFoundError):
            return log.stat().st_mtime_ns

    before, end = last_write(), time.monotonic() + idle
    while last_write() == before and process.poll() is None and time.monotonic() < end:
        waiting.let_pass(0.002)
    waiting.let_pass(seconds)
    process.kill()
    process.wait()


def command(*words):
    """Runs a command of the system; returns whether it worked, and what it said."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr.strip()


@contextlib.contextmanager
def mounted(folder, *options):
    """Mounts something on a folder; skips the test where that is not allowed."""
    done, said = command("mount", *options, folder)
    if not done:
        pytest.skip(f"this needs the right to mount a file system: {said}")
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
        done, said = command("mount", "-o", "remount,bind,ro", folder)
        assert done, said
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


def assert_it_reads(address, number=1):
    """A reader without a library gets a stored page at once."""
    status, _, body = programs.get(f"{address}/{number}/")
    assert status == 200 and b"</html>" in body


def assert_not_saved(answer):
    """A form or a sync was refused with the reason."""
    assert answer.status in (503, 507), (answer.status, answer.text)
    assert "Not saved" in answer.text or "Nothing was changed or lost" in answer.text, answer.text


def assert_sound(data):
    report = programs.status(data)
    assert report["isSound"], report
