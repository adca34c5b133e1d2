# Longbox
# SPDX-License-Identifier: MIT
"""Clients that take much and give nothing don't lock others out."""

import contextlib
import socket

import pytest

import clients
from waiting import until

MEMORY = 200_000_000
# Only to end a test in which the victim is locked out. The aim for the printed p99 is 50 ms on a quiet machine.
SLOWEST = 20


def test_pipelining_without_reading_takes_no_memory(start):
    server = start()
    attackers = [clients.connect(server.address) for _ in range(4)]
    highest = 0

    def attack():
        nonlocal highest
        for attacker in attackers:
            for _ in range(20):
                clients.send_what_fits(attacker, clients.GET * 1000)
        highest = max(highest, clients.memory_of(server.process))

    times = clients.watch_victim(server.address, 8, between=attack)
    clients.report("pipelining", times, highest, SLOWEST)
    assert highest < MEMORY


def test_pipelining_from_many_connections_takes_no_memory(start):
    server = start()
    attackers = clients.connect_many(server.address, 480, each=60)
    highest = 0

    def attack():
        nonlocal highest
        for attacker in attackers:
            clients.send_what_fits(attacker, clients.GET * 1000)
        highest = max(highest, clients.memory_of(server.process))

    times = clients.watch_victim(server.address, 8, between=attack)
    clients.report("pipelining, 480 connections", times, highest, SLOWEST)
    assert highest < MEMORY


def test_pipelined_requests_are_all_answered_when_the_client_reads(start):
    server = start()
    count = 3000
    with clients.connect(server.address) as connection:
        connection.sendall(clients.GET * count)
        clients.wait_for_answer(connection)
        connection.sendall(b"GET /1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        reply = bytearray()
        while part := connection.recv(1 << 20):
            reply += part
    assert reply.count(b"HTTP/1.1 200 OK\r\n") == count + 1
    assert reply.count(b"</html>") == count + 1


def test_requests_before_a_half_close_are_all_answered(start):
    server = start()
    count = 500
    with clients.connect(server.address) as connection:
        connection.sendall(clients.GET * count)
        connection.shutdown(socket.SHUT_WR)
        clients.wait_for_answer(connection)
        reply = bytearray()
        while part := connection.recv(1 << 20):
            reply += part
    assert reply.count(b"HTTP/1.1 200 OK\r\n") == count


def test_requests_before_a_half_close_are_answered_though_the_client_reads_late(start):
    server = start()
    # More than the system takes, and less than the server waits with.
    count = 20
    with clients.connect(server.address) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(clients.GET * count)
        connection.shutdown(socket.SHUT_WR)
        # After another page, the server could have closed the connection too early.
        clients.wait_for_answer(connection)
        assert clients.get_page(server.address)[0] == 200
        reply = bytearray()
        while part := connection.recv(1 << 20):
            reply += part
    assert reply.count(b"HTTP/1.1 200 OK\r\n") == count


@pytest.mark.parametrize("begin", clients.BEGINNINGS)
def test_many_connections_lock_no_reader_out(start, begin):
    server = start()
    attackers = clients.connect_many(server.address, 600)
    for attacker in attackers:
        # The server has closed some by now.
        with contextlib.suppress(OSError):
            begin(attacker)
    times = clients.watch_victim(server.address, 4)
    clients.report(begin.__name__, times, clients.memory_of(server.process), SLOWEST)
    # Strangers who have fewer connections than the attackers come in, too.
    for number in range(20):
        assert clients.get_page(server.address, f"127.0.1.{1 + number}")[0] == 200
    assert clients.memory_of(server.process) < MEMORY


def test_one_address_has_a_limited_number_of_connections(start):
    server = start(CONNECTIONS_PER_ADDRESS=10)
    attackers = [clients.connect(server.address) for _ in range(29)]
    until(lambda: sum(map(clients.is_open, attackers)) <= 10, "ten connections are left")
    # One more ends an older one.
    attackers.append(clients.connect(server.address))
    until(lambda: sum(map(clients.is_open, attackers)) <= 10, "ten connections are left again")
    assert sum(map(clients.is_open, attackers)) == 10
    assert clients.is_open(attackers[-1])
    lines = [line for line in server.logged().splitlines() if "CONNECTIONS_PER_ADDRESS" in line]
    assert len(lines) == 1


def test_unfinished_requests_don_t_count_for_ever(start):
    server = start(CONNECTIONS_PER_ADDRESS=5, HEAD_TIME=1, CROWDED_IDLE_TIME=1)
    attackers = [clients.connect(server.address) for _ in range(5)]
    for attacker in attackers:
        clients.begin_slow_body(attacker)
    for attacker in attackers:
        clients.seconds_until_closed(attacker, within=6)
    assert clients.get_page(server.address, "127.0.0.2")[0] == 200
