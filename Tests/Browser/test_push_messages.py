# Longbox
# SPDX-License-Identifier: MIT
"""Messages about new comics, decrypted with http_ece and checked with py_vapid, also after kills of the server."""

import json
import random
import threading
from collections import Counter
from functools import partial

import pytest

import device
import programs
from http_requests import ask
from push_service import PushService
from sources import FIRST, notifying_server, publish, publisher, when_known
from waiting import let_pass, until


@pytest.fixture
def service():
    service = PushService()
    yield service
    service.close()


def subscribe(site, browser, **more):
    fields = {"content-type": "application/json", "origin": device.origin(site)}
    status, _, body = ask(f"{site}/api/push/subscriptions", "POST", json.dumps(browser.subscription(**more)), fields)
    assert status == 201, body


def notified(service):
    return [(name, message["comic"], message.get("count")) for name, message, _ in list(service.received)]


def notified_of(service, latest):
    return {name for name, comic, _ in notified(service) if comic == latest}


def test_a_contact_that_push_services_refuse_is_in_the_log_in_doctor_and_in_settings(tmp_path):
    sources = programs.no_sources()
    contact = {"LONGBOX_CONTACT": "me@nas.local"}
    problem = "LONGBOX_CONTACT is “me@nas.local”, but nas.local is not a public name"
    with programs.server(tmp_path, programs.closed_address(), **contact) as server:
        assert problem in server.logged()
        assert problem in programs.get(f"{server.address}/settings/server")[2].decode()
        found = programs.longbox("doctor", data=tmp_path, **sources, **contact).stdout
        assert f"warning  Contact: {problem}" in found


def test_a_new_comic_reaches_an_independent_receiver(recorded, tmp_path, service):
    with publisher(recorded) as replay, notifying_server(tmp_path, replay.address, service) as server:
        when_known(server.address, FIRST)
        subscribe(server.address, service.subscriber("plain"))
        wishes = {"hidesSpoilers": True, "quietHours": None, "timeZone": "UTC"}
        subscribe(server.address, service.subscriber("hidden"), wishes=wishes)
        assert service.confirmed == ["plain", "hidden"]
        publish(replay)
        until(lambda: len(service.received) == 2, "two messages have come")
        messages = {name: message for name, message, _ in service.received}
        title = json.loads(programs.get(f"{server.address}/{FIRST + 1}/info.0.json")[2])["title"]
        assert messages["plain"]["comic"] == FIRST + 1 and messages["plain"]["title"] == title
        assert "title" not in messages["hidden"] and messages["hidden"]["hides"] is True
        assert programs.get(server.address + messages["plain"]["thumbnail"])[0] == 200
        headers = service.received[0][2]
        assert (headers["ttl"], headers["urgency"], headers["topic"]) == ("259200", "normal", f"comic-{FIRST + 1}")
        publish(replay, 2)
        until(lambda: len(service.received) == 6, "six messages have come")
        assert {comic for _, comic, _ in notified(service)} == {FIRST + 1, FIRST + 2, FIRST + 3}


def test_the_command_line_sends_a_test_and_lists_subscriptions(recorded, tmp_path, service):
    settings = {"LONGBOX_PUSH_SERVICES": service.address}
    assert programs.longbox("notify", data=tmp_path, **settings).returncode == 64
    with publisher(recorded) as replay, notifying_server(tmp_path, replay.address, service) as server:
        when_known(server.address, FIRST)
        assert programs.longbox("notify", "--test", data=tmp_path, **settings).returncode == 66
        subscribe(server.address, service.subscriber("a"))
        assert (tmp_path / "vapid.pem").stat().st_mode & 0o777 == 0o600
        sent = programs.longbox("notify", "--test", data=tmp_path, **settings)
        assert sent.returncode == 0, sent.stderr
        assert "1 (" in sent.stdout and "has taken it" in sent.stdout
        assert [message for _, message, _ in service.received] == [{"test": True}]
        listed = programs.longbox("subscriptions", "--json", data=tmp_path)
        (line,) = json.loads(listed.stdout)
        assert line["service"] == service.address and line["announced"] == FIRST and line["isConfirmed"]
        assert "/send/" not in listed.stdout, "The endpoint is a secret."
        assert "notified up to" in programs.longbox("subscriptions", data=tmp_path).stdout
        service.browsers.clear()
        assert programs.longbox("notify", "--test", data=tmp_path, **settings).returncode == 69
        (tmp_path / "vapid.pem").unlink()
        lost = programs.longbox("notify", "--test", data=tmp_path, **settings)
        assert lost.returncode == 66 and "vapid.pem" in lost.stderr
        busy = programs.longbox("subscriptions", "remove", 1, data=tmp_path)
        assert busy.returncode == 75 and "in use" in busy.stderr
    assert programs.longbox("subscriptions", "remove", 1, data=tmp_path).returncode == 0
    assert programs.longbox("subscriptions", "remove", 1, data=tmp_path).returncode == 66
    assert "There are no subscriptions" in programs.longbox("subscriptions", data=tmp_path).stdout


def kill_when(has_started, server):
    assert has_started.wait(timeout=60)
    server.process.kill()


@pytest.mark.slow
def test_thirty_kills_lose_no_message_and_repeat_only_those_being_sent(recorded, tmp_path, service):
    seed = random.SystemRandom().randrange(1 << 32)
    dice = random.Random(seed)
    print(f"seed {seed}")
    names = [f"reader{number}" for number in range(20)]
    with publisher(recorded) as replay:
        with notifying_server(tmp_path, replay.address, service) as server:
            when_known(server.address, FIRST)
            for name in names:
                subscribe(server.address, service.subscriber(name))
        for kill in range(30):
            publish(replay)
            server, has_started = notifying_server(tmp_path, replay.address, service), threading.Event()
            if kill % 2 == 0:
                # While it sends: a message has arrived, but the server never gets the response.
                service.trap = (dice.randint(1, len(names)), partial(kill_when, has_started, server))
            with server:
                has_started.set()
                if kill % 2:
                    # The time of the kill is random; the first message comes some tenths of a second after the start.
                    let_pass(dice.uniform(0, 1.2))
                    server.kill()
                else:
                    server.process.wait(timeout=120)
        with notifying_server(tmp_path, replay.address, service) as server:
            when_known(server.address, FIRST + 30)
            until(lambda: notified_of(service, FIRST + 30) == set(names), "all are notified", timeout=120)
        before = len(service.received)
        # One more comic shows that the server has looked for whom to notify.
        publish(replay)
        with notifying_server(tmp_path, replay.address, service):
            until(lambda: notified_of(service, FIRST + 31) == set(names), "all are notified of one more", timeout=120)
        again = [comic for _, comic, _ in notified(service)[before:] if comic != FIRST + 31]
        assert again == [], f"seed {seed}: a browser was notified again after an orderly end"

    counts = Counter(notified(service))
    topics = {}
    for name in names:
        comics = set()
        for (reader, comic, count), _ in counts.items():
            if reader == name:
                comics |= set(range(comic - (count or 1) + 1, comic + 1))
        assert comics == set(range(FIRST + 1, FIRST + 32)), f"seed {seed}: {name} was not notified of all"
    for name, message, headers in service.received:
        topics.setdefault((name, message["comic"], message.get("count")), set()).add(headers["topic"])
    # The same topic lets the push service and the browser recognize a repeated message.
    assert all(len(topic) == 1 for topic in topics.values()), f"seed {seed}"
    repeats = sum(count - 1 for count in counts.values())
    print(f"{sum(counts.values())} messages, {repeats} of them repeated, in 30 kills")
