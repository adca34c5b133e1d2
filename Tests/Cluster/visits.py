# Longbox
# SPDX-License-Identifier: MIT
"""What the sources see of the nodes: longbox-replay's log of requests."""

import contextlib
import datetime
import http.client
import json
import threading

import programs

# One request after another, and up to five more at once for readers: see `Source.pace`.
BURST = 6


class Visits:
    """Collects the requests, which longbox-replay doesn't keep for long, as a context manager."""

    def __init__(self, address, host, rate):
        self.address, self.host, self.rate = address, host, rate
        self.entries = {}
        self._is_over = threading.Event()

    def __enter__(self):
        self._thread = threading.Thread(target=self._collect)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()

    def _collect(self):
        while not self._is_over.wait(1):
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.look()

    def look(self):
        with self.host.inside():
            state = json.loads(programs.get(f"{self.address}/_replay/state?last=1000")[2])
        for entry in state["requests"]:
            self.entries[entry["id"]] = entry

    def of(self, *sources):
        """Time, node and path of all requests to some sources, oldest first."""
        self.look()
        found = []
        for entry in list(self.entries.values()):
            if entry["source"] in sources:
                time = datetime.datetime.fromisoformat(entry["time"]).timestamp()
                found.append((time, entry["userAgent"].partition("node-")[2].partition("@")[0], entry["path"]))
        return sorted(found)

    def haste(self):
        """How many seconds a request to xkcd came too early, at most, for the pace of one visitor."""
        interval = 1 / self.rate
        full = worst = 0
        for time, _, _ in self.of("xkcd", "imgs"):
            worst = max(worst, full - interval * (BURST - 1) - time)
            full = max(time, full) + interval
        return worst

    def changes(self):
        """The requests to xkcd and explain xkcd with which another node went on."""
        requests = self.of("xkcd", "imgs", "explain")
        return [after for before, after in zip(requests, requests[1:], strict=False) if before[1] != after[1]]
