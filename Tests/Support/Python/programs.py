# Longbox
# SPDX-License-Identifier: MIT
"""Starts and stops Longbox's programs, for tests, screenshots and benchmarks."""

import copy
import json
import os
import re
import select
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# The return codes of processes that ended by a fault of their own.
CRASHES = {-number for number in (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV)}

# The exit code of a command for which nothing is stored yet (EX_NOINPUT).
NOTHING_STORED = 66


def binaries():
    """The folder with the built programs: LONGBOX_BINARIES, or the debug build."""
    folder = Path(os.environ.get("LONGBOX_BINARIES", ROOT / ".build" / "debug"))
    if not (folder / "longbox").exists():
        raise FileNotFoundError(f"{folder}/longbox is not built; run 'swift build' or set LONGBOX_BINARIES.")
    return folder.resolve()


def recorded_data():
    """The folder with recorded data (LONGBOX_SHARED/data, or ../shared/data), or None if there is none."""
    folder = Path(os.environ.get("LONGBOX_SHARED", ROOT.parent / "shared")) / "data"
    return folder.resolve() if (folder / "xkcd" / "comics.jsonl").is_file() else None


def environment(**settings):
    """This process's environment, with `settings` as its only LONGBOX_ variables."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("LONGBOX_")}
    # Without the system's bus a server can't publish its name in this machine's network.
    inherited["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent"
    return inherited | {name: str(value) for name, value in settings.items()}


def closed_address():
    """A local address that refuses connections."""
    return "http://127.0.0.1:9"


class Program:
    """One of Longbox's HTTP servers, as a context manager: it runs while the context is open.

    The program prints its address on standard output. Its log goes to a file; if it doesn't start, the error contains
    the log. `timeout` is the maximum time to start, in seconds.
    """

    def __init__(self, name, *arguments, settings=None, timeout=60):
        self.command = [str(binaries() / name), *map(str, arguments)]
        self.settings = settings or {}
        self.timeout = timeout
        self.address = None
        self.process = None
        self.log = None

    def __enter__(self):
        self.log = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(
            self.command,
            env=environment(**self.settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        try:
            self.address = self._address()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        crash = self.process.poll() in CRASHES
        try:
            end(self.process)
        finally:
            self.process.stdout.close()
            logged = self.logged() if crash else ""
            self.log.close()
        if crash:
            raise RuntimeError(f"{' '.join(self.command)} crashed ({self.process.returncode}).\n{logged[-4000:]}")

    def again(self):
        """The same program, to start it again at the same address when it has ended."""
        again = copy.copy(self)
        again.settings = self.settings | {"LONGBOX_PORT": urllib.parse.urlsplit(self.address).port}
        return again

    def kill(self):
        """Kills it without a chance to clean up, like a power cut."""
        self.process.kill()
        self.process.wait()

    def logged(self):
        """Its log (standard error) so far."""
        # Opened again, because the process writes where this file is read.
        with open(f"/proc/self/fd/{self.log.fileno()}", encoding="utf-8", errors="replace") as log:
            return log.read()

    def _address(self):
        deadline = time.monotonic() + self.timeout
        while (left := deadline - time.monotonic()) > 0:
            ready, _, _ = select.select([self.process.stdout], [], [], left)
            line = self.process.stdout.readline() if ready else ""
            if found := re.search(r"http://[^\s/]+:\d+(/\S+)?", line):
                return found.group()
            if not line:
                break
        raise RuntimeError(f"{' '.join(self.command)} printed no address.\n{self.logged()}")


def end(process):
    """Ends a process by SIGTERM; if it doesn't end within a minute, kills it and raises an error."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired as error:
            process.kill()
            process.wait()
            raise RuntimeError(f"{' '.join(map(str, process.args))} ignored SIGTERM for a minute.") from error


def replay(data):
    """longbox-replay, serving the recording in the folder `data`."""
    return Program("longbox-replay", "--data", data, "--port", 0)


def server(data, upstream, **settings):
    """A server with the data folder `data`; `upstream` is the address of all its sources."""
    return Program(
        "longbox",
        "serve",
        settings={
            "LONGBOX_DATA": data,
            "LONGBOX_HOST": "127.0.0.1",
            "LONGBOX_PORT": 0,
            "LONGBOX_XKCD_URL": upstream,
            "LONGBOX_XKCD_IMAGES_URL": upstream,
            "LONGBOX_EXPLAIN_URL": f"{upstream}/explain/api.php",
            "LONGBOX_EXPLAIN_RATE": 50,
            "LONGBOX_ITUNES_URL": f"{upstream}/itunes",
            "LONGBOX_ITUNES_RATE": 6000,
            "LONGBOX_ARTWORK_URL": f"{upstream}/artwork",
            "LONGBOX_WIKIPEDIA_URL": f"{upstream}/wikipedia/api.php",
            "LONGBOX_CONTACT": "test@example.org",
        }
        # All test browsers have one address, and some fill a library on its first day.
        | {
            "LONGBOX_LIMITS_NEW_LIBRARIES": 100_000,
            "LONGBOX_LIMITS_NEW_LIBRARY_MEGABYTES": 100,
            "LONGBOX_LIMITS_NEW_MEGABYTES_PER_ADDRESS": 100_000,
            "LONGBOX_LIMITS_NEW_SUBSCRIPTIONS": 100_000,
            "LONGBOX_LIMITS_FREE_MEGABYTES": 0,
        }
        | settings,
    )


def begin(*arguments, data, **settings):
    """Starts a longbox command on the data folder `data` and gives its process."""
    return subprocess.Popen(
        [str(binaries() / "longbox"), *map(str, arguments)],
        env=environment(LONGBOX_DATA=data, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def no_sources():
    """Settings with sources that can't be reached, for commands that would ask the real ones."""
    closed = closed_address()
    return {
        "LONGBOX_XKCD_URL": closed,
        "LONGBOX_EXPLAIN_URL": f"{closed}/explain/api.php",
        "LONGBOX_ITUNES_URL": f"{closed}/itunes",
        "LONGBOX_WIKIPEDIA_URL": f"{closed}/wikipedia/api.php",
    }


def longbox(*arguments, data, **settings):
    """Runs a longbox command on the data folder `data` and gives the finished process: stdout, stderr, returncode."""
    return subprocess.run(
        [str(binaries() / "longbox"), *map(str, arguments)],
        env=environment(LONGBOX_DATA=data, **settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def status(data, **settings):
    """The report of 'longbox status --json' on the data folder `data`; None if nothing is stored there yet."""
    result = longbox("status", "--json", data=data, **settings)
    if result.returncode == NOTHING_STORED:
        return None
    if not result.stdout:
        raise RuntimeError(f"longbox status failed ({result.returncode}): {result.stderr}")
    return json.loads(result.stdout)


def get(url, headers=None, context=None):
    """Status, headers and body of a GET request; an HTTP error is not raised. `context` is for HTTPS."""
    request = urllib.request.Request(url, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30, context=context) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
