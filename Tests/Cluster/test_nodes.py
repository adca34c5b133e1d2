# Longbox
# SPDX-License-Identifier: MIT
"""Three nodes behind nginx on one database: nodes, the network and the database fail while readers use them."""

import os
import signal
import threading
import time

import pytest

import programs
from push import SUBSCRIBER
from waiting import let_pass, until

# How many messages a node claims at a time, at most: those are repeated if it is killed before it has stored their results.
CLAIMED = 512


def wait_for_new_leader(lab, term, since, what, figures):
    """Waits until a later term has begun, and notes how long that took: on an idle machine, at most six seconds."""
    until(lambda: lab.newest_term()[0] > term, "another node leads")
    figures.measure(f"hand-over after {what}", time.monotonic() - since)


def wait_until_ready(lab, figures=None, what=None):
    begin = time.monotonic()
    for node in lab.nodes:
        until(node.is_ready, f"node {node.name} is ready", timeout=60)
    if figures:
        figures.measure(f"all nodes ready after {what}", time.monotonic() - begin)


def wait_for_changes(load, changes=50):
    """Waits until readers have made more changes."""
    before = load.count()
    until(lambda: load.count() > before + changes or load.problems, "readers change their libraries", timeout=120)


def assert_pages_are_served(lab, figures):
    """Pages are served without the database; the first ones may wait some seconds for it."""
    with lab.hosts.front.inside():
        for number in range(1, 4):
            begin = time.monotonic()
            status, _, _ = programs.get(f"{lab.address}/{number}/")
            figures.measure("pages without PostgreSQL", time.monotonic() - begin)
            assert status == 200


def assert_one_leader_at_a_time(lab, figures):
    """No two nodes led in one term, and only the leader made requests to sources, at the pace of one visitor."""
    # On a busy machine a leader may lose its term without a fault, at any time.
    until(lambda: int(lab.query("SELECT term FROM leader")) == max(lab.leaders_by_term()), "the newest term has begun")
    terms = lab.leaders_by_term()
    assert all(len(nodes) == 1 for nodes in terms.values()), terms
    figures.counts["terms"] = len(terms)
    # A request that a node sent in its term may arrive after the end of that, unless the node was killed.
    late = sum(len(node.terms()[1]) for node in lab.nodes)
    changes = lab.visits.changes()
    assert len(changes) < len(terms) + 2 * late, f"Sources hear of another node only when that leads: {changes}, {terms}"
    # Requests arrive in bunches where processes wait for a processor; those of two leaders would come ever earlier.
    haste = lab.visits.haste()
    figures.seconds["requests to xkcd before the pace of one visitor, at most"] = [haste]
    assert haste < 10, "requests come faster than one visitor's"


def test_a_rolling_upgrade_loses_no_change(lab, busy, length, figures):
    """If LONGBOX_BINARIES_BEFORE is set, the nodes have started with the programs in that folder."""
    with busy() as load:
        wait_for_changes(load)
        for _ in range(length.upgrades):
            for node in lab.nodes:
                with load.trouble():
                    node.stop()
                    node.start()
                    until(node.is_ready, f"node {node.name} is ready")
                figures.counts["nodes replaced"] += 1
                wait_for_changes(load)
    assert_one_leader_at_a_time(lab, figures)


def test_killed_nodes_lose_no_change(lab, busy, length, dice, figures):
    killed = dict.fromkeys(lab.nodes, 0)
    with busy() as load:
        for kill in range(length.kills):
            wait_for_changes(load)
            term, leader = lab.newest_term()
            node = leader if kill % 2 == 0 else min(lab.followers(), key=killed.get)
            with load.trouble():
                node.kill()
                begin = time.monotonic()
                if node is leader:
                    wait_for_new_leader(lab, term, begin, "kill -9", figures)
                let_pass(dice.uniform(0.1, 2))
                node.start()
                until(node.is_ready, f"node {node.name} is ready")
            killed[node] += 1
            figures.counts["kills"] += 1
        wait_for_changes(load)
    assert all(killed.values())
    assert_one_leader_at_a_time(lab, figures)


def test_a_database_crash_loses_no_change(lab, busy, length, dice, figures):
    with busy() as load:
        for _ in range(length.crashes):
            wait_for_changes(load)
            term, _ = lab.newest_term()
            with load.trouble():
                lab.postgres.stop("immediate")
                assert_pages_are_served(lab, figures)
                let_pass(dice.uniform(0, 3))
                with lab.hosts.database.inside():
                    lab.postgres.start()
                begin = time.monotonic()
                wait_for_new_leader(lab, term, begin, "the start of PostgreSQL", figures)
                wait_until_ready(lab, figures, "a crash of PostgreSQL")
            figures.counts["crashes of PostgreSQL"] += 1
        wait_for_changes(load)
    assert_one_leader_at_a_time(lab, figures)


def test_network_failures_lose_no_change(lab, busy, length, dice, figures):
    """A node is cut off from everything, as when a cable is pulled, or from the database alone."""
    if lab.hosts.problem:
        pytest.skip(lab.hosts.problem)
    with busy() as load:
        for _ in range(length.cuts):
            for leads in (True, False):
                for what, cut in (("all", "unplugged"), ("the database", "apart")):
                    wait_for_changes(load)
                    term, leader = lab.newest_term()
                    node = leader if leads else dice.choice(lab.followers())
                    with load.trouble():
                        with getattr(node.host, cut)():
                            if leads:
                                figures.counts["cuts of the leader"] += 1
                                wait_for_new_leader(lab, term, time.monotonic(), f"a cut from {what}", figures)
                            else:
                                let_pass(dice.uniform(3, 9))
                        wait_until_ready(lab, figures, f"a cut from {what}")
                    figures.counts[f"cuts from {what}"] += 1
        wait_for_changes(load)
    assert_one_leader_at_a_time(lab, figures)


def test_a_paused_leader_loses_its_term(lab, busy, length, dice, figures):
    with busy() as load:
        for _ in range(length.pauses):
            wait_for_changes(load)
            leader = lab.leader
            term = max(leader.terms()[0])
            with load.trouble():
                leader.pause()
                try:
                    wait_for_new_leader(lab, term, time.monotonic(), "SIGSTOP", figures)
                    let_pass(dice.uniform(0, 3))
                finally:
                    leader.wake()
                until(lambda: term in leader.terms()[1], "the old leader has stepped down")  # noqa: B023
                wait_until_ready(lab)
            figures.counts["pauses of the leader"] += 1
        wait_for_changes(load)
    assert_one_leader_at_a_time(lab, figures)


def test_kills_while_announcing_lose_no_message(lab, length, dice, figures):
    subscribers = {str(number) for number in range(1, length.subscribers + 1)}
    lab.query(
        f"""
        INSERT INTO subscription (created_at, endpoint, service, public_key, secret, hides_spoilers, time_zone, announced,
          has_received)
        SELECT extract(epoch FROM now())::bigint, '{lab.push.address}/send/' || number, '{lab.push.address}',
          '\\x{SUBSCRIBER.hex()}', '\\x{bytes(16).hex()}', false, 'UTC', {lab.latest}, true
        FROM generate_series(1, {length.subscribers}) AS number
        """
    )
    published = []

    def publish():
        lab.publish()
        published.append(f"comic-{lab.latest}")

    def notified():
        found = {}
        for (name, topic), _ in lab.push.counts().items():
            found.setdefault(topic, set()).add(name)
        return found.get(published[-1], set()) | found.get("comics", set())

    publish()
    for kill in range(length.announcer_kills):
        leader, killed = lab.leader, threading.Event()
        name = lab.query("SELECT node FROM leader")

        def act(leader=leader, killed=killed):
            os.kill(leader.program.process.pid, signal.SIGKILL)
            killed.set()

        lab.push.trap = (lab.push.count + dice.randint(1, length.subscribers // length.announcer_kills // 2), act)

        def is_killed(killed=killed):
            if not killed.is_set() and notified() == subscribers:
                publish()
            return killed.is_set()

        # After a kill, others may send what the dead leader had claimed only when its lease has ended.
        until(is_killed, "the leader is killed while announcing", timeout=400, pause=0.1)
        leader.kill()
        figures.counts["kills of the announcer"] += 1
        if length.subscribers <= 1_000 or kill == length.announcer_kills - 1:
            # Ends the lease of two minutes, after which others may send what the dead leader had claimed.
            lab.query(f"UPDATE subscription SET claimed_until = 0 WHERE claimed_by = '{name}'")
        until(lambda leader=leader: lab.leader is not leader, "another node leads")
        leader.start()
    publish()
    until(lambda: notified() == subscribers, "all are notified", timeout=400)
    counts = lab.push.counts()
    for name in subscribers:
        lost = [topic for topic in published if (name, topic) not in counts and (name, "comics") not in counts]
        assert not lost, f"{name} has never heard of {lost}"
    repeats = sum(count - 1 for count in counts.values())
    figures.counts["messages"] += sum(counts.values())
    figures.counts["repeated messages"] += repeats
    assert repeats <= CLAIMED * length.announcer_kills
    wait_until_ready(lab)
    assert_one_leader_at_a_time(lab, figures)


def test_no_change_is_lost_over_many_kills(lab, busy, length, figures):
    """Kills the leader now and then until readers have made as many changes as the length of the run asks for."""
    made = figures.counts["acknowledged changes"]
    missing = length.changes - made
    if missing <= 0:
        pytest.skip(f"The tests before this one made and compared {made} changes; {length.changes} are enough.")
    with busy() as load:
        while load.count() < missing and not load.problems:
            wait_for_changes(load, min(missing, 5_000))
            with load.trouble():
                leader = lab.leader
                leader.kill()
                leader.start()
                wait_until_ready(lab)
            figures.counts["kills"] += 1
    assert_one_leader_at_a_time(lab, figures)
