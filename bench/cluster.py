# Longbox
# SPDX-License-Identifier: MIT
"""Nodes on PostgreSQL beside a server on SQLite: processor time and round trips to the database for each kind of request.

The processor time of a request is that of Longbox's process (/proc/PID/stat), divided by the number of requests. It hardly
depends on what else the machine does, unlike requests a second. The database's own processor time is shown beside it.
PostgreSQL runs on this machine. A proxy on its socket counts round trips.
"""

import contextlib
import itertools
import json
import os
import selectors
import shutil
import socket
import statistics
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import measure
import pages
import postgres
import programs
import sync_messages
from readers import FORM, Reader
from waiting import until

READERS = 64
# What a reader's library has: a favorite in each 64 comics, and a thousand read marks.
FAVORITES, READ = 50, 1_000
TICK = os.sysconf("SC_CLK_TCK")
# Short measurements and many of them: on a shared machine the processor time of a request varies by a third for seconds.
SECONDS, ROUNDS = 2, 3


@dataclass
class Cost:
    """The processor time of one request, in microseconds: of Longbox, and of the database."""

    node: float
    database: float


def ticks(process_id, with_ended_children=False):
    """The processor time of a process in clock ticks."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11 : 15 if with_ended_children else 13])


def ticks_of_database(server):
    """The processor time of a PostgreSQL server with all its processes; 0 without one."""
    if server is None:
        return 0
    first = int((server.data / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    total = ticks(first, with_ended_children=True)
    for child in children:
        with contextlib.suppress(FileNotFoundError):  # It has ended in the meantime.
            total += ticks(child)
    return total


class CountingProxy:
    """A proxy on a Unix socket before PostgreSQL's; counts round trips, as a context manager.

    A round trip begins when a client sends after the server has answered. A node's two connections for the leader and for
    notifications, which send something each second, don't count.
    """

    NAME = ".s.PGSQL.5432"
    OWN = (b"LISTEN ", b"idle_session_timeout")

    def __init__(self, folder, server):
        self.folder = Path(folder)
        self.server = server
        self.count = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.folder.mkdir()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / self.NAME))
        self._listener.listen(64)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
        self._listener.close()
        shutil.rmtree(self.folder)

    def address(self, database):
        """A database's address through this proxy."""
        return database.replace(str(self.server.folder), str(self.folder))

    def _run(self):
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            answered = {}  # by client: whether the server has spoken last; absent for what doesn't count
            while not self._over.is_set():
                for key, _ in selector.select(0.1):
                    if key.fileobj is self._listener:
                        client, _ = self._listener.accept()
                        there = socket.socket(socket.AF_UNIX)
                        there.connect(str(self.server.folder / self.NAME))
                        answered[client] = True
                        selector.register(client, selectors.EVENT_READ, (client, there))
                        selector.register(there, selectors.EVENT_READ, (client, there))
                        continue
                    client, there = key.data
                    is_client = key.fileobj is client
                    try:
                        data = key.fileobj.recv(1 << 16)
                    except ConnectionError:
                        data = b""
                    if not data:
                        for one in (client, there):
                            selector.unregister(one)
                            one.close()
                        break  # The other end may be in this list, too.
                    if is_client and any(words in data for words in self.OWN):
                        answered.pop(client, None)
                    if client in answered:
                        self.count += is_client and answered[client]
                        answered[client] = not is_client
                    (there if is_client else client).sendall(data)


def make_readers(address):
    """Makes readers with libraries; returns their cookies."""
    now = int(time.time() * 1000)
    entries = {b"read/comic/%d" % number: b"\x01" for number in range(1, READ + 1) if number != 404}
    entries |= {b"favorite/comic/%d" % number: sync_messages.favorite(now) for number in range(3, 64 * FAVORITES, 64)}
    body = sync_messages.request(entries, now)
    cookies = []
    for _ in range(READERS):
        reader = Reader(address)
        answer = reader.send("POST", "/sync", body, "application/octet-stream")
        assert answer.status == 200 and reader.cookie, answer
        cookies.append(reader.cookie)
    return cookies


def requests(numbers, cookies, delta):
    """What is asked for, by its name: lines for spread.lua. `delta` is where an app gets a new comic."""
    count = len(numbers)
    ahead = [(index, numbers[(index + step) % count]) for step in range(8) for index in range(len(cookies))]
    return {
        "a stranger's page": [f"/{number}/" for number in numbers],
        "a new comic for an app": [delta],
        # The same comic again: there is nothing to note.
        "a reader's page": [f"/{number}/\t{cookie}" for number, cookie in zip(itertools.cycle(numbers), cookies, strict=False)],
        "a reader's page that notes the place": [f"/{number}/\t{cookies[index]}" for index, number in ahead],
        "a form": [
            f"/favorites/set\t{cookie}\tcomic={number}&on={state}"
            for number in numbers[:8]
            for state in ("yes", "no")
            for cookie in cookies
        ],
    }


def cost(nodes, server, file, seconds):
    """Puts load on nodes; returns the processor time of a request.

    The nodes get it in turn, since together they would compete for this machine's processors.
    """
    before, before_database = sum(ticks(node.process.pid) for node in nodes), ticks_of_database(server)
    loads = [measure.wrk(node.address, file, max(1, seconds // len(nodes))) for node in nodes]
    after, after_database = sum(ticks(node.process.pid) for node in nodes), ticks_of_database(server)
    scale = 1e6 / TICK / sum(load.requests for load in loads)
    return Cost((after - before) * scale, (after_database - before_database) * scale)


def medians(costs):
    return Cost(statistics.median(cost.node for cost in costs), statistics.median(cost.database for cost in costs))


# The goal for each kind of request: at least this part of SQLite's requests.
GOALS = {"a stranger's page": 0.95, "a reader's page": 0.7, "a reader's page that notes the place": 0.7}


# What is measured with several nodes, too.
SPREAD = ("a stranger's page", "a reader's page", "a form")


def beside_sqlite(alone, node, server, files, setting):
    """Requests a second of processor time, of a node on PostgreSQL beside a server on SQLite."""
    for name, file in files.items():
        costs = {alone: [], node: []}
        for one in costs:
            measure.wrk(one.address, file, 1)  # warm
        for _ in range(ROUNDS * setting.rounds):
            for one in costs:
                costs[one].append(cost([one], server if one is node else None, file, SECONDS))
        ours, peer = medians(costs[node]), medians(costs[alone])
        goal = GOALS.get(name)
        yield measure.Figure(
            f"{name}, 64 connections", 1e6 / ours.node, 1e6 / peer.node, "SQLite", "requests/CPU s",
            f"at least {goal} of SQLite" if goal else "", peer.node >= goal * ours.node if goal else None,
        )  # fmt: skip
        yield measure.Figure("  PostgreSQL's processor time for it", ours.database, None, "", "CPU µs")


def round_trips(address, proxy, cookies, numbers, setting):
    """The round trips of one request after another; the median leaves out what a node asks by itself."""
    reader, device = Reader(address, cookies[0]), Reader(address, cookies[1])
    now = int(time.time() * 1000)
    steps = itertools.count()

    def page_of_another_comic():
        return reader.get(f"/{numbers[next(steps) % len(numbers)]}/")

    def form():
        step = next(steps)
        return reader.form("/favorites/set", comic=numbers[step // 2 % 8], on="yes" if step % 2 else "no")

    def sync(time):
        entries = {b"read/comic/%d" % (2_000 + time % 1_000): b"\x01"}
        return device.send("POST", "/sync", sync_messages.request(entries, time), "application/octet-stream")

    kinds = {
        "a stranger's page": (lambda: Reader(address).get(f"/{numbers[next(steps) % len(numbers)]}/"), 0),
        "a reader's page": (lambda: reader.get("/favorites"), 1),
        "a reader's page that notes the place": (page_of_another_comic, None),
        "a form": (form, 2),
        "the first form of a new reader": (lambda: Reader(address).send("POST", "/favorites/set", "comic=1&on=yes", FORM), None),
        "a sync with a change": (lambda: sync(now + next(steps)), 2),
        "a sync without changes": (lambda: sync(now), 1),
    }
    for name, (ask, most) in kinds.items():
        counts = []
        ask()
        for _ in range(20 if setting.quick else 200):
            before = proxy.count
            answer = ask()
            assert answer.status in (200, 303), (name, answer)
            counts.append(proxy.count - before)
        count = statistics.median(counts)
        goal = "" if most is None else f"at most {most}" if most else "none"
        yield measure.Figure(f"round trips: {name}", count, None, "", "median", goal, most is not None and count <= most)


def cost_of_syncs(alone, node, server, cookie, setting):
    """A device that sends one change after another over one connection, as an app does after reading a comic."""
    count = 200 if setting.quick else 2_000
    now = int(time.time() * 1000)
    entries = [{b"read/comic/%d" % (1_001 + step % 2_000): b"\x01"} for step in range(count)]
    costs = {}
    for one in (alone, node):
        reader = Reader(one.address, cookie)
        before, before_database = ticks(one.process.pid), ticks_of_database(server)
        for step, change in enumerate(entries):
            body = sync_messages.request(change, now + step)
            answer = reader.send("POST", "/sync", body, "application/octet-stream")
            assert answer.status == 200, answer
        scale = 1e6 / TICK / count
        costs[one] = Cost((ticks(one.process.pid) - before) * scale, (ticks_of_database(server) - before_database) * scale)
    yield measure.Figure("a sync, one after another", costs[node].node, costs[alone].node, "SQLite", "CPU µs")
    yield measure.Figure("  PostgreSQL's processor time for it", costs[node].database, None, "", "CPU µs")


def measure_cluster(setting):
    with ExitStack() as stack:
        data = setting.scratch / "cluster"
        shutil.copytree(setting.library(), data)

        def start(folder, **settings):
            return programs.server(folder, programs.closed_address(), LONGBOX_FILL="false", **settings)

        with start(data) as first:
            cookies = make_readers(first.address)
            archive = json.loads(programs.get(f"{first.address}/device.json")[2])["archive"]
            delta = f"/archive?since={archive['revision'] - 1}&rules={archive['rules']}&samples=0"
        server = stack.enter_context(postgres.Cluster())
        database = server.make_database("longbox")
        moved = programs.longbox("migrate-store", "--from", f"sqlite:{data}", "--to", database, data=data)
        assert moved.returncode == 0, moved.stderr
        numbers = pages.with_pictures(setting.recording)
        files = {}
        for index, (name, lines) in enumerate(requests(numbers, cookies, delta).items()):
            files[name] = setting.scratch / f"cluster-{index}.txt"
            files[name].write_text("".join(f"{line}\n" for line in lines))

        def node(index, address):
            return start(setting.scratch / f"node-{index}", LONGBOX_DATABASE=address)

        with start(data) as alone, node(1, database) as one:
            yield from beside_sqlite(alone, one, server, files, setting)
            yield from cost_of_syncs(alone, one, server, cookies[2], setting)
        with CountingProxy(server.folder / "counted", server) as proxy, node(1, proxy.address(database)) as one:
            # At its start a node reads all explanations, to index them.
            counts = []
            until(lambda: counts.append(proxy.count) or counts[-6:-1] == counts[-5:], "the node asks nothing", pause=0.2)
            yield from round_trips(one.address, proxy, cookies, numbers, setting)
        nodes = [stack.enter_context(node(index, database)) for index in (1, 2, 3)]
        yield from one_to_three(nodes, server, files, setting)


def one_to_three(nodes, server, files, setting):
    """The processor time of a request when one, two and three nodes answer the same readers, who have changed their libraries
    at the others in between."""
    for name, file in files.items():
        if name not in SPREAD:
            continue
        costs = {count: [] for count in (1, 2, 3)}
        for one in nodes:
            measure.wrk(one.address, file, 1)  # warm
        for _ in range(ROUNDS * setting.rounds):
            for count in costs:
                costs[count].append(cost(nodes[:count], server, file, SECONDS))
        single = medians(costs[1]).node
        for count in (2, 3):
            several = medians(costs[count]).node
            yield measure.Figure(
                f"{name}, {count} nodes", several, single, "one node", "CPU µs", "at most 1.15", several <= 1.15 * single
            )
