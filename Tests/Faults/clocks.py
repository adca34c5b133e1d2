# Longbox
# SPDX-License-Identifier: MIT
"""A server's clock that a test sets (by libfaketime)."""

import os
import time
from pathlib import Path

import pytest

import faults

DAY = 86_400


class Clock:
    """The time of day of a server; its timers are not affected."""

    def __init__(self, folder):
        libraries = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        if not libraries:
            pytest.skip("libfaketime is not installed")
        self.file = folder / "clock"
        self.servers = []
        self.jump(0)
        self.settings = {
            "LD_PRELOAD": libraries[0],
            "FAKETIME_TIMESTAMP_FILE": self.file,
            "FAKETIME_NO_CACHE": 1,
            "FAKETIME_DONT_FAKE_MONOTONIC": 1,
            "NO_FAKE_STAT": 1,
        }

    def server(self, data, upstream=None, **settings):
        """A server with this clock."""
        server = faults.server(data, upstream, **self.settings, **settings)
        # The library's first process changes its environment, and Swift would not find its arguments after that.
        server.command = ["/bin/sh", "-c", 'exec "$0" "$@"', *server.command]
        self.servers.append(server)
        return server

    def close(self):
        """Removes what the library leaves in memory."""
        for server in self.servers:
            for name in (f"faketime_shm_{server.process.pid}", f"sem.faketime_sem_{server.process.pid}"):
                Path("/dev/shm", name).unlink(missing_ok=True)

    def jump(self, days):
        """Sets the clock to some days from now."""
        self._set(days * DAY)

    def set_to_noon(self):
        """Sets the clock to noon of today, in UTC."""
        self._set(DAY // 2 - int(time.time()) % DAY)

    def _set(self, seconds):
        new = self.file.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n", encoding="utf-8")
        os.replace(new, self.file)
