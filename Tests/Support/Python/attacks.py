# Longbox
# SPDX-License-Identifier: MIT
"""Attacks from the addresses 127.0.0.2 and up, for tests and for `bench/floods.py`.

Each is a generator, which does a part of the attack and stops until it is asked for the next part.
"""

import contextlib
import itertools
import json
import time

import clients
import sync_messages

FORM = "application/x-www-form-urlencoded"
# The keys of a browser (RFC 8291, section 5).
KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


def pipelining(address, count, requests):
    """Sends requests over `count` connections, in each part `requests` on each, and reads no response."""
    attackers = clients.connect_many(address, count, each=60)
    while True:
        for attacker in attackers:
            for _ in range(requests // 1000):
                clients.send_what_fits(attacker, clients.GET * 1000)
        yield


def stalling(address, begin):
    """Opens 600 connections, more than the server has, and begins something on each, one of `clients.UNFINISHED`."""
    for attacker in clients.connect_many(address, 600):
        # The server has closed some by now.
        with contextlib.suppress(OSError):
            begin(attacker)
    while True:
        yield


def library(size):
    """A sync that makes a library of about this size in bytes."""
    entries = {b"saved/flood/%04d" % number: bytes(4000) for number in range(size // 4000)}
    return sync_messages.request(entries, int(time.time() * 1000))


def new_libraries(address, source):
    """Makes new libraries, two of them nearly as large as a new one may be for each small one; yields the statuses."""
    large = library(900_000)
    while True:
        yield clients.post(address, "/favorites/set", FORM, b"comic=1&on=yes", source)[0]
        for _ in range(2):
            yield clients.post(address, "/sync", clients.OCTETS, large, source)[0]


def new_subscriptions(address, source, service):
    """Subscribes to notifications, each time with another address of a push service; yields the statuses."""
    for number in itertools.count():
        body = json.dumps({"endpoint": f"{service}/{source}/{number}", "keys": KEYS}).encode()
        yield clients.post(address, "/api/push/subscriptions", "application/json", body, source)[0]
