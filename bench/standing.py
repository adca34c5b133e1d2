# Longbox
# SPDX-License-Identifier: MIT
"""The cost of running Longbox: the time to its first page, its memory while it is idle, and after ten thousand pages."""

import http.client
import statistics
import time
from urllib.parse import urlsplit

import measure
import programs
import waiting

PAGES = 10_000
# The memory of an idle server changes no more after this time, in seconds.
SETTLING = 3


def seconds_to_first_page(setting):
    started = time.perf_counter()
    with setting.server() as server:
        status, _, _ = programs.get(server.address + "/")
        assert status == 200, f"/ answered {status}"
        return time.perf_counter() - started


def idle_megabytes(setting):
    with setting.server() as server:
        programs.get(server.address + "/")
        waiting.let_pass(SETTLING)
        return measure.resident_megabytes([server.process.pid])


def nginx_seconds_to_first_page(setting, root):
    started = time.perf_counter()
    with measure.Nginx(root, setting.scratch / "nginx") as nginx:
        nginx.wait("/")
        return time.perf_counter() - started


def read_pages(address, numbers, count):
    """Requests `count` pages over one connection, all comics in turn."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc)
    for index in range(count):
        connection.request("GET", f"/{numbers[index % len(numbers)]}/")
        reply = connection.getresponse()
        reply.read()
        assert reply.status == 200, f"{numbers[index % len(numbers)]} answered {reply.status}"
    connection.close()


def measure_standing(setting):
    runs = 2 if setting.quick else 10
    root = setting.scratch / "www-first"
    root.mkdir(exist_ok=True)
    with setting.server() as server:
        (root / "index.html").write_bytes(programs.get(server.address + "/")[2])
    times = sorted(seconds_to_first_page(setting) * 1000 for _ in range(runs))
    ours = statistics.median(times)
    peer = statistics.median(nginx_seconds_to_first_page(setting, root) for _ in range(runs)) * 1000
    yield measure.Figure("exec to first page, full archive", ours, peer, "nginx", "ms", "at most 75 ms", ours <= 75)
    yield measure.Figure("the slowest of them", times[-1], None, "", "ms")

    idle = sorted(idle_megabytes(setting) for _ in range(2 if setting.quick else 5))
    middle = statistics.median(idle)
    yield measure.Figure("memory while idle", middle, None, "", "MB resident", "at most 45 MB", middle <= 45)
    yield measure.Figure("the largest of them", idle[-1], None, "", "MB resident")
    numbers = [number for number in range(1, 3283) if number != 404]
    with setting.server() as server:
        read_pages(server.address, numbers, 500 if setting.quick else PAGES)
        full = measure.resident_megabytes([server.process.pid])
    yield measure.Figure(f"memory after {PAGES:,} pages", full, None, "", "MB resident", "under 80 MB", full < 80)
