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
import tempfile
import threading
import time

MASK = (1 << 64) - 1
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotated(value, bits):
    return (value << bits | value >> (64 - bits)) & MASK


def mixed(accumulator, lane):
    return rotated((accumulator + lane * P2) & MASK, 31) * P1 & MASK


def xxh64(data):
    """XXH64 with seed 0, the checksum of library messages."""
    place, length = 0, len(data)
    if length >= 32:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        for stripe in struct.iter_unpack("<4Q", data[: length // 32 * 32]):
            lanes = [mixed(lane, word) for lane, word in zip(lanes, stripe, strict=True)]
        place = length // 32 * 32
        result = sum(rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True)) & MASK
        for lane in lanes:
            result = ((result ^ mixed(0, lane)) * P1 + P4) & MASK
    else:
        result = P5
    result = (result + length) & MASK
    while place + 8 <= length:
        word = struct.unpack_from("<Q", data, place)[0]
        result = (rotated(result ^ mixed(0, word), 27) * P1 + P4) & MASK
        place += 8
    if place + 4 <= length:
        word = struct.unpack_from("<I", data, place)[0]
        result = (rotated(result ^ word * P1 & MASK, 23) * P2 + P3) & MASK
        place += 4
    for byte in data[place:]:
        result = rotated(result ^ byte * P5 & MASK, 11) * P1 & MASK
    result = (result ^ result >> 33) * P2 & MASK
    result = (result ^ result >> 29) * P3 & MASK
    return result ^ result >> 32


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def request(keys, stamp, epoch=0, since=0):
    """A sync request with a one-byte value for each key; see docs/library.md."""
    entries, before = bytearray(), b""
    for key in sorted(keys):
        shared = len(os.path.commonprefix([key, before]))
        entries += varint(shared) + varint(len(key) - shared) + key[shared:] + b"\x02\x01"
        entries += varint(stamp) + b"\x00\x00"
        before = key
    body = struct.pack("<QQ", 1, epoch) + varint(since) + b"\x01" + struct.pack("<Q", 7)
    body += varint(len(keys)) + bytes(entries)
    whole = b"\x89LBL\x01\x03\x00\x00" + struct.pack("<I", len(body) + 20) + body
    return whole + struct.pack("<Q", xxh64(whole))


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
    reply, cookie, first = server.sync(request(keys, now))
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
            time.sleep(0.02)

    other = threading.Thread(target=other_reader)
    before = server.written()
    other.start()
    times = [
        server.sync(request([b"saved/bench/%06d" % (number * 701 % entries)], now + 1 + number, epoch, 1), cookie)[2]
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
    assert xxh64(b"") == 0xEF46DB3751D8E999
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        try:
            measure(server, options.entries, options.syncs)
        finally:
            server.process.terminate()
            server.process.wait()


if __name__ == "__main__":
    main()
