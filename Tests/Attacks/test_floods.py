# Longbox
# SPDX-License-Identifier: MIT
"""Clients that open many connections, or read no responses, don't keep others from reading."""

import socket

import pytest

import attacks
import clients
from waiting import until


@pytest.mark.parametrize(("count", "requests"), [(4, 20_000), (480, 1000)], ids=["4 connections", "480 connections"])
def test_unread_responses_do_not_fill_the_memory(start, count, requests):
    server = start()
    attack = attacks.pipelining(server.address, count, requests)
    next(attack)
    times = clients.watch_victim(server.address, 8, between=lambda: next(attack))
    clients.report(f"pipelining, {count} connections", times, server.process)


def test_pipelined_requests_are_all_answered_once_the_client_reads(start):
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


def test_requests_before_a_half_close_are_answered_even_if_the_client_reads_late(start):
    server = start()
    # More than the system buffers, and less than makes the server wait.
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


@pytest.mark.parametrize("begin", clients.UNFINISHED)
def test_readers_are_served_while_attackers_use_up_the_connections(start, begin):
    server = start()
    next(attacks.stalling(server.address, begin))
    times = clients.watch_victim(server.address, 4)
    # Strangers who have fewer connections than the attackers come in, too.
    for number in range(20):
        assert clients.get_page(server.address, f"127.0.1.{1 + number}")[0] == 200
    clients.report(begin.__name__, times, server.process)


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


def test_an_address_can_connect_again_after_its_unfinished_requests_time_out(start):
    server = start(CONNECTIONS_PER_ADDRESS=5, HEAD_TIME=1, CROWDED_IDLE_TIME=1)
    attackers = [clients.connect(server.address) for _ in range(5)]
    for attacker in attackers:
        clients.begin_slow_body(attacker)
    for attacker in attackers:
        clients.wait_until_closed(attacker)
    assert clients.get_page(server.address, "127.0.0.2")[0] == 200
