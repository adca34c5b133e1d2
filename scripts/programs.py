# Longbox
# SPDX-License-Identifier: MIT
"""Starts and stops Longbox's own programs, for tests, screenshots and measurements."""

import json
import os
import re
import select
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def binaries():
    """The folder of the built programs: LONGBOX_BINARIES, or the debug build."""
    folder = Path(os.environ.get("LONGBOX_BINARIES", ROOT / ".build" / "debug"))
    if not (folder / "longbox").exists():
        raise FileNotFoundError(f"{folder}/longbox is not built; run 'swift build' or set LONGBOX_BINARIES.")
    return folder.resolve()


def recorded_data():
    """The folder of recorded data (LONGBOX_SHARED/data, or ../shared/data), or None where there is none."""
    folder = Path(os.environ.get("LONGBOX_SHARED", ROOT.parent / "shared")) / "data"
    return folder.resolve() if (folder / "xkcd" / "comics.jsonl").is_file() else None


def environment(**settings):
    """This process's environment with no setting of Longbox in it but `settings`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("LONGBOX_")}
    return inherited | {name: str(value) for name, value in settings.items()}


def closed_address():
    """An address of this machine at which nobody listens."""
    return "http://127.0.0.1:9"


class Program:
    """A program of ours that serves HTTP, from its start to its end, as a context manager.

    It says its address in a line on standard output; what it logs goes to a file, and into the error where the
    start fails.
    """

    def __init__(self, name, *arguments, settings=None, patience=60):
        self.command = [str(binaries() / name), *map(str, arguments)]
        self.settings = settings or {}
        self.patience = patience
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
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def kill(self):
        """Ends it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def logged(self):
        """What it has written to standard error so far."""
        self.log.seek(0)
        return self.log.read()

    def _address(self):
        deadline = time.monotonic() + self.patience
        while (left := deadline - time.monotonic()) > 0:
            ready, _, _ = select.select([self.process.stdout], [], [], left)
            line = self.process.stdout.readline() if ready else ""
            if found := re.search(r"http://[^\s/]+:\d+", line):
                return found.group()
            if not line:
                break
        raise RuntimeError(f"{' '.join(self.command)} said no address.\n{self.logged()}")


def replay(data):
    """longbox-replay on the recording in the folder `data`."""
    return Program("longbox-replay", "--data", data, "--port", 0)


def server(data, upstream, **settings):
    """A server with its data in the folder `data`, to which the address `upstream` is all its sources."""
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
        | settings,
    )


def longbox(*arguments, data, **settings):
    """Runs a command of longbox on the data folder `data` to its end; its result has stdout, stderr, returncode."""
    return subprocess.run(
        [str(binaries() / "longbox"), *map(str, arguments)],
        env=environment(LONGBOX_DATA=data, **settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def status(data):
    """What 'longbox status --json' says of the data folder `data`."""
    result = longbox("status", "--json", data=data)
    if not result.stdout:
        raise RuntimeError(f"longbox status failed ({result.returncode}): {result.stderr}")
    return json.loads(result.stdout)


def get(url, headers=None):
    """Status, headers and body of one GET, whatever the status."""
    request = urllib.request.Request(url, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
