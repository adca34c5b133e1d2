#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Costs of small syncs of a large library: bytes written, time per sync, and time of another reader's form during a sync.

    libraries.py BINARY [--entries 99000] [--syncs 132]

Starts the binary with an empty data folder and no source, sends a library with many read marks, then one entry at a time.
Bytes are those that the process has written by /proc/PID/io; these include its small responses.
"""

import argparse
import http.client
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from sync_messages import request, varint  # noqa: E402  (found by the line above)
from waiting import let_pass  # noqa: E402


def marks(keys):
    """Entries with a one-byte value."""
    return dict.fromkeys(keys, b"\x01")


class Server:
    def __init__(self, binary, folder):
        nowhere = "http://127.0.0.1:9"
        names = ("XKCD", "XKCD_IMAGES", "EXPLAIN", "ITUNES", "ARTWORK", "WIKIPEDIA")
        environment = dict(os.environ, LONGBOX_DATA=folder, LONGBOX_HOST="127.0.0.1", LONGBOX_PORT="0")
        environment |= {f"LONGBOX_{name}_URL": nowhere for name in names}
        self.process = subprocess.Popen(
            [binary, "serve"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.host = self.process.stdout.readline().strip().split("//")[-1].strip("/")

    def post(self, path, body, kind, cookie=None):
        connection = http.client.HTTPConnection(self.host)
        headers = {"Origin": f"http://{self.host}", "Content-Type": kind} | ({"Cookie": cookie} if cookie else {})
        start = time.perf_counter()
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        reply = response.read()
        assert response.status < 400, (response.status, reply[:200])
        return reply, (response.getheader("Set-Cookie") or "").split(";")[0], time.perf_counter() - start

    def sync(self, body, cookie=None):
        return self.post("/sync", body, "application/octet-stream", cookie)

    def written(self):
        with open(f"/proc/{self.process.pid}/io") as file:
            return int(dict(line.split(": ") for line in file)["wchar"])


def measure(server, entries, syncs):
    now = int(time.time() * 1000)
    keys = [b"saved/bench/%06d" % number for number in range(entries)]
    reply, cookie, first = server.sync(request(marks(keys), now))
    epoch = struct.unpack_from("<Q", reply, 12 + 8 + len(varint(now)) + 1)[0]
    print(f"first sync of {entries} entries: {first * 1000:.0f} ms, {server.written() / 1e6:.1f} MB written")
    forms, over = [], threading.Event()

    def other_reader():
        mine = None
        while not over.is_set():
            _, given, seconds = server.post(
                "/favorites/set", "comic=1&on=yes", "application/x-www-form-urlencoded", mine
            )
            mine = mine or given
            forms.append(seconds)
            let_pass(0.02)

    other = threading.Thread(target=other_reader)
    before = server.written()
    other.start()
    times = [
        server.sync(request(marks([b"saved/bench/%06d" % (number * 701 % entries)]), now + 1 + number, epoch, 1), cookie)[2]
        for number in range(syncs)
    ]
    over.set()
    other.join()
    print(f"{syncs} syncs of one entry: {statistics.median(times) * 1000:.1f} ms each at the median, "
          f"{max(times) * 1000:.0f} ms at most, {(server.written() - before) / 1e6:.1f} MB written in all")
    print(f"{len(forms)} forms of another reader at the same time: {statistics.median(forms) * 1000:.1f} ms at the median, "
          f"{max(forms) * 1000:.0f} ms at most")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("binary")
    arguments.add_argument("--entries", type=int, default=99_000)
    arguments.add_argument("--syncs", type=int, default=132)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        try:
            measure(server, options.entries, options.syncs)
        finally:
            server.process.terminate()
            server.process.wait()


if __name__ == "__main__":
    main()
