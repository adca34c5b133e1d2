# Longbox
# SPDX-License-Identifier: MIT
"""Strangers who send much data from many addresses fill neither the disk nor the list of subscriptions."""

import contextlib
import itertools
import json
import sqlite3
from collections import Counter

import pytest

import attacks
import clients
import programs
from push_service import PushService
from readers import Reader
from waiting import until


@pytest.fixture
def service():
    service = PushService()
    yield service
    service.close()


def size_of(folder):
    """The bytes of everything in a folder."""
    size = 0
    for path in folder.rglob("*"):
        # The server may have removed it by now.
        with contextlib.suppress(FileNotFoundError):
            size += path.stat().st_size
    return size


def flood(name, server, attackers, count):
    """Lets each attacker send `count` requests while the victim loads pages; returns how often attackers got each status."""
    jobs = [lambda attacker=attacker: list(itertools.islice(attacker, count)) for attacker in attackers]
    times, replies = clients.load_pages_during(server.address, jobs)
    statuses = Counter(itertools.chain.from_iterable(replies))
    print(f"{name}: {statuses}")
    clients.report(name, times, server.process)
    return statuses


def test_new_libraries_do_not_fill_the_disk(start, tmp_path):
    most = 8
    server = start(NEW_LIBRARIES=10, NEW_LIBRARY_MEGABYTES=1, LIBRARIES_MEGABYTES=most)
    reader = Reader(server.address)
    assert reader.like(1).status == 303
    before = size_of(tmp_path / "data")
    attackers = [attacks.new_libraries(server.address, f"127.0.0.{number}") for number in range(2, 12)]
    statuses = flood("new libraries", server, attackers, count=24)
    grown = size_of(tmp_path / "data") - before
    print(f"the data folder has grown by {grown / 1e6:.1f} MB")
    assert statuses.keys() == {200, 303, 429, 507}
    # All addresses together may start eight times ten, and one more in each 45 seconds that this takes.
    assert statuses[200] + statuses[303] < 90
    # The rows and the write-ahead log take more than the libraries. Without limits, all this takes 150 MB.
    assert grown < 4 * (most << 20)
    assert reader.get("/1/").status == 200
    reader.assert_nothing_is_lost()


def test_the_size_of_a_new_library_is_limited(start):
    server = start(NEW_LIBRARY_MEGABYTES=1)
    assert clients.post(server.address, "/sync", clients.OCTETS, attacks.library(1_200_000))[0] == 507
    assert clients.post(server.address, "/sync", clients.OCTETS, attacks.library(900_000))[0] == 200


def test_subscriptions_that_can_not_be_stored_are_not_counted(tmp_path, service):
    settings = {"LONGBOX_LIMITS_NEW_SUBSCRIPTIONS": 2, "LONGBOX_PUSH_SERVICES": service.address}
    body = json.dumps(service.subscriber("reader").subscription()).encode()
    with programs.server(tmp_path / "data", programs.closed_address(), **settings) as server:

        def subscribe():
            return Reader(server.address).send("POST", "/api/push/subscriptions", body, "application/json").status

        with contextlib.closing(sqlite3.connect(tmp_path / "data" / "longbox.sqlite")) as database:
            database.execute("CREATE TRIGGER failing BEFORE INSERT ON subscription BEGIN SELECT RAISE(ABORT, ''); END")
            assert [subscribe() for _ in range(4)] == [503] * 4
            database.execute("DROP TRIGGER failing")
        assert subscribe() == 201


def test_a_browser_can_subscribe_during_a_flood_of_subscriptions(tmp_path, service):
    unreachable = programs.closed_address()
    settings = {
        "LONGBOX_LIMITS_NEW_SUBSCRIPTIONS": 5,
        "LONGBOX_PUSH_SERVICES": f"{unreachable},{service.address}",
    }
    with programs.server(tmp_path / "data", unreachable, **settings) as server:
        # Seven addresses, since all together may make eight times as many subscriptions as one.
        sources = [f"127.0.0.{number}" for number in range(2, 9)]
        attackers = [attacks.new_subscriptions(server.address, source, unreachable) for source in sources]
        statuses = flood("new subscriptions", server, attackers, count=20)
        assert statuses == {201: 7 * 5, 429: 7 * 15}
        body = json.dumps(service.subscriber("victim").subscription()).encode()
        answer = Reader(server.address).send("POST", "/api/push/subscriptions", body, "application/json")
        assert answer.status == 201, answer.text
        # The answer waits for it for five seconds at most, which may be too short for a busy machine.
        until(lambda: service.confirmed == ["victim"], "the push service has taken the first message")
