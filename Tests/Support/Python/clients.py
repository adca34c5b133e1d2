# Longbox
# SPDX-License-Identifier: MIT
"""Attackers, which have the addresses 127.0.0.2 and up, and their victim at 127.0.0.1."""

import contextlib
import select
import socket
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from waiting import let_pass, until

# The most memory of a server, in bytes.
MEMORY = 200_000_000
# In seconds, only to end a test in which nothing answers: `scripts/bench.sh floods` measures how long pages take.
SLOWEST = 60
# The connections that are still open.
OPEN = []
GET = b"GET /1/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
OCTETS = "application/octet-stream"


def head(path, kind, length, *more):
    """The head of a request with a body; `more` are further fields."""
    fields = ["Host: localhost", "Origin: http://localhost", f"Content-Type: {kind}", f"Content-Length: {length}", *more]
    return "\r\n".join([f"POST {path} HTTP/1.1", *fields, "", ""]).encode()


def begin_sync(length):
    """The head of a request whose body the server reads before it answers."""
    return head("/sync", OCTETS, length)


def connect(address, source="127.0.0.2", timeout=SLOWEST):
    """A connection to the server at `address` from the local address `source`."""
    place = urlsplit(address)
    connection = socket.create_connection((place.hostname, place.port), timeout, source_address=(source, 0))
    OPEN.append(connection)
    return connection


def close_all():
    """Closes all connections."""
    while OPEN:
        OPEN.pop().close()


def connect_many(address, count, each=50):
    """Connections from as many addresses as needed, with `each` of them per address."""
    connections = []
    for number in range(count):
        # The server may close a connection while it's being made.
        with contextlib.suppress(OSError):
            connections.append(connect(address, f"127.0.0.{2 + number // each}"))
    return connections


def exchange(address, request, source="127.0.0.2"):
    """What the server sends until it closes the connection."""
    with connect(address, source) as connection:
        connection.sendall(request)
        reply = b""
        with contextlib.suppress(ConnectionResetError):
            while part := connection.recv(65536):
                reply += part
        return reply


def post(address, path, kind, body, source="127.0.0.2"):
    """The status of a form, a sync or an upload, and the whole response."""
    request = head(path, kind, len(body), "Connection: close") + body
    reply = exchange(address, request, source)
    assert reply, "the server closed the connection without an answer"
    return int(reply.split()[1]), reply


def read_response(connection):
    """Reads one response with a body of known length, and nothing after it; returns its status, or 0 if there is none."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        # Byte by byte, since what follows the response isn't read.
        if not (part := connection.recv(1)):
            return 0
        head += part
    left = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    while left:
        if not (part := connection.recv(left)):
            return 0
        left -= len(part)
    return int(head.split()[1])


def get_page(address, source="127.0.0.1", path="/1/"):
    """The status of a page, and how many seconds it took."""
    begin = time.monotonic()
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    reply = exchange(address, request, source)
    assert reply, "the server closed the connection without an answer"
    return int(reply.split()[1]), time.monotonic() - begin


def load_pages(address, is_over, paths=("/1/",), between=lambda: let_pass(0.02)):
    """Loads pages in turn until `is_over()`, and returns the seconds of each; calls `between` after each."""
    times = []
    while not is_over():
        status, took = get_page(address, path=paths[len(times) % len(paths)])
        assert status == 200
        times.append(took)
        between()
    return times


def load_pages_during(address, jobs, at_once=4):
    """Loads pages while jobs run, some at a time; returns the seconds of each page, and what the jobs returned."""
    with ThreadPoolExecutor(at_once) as threads:
        running = [threads.submit(job) for job in jobs]
        times = load_pages(address, lambda: all(one.done() for one in running))
        return times, [one.result() for one in running]


def watch_victim(address, seconds, **options):
    """The times of a victim's page loads over some seconds of an attack."""
    end = time.monotonic() + seconds
    return load_pages(address, lambda: time.monotonic() > end, **options)


def report(name, times, process):
    """Prints the times of pages and the server's peak memory; fails if a page took too long, or if the memory is too high."""
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    median, memory = statistics.median(times), peak_memory_of(process)
    print(f"{name}: {len(times)} pages, median {median * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms, at most {memory / 1e6:.0f} MB")
    assert p99 < SLOWEST
    assert memory < MEMORY


def peak_memory_of(process):
    """The highest resident memory that a process has had so far, in bytes."""
    for line in Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("the process has ended")


def send_what_fits(connection, data):
    """Sends what the system takes without waiting; returns whether the connection is still open."""
    connection.setblocking(False)
    try:
        connection.send(data)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return True


def begin_idle(_connection):
    pass


def begin_slow_head(connection):
    connection.sendall(b"GET /1/ HTTP/1.1\r\nHost: loc")


def begin_slow_body(connection):
    connection.sendall(begin_sync(1000) + b"x")


def begin_never_reading(connection):
    send_what_fits(connection, GET * 2000)


# The ways to begin something on a connection and never finish it.
UNFINISHED = [begin_idle, begin_slow_head, begin_slow_body, begin_never_reading]


def is_open(connection):
    """Whether the server has not closed the connection; what it has sent is ignored."""
    connection.setblocking(False)
    while select.select([connection], [], [], 0)[0]:
        try:
            if not connection.recv(65536):
                return False
        except OSError:
            return False
    return True


def has_answer(connection):
    """Whether something can be read, or the server has closed the connection; reads nothing."""
    return bool(select.select([connection], [], [], 0)[0])


def wait_for_answer(connection):
    """Waits until something can be read, and reads nothing."""
    assert select.select([connection], [], [], 60)[0], "the server sends nothing"


def wait_until_closed(connection, between=lambda: None):
    """Waits until the server closes the connection, and calls `between` every 0.2 s."""

    def is_closed():
        if not is_open(connection):
            return True
        # After a close, a write may fail before a read shows it.
        with contextlib.suppress(OSError):
            between()
        return False

    until(is_closed, "the server closes the connection", pause=0.2)
