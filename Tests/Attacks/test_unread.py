# Longbox
# SPDX-License-Identifier: MIT
"""Clients that ask for long responses and don't read them."""

import itertools
import socket
from pathlib import Path

import pytest

import clients
from readers import Reader, comic_numbers
from waiting import until

MB = 1 << 20
# Of each, HTML has five: the longest pages for the space that a new library has.
NOTE = "&" * 480
FAVORITES = [{"num": number, "note": NOTE} for number in itertools.islice(comic_numbers(), 1800)]
# What the server takes without any of this, and what its allocator may keep.
USUAL = 140 * MB


def resident(process):
    """The resident memory of a process, in bytes."""
    for line in Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("the process has ended")


def status_of(connection):
    """The status of a response, of which nothing is read."""
    clients.wait_for_answer(connection)
    return int(connection.recv(12, socket.MSG_PEEK).split()[1])


def get(server, path, fields=""):
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{fields}Connection: close\r\n\r\n"
    return clients.exchange(server.address, request.encode())


@pytest.mark.parametrize("path", ["/favorites", "/favorites?select=all", "/settings/export"])
def test_responses_that_are_not_read_take_little_memory(start, path):
    server = start()
    reader = Reader(server.address)
    imported = reader.upload({"format": "longbox-library", "version": 1, "favorites": FAVORITES})
    assert imported.status == 200, imported.text
    before = resident(server.process)
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {reader.cookie}\r\n\r\n".encode()
    attackers = clients.connect_many(server.address, 480, each=60)
    for attacker in attackers:
        # So that the system takes little of a response.
        attacker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        attacker.sendall(request)
    statuses = [status_of(attacker) for attacker in attackers]
    peak = clients.peak_memory_of(server.process)
    print(f"{path}: {before / MB:.0f} MB before, at most {peak / MB:.0f} MB, {statuses.count(200)} of {len(statuses)} begun")
    assert set(statuses) <= {200, 503}, statuses
    assert statuses.count(200) >= 8, "each address has one at least"
    assert peak < USUAL + 64 * MB
    # Others go on.
    assert clients.get_page(server.address)[0] == 200
    clients.close_all()
    until(lambda: resident(server.process) < 1.2 * before + 8 * MB, "the memory is free again")


def test_files_that_are_not_read_are_in_memory_once(start):
    server = start()
    # With and without its version, as browsers and strangers ask for it; neither takes the others' room.
    path = "/assets/longbox.wasm"
    assert get(server, path).startswith(b"HTTP/1.1 200 ")
    before = resident(server.process)
    attackers = clients.connect_many(server.address, 480, each=60)
    for number, attacker in enumerate(attackers):
        attacker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        query = ("", "?v=1")[number % 2]
        attacker.sendall(f"GET {path}{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert {status_of(attacker) for attacker in attackers} == {200}
    peak = clients.peak_memory_of(server.process)
    print(f"{path}: {before / MB:.0f} MB before, at most {peak / MB:.0f} MB")
    assert peak < USUAL
    # Long responses have room.
    reader = Reader(server.address)
    imported = reader.upload({"format": "longbox-library", "version": 1, "favorites": FAVORITES})
    assert imported.status == 200, imported.text
    assert get(server, "/settings/export", f"Cookie: {reader.cookie}\r\n").startswith(b"HTTP/1.1 200 ")


def test_a_refused_response_says_when_to_try_again(start):
    server = start(UNSENT_MEGABYTES_PER_ADDRESS=1)
    reader = Reader(server.address)
    assert reader.upload({"format": "longbox-library", "version": 1, "favorites": FAVORITES}).status == 200
    request = f"GET /settings/export HTTP/1.1\r\nHost: localhost\r\nCookie: {reader.cookie}\r\n"
    first = clients.connect(server.address)
    first.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    first.sendall(f"{request}\r\n".encode())
    assert status_of(first) == 200
    refused = clients.exchange(server.address, f"{request}Connection: close\r\n\r\n".encode())
    assert refused.startswith(b"HTTP/1.1 503 ") and b"retry-after: 5\r\n" in refused.lower(), refused[:1000]
    # Another address has its own share.
    other = clients.exchange(server.address, f"{request}Connection: close\r\n\r\n".encode(), "127.0.0.3")
    assert other.startswith(b"HTTP/1.1 200 "), other[:1000]
    first.close()

    def is_answered():
        reply = clients.exchange(server.address, f"{request}Connection: close\r\n\r\n".encode())
        return reply.startswith(b"HTTP/1.1 200 ")

    until(is_answered, "the share is free again")
