# Longbox
# SPDX-License-Identifier: MIT
"""Connections that take too long are closed, and the log reports them once a minute."""

import time

import clients
from waiting import let_pass, until


def test_a_client_that_sends_its_head_too_slowly_is_disconnected(start):
    server = start(HEAD_TIME=2)
    begin = time.monotonic()
    with clients.connect(server.address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        clients.wait_until_closed(connection, lambda: connection.send(b"x"))
    assert time.monotonic() - begin > 1
    assert "LONGBOX_LIMITS_HEAD_TIME" in server.logged()


def test_a_client_that_sends_its_body_too_slowly_is_disconnected(start):
    server = start(HEAD_TIME=2)
    begin = time.monotonic()
    with clients.connect(server.address) as connection:
        connection.sendall(clients.begin_sync(1000))
        clients.wait_until_closed(connection, lambda: connection.send(b"x"))
    assert time.monotonic() - begin > 1
    assert "LONGBOX_LIMITS_BODY_RATE" in server.logged()


def test_a_body_at_a_steady_rate_may_take_longer_than_a_head(start):
    server = start(HEAD_TIME=1, BODY_RATE=100)
    with clients.connect(server.address) as connection:
        connection.sendall(clients.begin_sync(3000))
        # Three seconds, at 1000 bytes a second.
        for _ in range(15):
            connection.sendall(b"x" * 200)
            let_pass(0.2)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_does_not_end_its_body_is_disconnected(start):
    server = start(HEAD_TIME=1, BODY_TIME=2, BODY_RATE=1)
    begin = time.monotonic()
    with clients.connect(server.address) as connection:
        # At this rate the whole body takes two minutes.
        connection.sendall(clients.begin_sync(60000))
        clients.wait_until_closed(connection, lambda: connection.send(b"x" * 100))
    assert time.monotonic() - begin > 1


def test_a_client_that_reads_no_responses_is_disconnected(start):
    server = start(STALL_TIME=2)
    with clients.connect(server.address) as connection:
        # It sends on until the server closes, and reads nothing.
        until(lambda: not clients.send_what_fits(connection, clients.GET * 1000), "the server closes")
    assert "LONGBOX_LIMITS_STALL_TIME" in server.logged()


def test_an_idle_connection_is_closed_without_a_log_entry(start):
    server = start(IDLE_TIME=1, CROWDED_IDLE_TIME=1)
    with clients.connect(server.address) as connection:
        connection.sendall(clients.GET)
        clients.wait_until_closed(connection)
    with clients.connect(server.address) as connection:
        clients.wait_until_closed(connection)
    assert "LONGBOX_LIMITS" not in server.logged()


def test_cut_off_requests_are_logged_once(start):
    server = start()
    for _ in range(30):
        with clients.connect(server.address) as connection:
            connection.sendall(clients.begin_sync(1000) + b"half")
    assert clients.get_page(server.address)[0] == 200
    until(lambda: "were cut off" in server.logged(), "the log reports them")
    log = server.logged()
    assert "A request failed" not in log
    assert log.count("were cut off") == 1
