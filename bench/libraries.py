# Longbox
# SPDX-License-Identifier: MIT
"""A library near its limit that syncs one entry after another, and another reader's forms at the same time.

Also the bytes written: those that the process has written by /proc/PID/io, which include its small responses.
"""

import itertools
import statistics
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import measure
import programs
from readers import Reader
from sync_messages import request, varint
from waiting import let_pass

# The most that another reader's form may take, in milliseconds.
SLOWEST = 20


def marks(numbers):
    """Entries with a value of one byte."""
    return {b"saved/bench/%06d" % number: b"\x01" for number in numbers}


def sync(reader, body):
    answer = reader.send("POST", "/sync", body, "application/octet-stream")
    assert answer.status == 200, answer.text
    return answer


def position(reply, now):
    """The copy of the library that a reply names, and how far the device has it; see docs/library.md."""
    place = 12 + 8 + len(varint(now)) + 1
    (epoch,) = struct.unpack_from("<Q", reply, place)
    sequence = 0
    for index, byte in enumerate(reply[place + 8 :]):
        sequence |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return epoch, sequence
    raise ValueError("the reply ends early")


def written(process):
    """The bytes that a process has written."""
    with open(f"/proc/{process.pid}/io", encoding="utf-8") as file:
        return int(dict(line.split(": ") for line in file)["wchar"])


def like(reader, numbers, count):
    """Makes that many comics favorites; returns the seconds of each form."""
    times = []
    for number in itertools.islice(numbers, count):
        answer = reader.like(number)
        assert answer.status == 303, answer.text
        times.append(answer.seconds)
        let_pass(0.02)
    return times


def sync_on(reader, last, now, entries, is_over):
    """Syncs one entry after another, as the device that got the reply `last`; returns the seconds of each sync."""
    times = []
    while not is_over.is_set():
        change = marks([len(times) * 701 % entries])
        last = sync(reader, request(change, now + 1 + len(times), *position(last.body, now)))
        times.append(last.seconds)
    return times


def measure_libraries(setting):
    entries, count = (5_000, 50) if setting.quick else (99_000, 1000)
    with programs.server(setting.scratch / "libraries", programs.closed_address()) as server:
        device, other = Reader(server.address), Reader(server.address)
        now = int(time.time() * 1000)
        first = sync(device, request(marks(range(entries)), now))
        numbers = itertools.count(1000)
        quiet = like(other, numbers, count)
        before = written(server.process)
        is_over = threading.Event()
        with ThreadPoolExecutor(1) as thread:
            syncing = thread.submit(sync_on, device, first, now, entries, is_over)
            try:
                forms = like(other, numbers, count)
            finally:
                is_over.set()
            syncs = syncing.result()
        bytes_each = (written(server.process) - before) / (len(syncs) + len(forms))
    name = f"sync of one of {entries:,} entries"
    yield measure.Figure(f"first sync of {entries:,} entries", first.seconds * 1000, None, "", "ms")
    yield measure.Figure(f"{name}, median of {len(syncs):,}", statistics.median(syncs) * 1000, None, "", "ms")
    yield measure.Figure("  written for a change", bytes_each / 1000, None, "", "KB")
    ours, peer = statistics.median(forms) * 1000, statistics.median(quiet) * 1000
    yield measure.Figure("another reader's form at the same time", ours, peer, "no syncs", "ms")
    ours, peer = measure.p99(forms) * 1000, measure.p99(quiet) * 1000
    yield measure.Figure(
        "  p99", ours, peer, "no syncs", "ms", f"p99 under {SLOWEST} ms", ours < SLOWEST
    )  # fmt: skip
