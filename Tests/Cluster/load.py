# Longbox
# SPDX-License-Identifier: MIT
"""Readers who read, search, send forms, sync and pair devices through nginx, while nodes fail."""

import contextlib
import html
import http.client
import itertools
import math
import random
import re
import threading
import time
from collections import Counter
from urllib.parse import urlsplit

import sync_messages
from lab import LATEST
from readers import Reader, Response, comic_numbers
from waiting import until_answered

PAGES = ["/", "/comics", "/favorites", "/about", "/search?q=map", "/search?q=proof+kettle", "/feed.atom", "/api/comics?limit=20"]
# After this many favorites a new reader takes a reader's place. The comparison at the end includes both.
ENOUGH = 300
# A request on a dead connection fails within five seconds, and for a second after that the node's pages show what it knows.
OUTAGE_MEMORY = 6
NO_ANSWER = (OSError, http.client.HTTPException)


class Client(Reader):
    """A reader whose connection stays open."""

    def __init__(self, address):
        super().__init__(address, timeout=90)
        self._connection = None

    def send(self, method, path, body=None, kind=None):
        headers = {}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if method == "POST":
            headers |= {"Origin": self.address, "Content-Type": kind}
        if self._connection is None:
            self._connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=self.timeout)
        begin = time.monotonic()
        try:
            self._connection.request(method, path, body, headers)
            reply = self._connection.getresponse()
            answer = Response(reply.status, reply.headers, reply.read(), time.monotonic() - begin)
        except NO_ANSWER:
            self.close()
            raise
        if given := answer.headers.get("Set-Cookie"):
            self.cookie = given.split(";")[0]
        return answer

    def close(self):
        if self._connection:
            self._connection.close()
            self._connection = None

    def sync_many(self, numbers):
        """Makes comics favorites by one sync."""
        self.tried.update(numbers)
        now = int(time.time() * 1000)
        entries = {b"favorite/comic/%d" % number: sync_messages.favorite(now) for number in numbers}
        answer = self.send("POST", "/sync", sync_messages.request(entries, now), "application/octet-stream")
        if answer.status == 200:
            self.acknowledged.update(numbers)
        return answer


class Load:
    """Workers with some readers each, as a context manager. In the end it compares what was acknowledged."""

    def __init__(self, lab, figures, workers, seed):
        self.lab, self.figures, self.workers, self.seed = lab, figures, workers, seed
        self.readers = []
        self.problems = []
        self.answers = Counter()
        self.acknowledged = 0
        self.longest = 0
        # From this time on nothing fails, so every node must show what has just been acknowledged.
        self.calm_from = 0
        self.troubles = 0
        self._lock = threading.Lock()
        self._is_over = threading.Event()

    def __enter__(self):
        self.begin = time.monotonic()
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(self.workers)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind, *_):
        self._is_over.set()
        for thread in self._threads:
            thread.join()
        if kind is None:
            self.check()

    @contextlib.contextmanager
    def trouble(self):
        """Something fails inside of this context."""
        self.calm_from = math.inf
        self.troubles += 1
        self.lab.publish()
        yield
        self._wait_for_nodes()
        self.calm_from = time.monotonic() + OUTAGE_MEMORY

    def _wait_for_nodes(self):
        """Waits until each node has an answer from the database."""
        with self.lab.hosts.front.inside():
            new = Reader(self.lab.address)
            until_answered(lambda: new.like(1).status == 303, "a change is taken")
            for node in self.lab.nodes:
                # The nodes don't know this library, so they can't show it from memory.
                there = Reader(node.address, new.cookie)
                until_answered(
                    lambda there=there: there.get("/settings/export").status == 200, f"node {node.name} shows the change"
                )

    def is_calm(self):
        return time.monotonic() >= self.calm_from

    def count(self):
        """The acknowledged changes so far."""
        with self._lock:
            return self.acknowledged

    def _work(self, number):
        dice = random.Random(f"{self.seed} {number}")
        with self.lab.hosts.front.inside():
            stranger = Client(self.lab.address)
            mine = [self._new_reader(), self._new_reader()]
            acts = [self._read, self._read_own, self._form, self._sync, self._sync_many, self._pair, self._look_at_once]
            weights = [6, 4, 6, 4, 3, 0.3, 0.5]
            while not self._is_over.is_set():
                (act,) = dice.choices(acts, weights)
                try:
                    act(dice, stranger, mine)
                except NO_ANSWER as error:
                    self._note(f"{act.__name__}: no answer: {error!r}")
                except Exception as error:
                    self._note(f"{act.__name__}: {error!r}")
                    raise
                for place, reader in enumerate(mine):
                    if len(reader.acknowledged) >= ENOUGH:
                        reader.close()
                        mine[place] = self._new_reader()

    def _new_reader(self):
        reader = Client(self.lab.address)
        with self._lock:
            self.readers.append(reader)
        return reader

    @staticmethod
    def _next(reader):
        """A comic that the reader hasn't tried."""
        return next(comic_numbers(max(reader.tried, default=0) + 1))

    # What readers do.

    def _read(self, dice, stranger, _):
        number = dice.randint(1, LATEST)
        own = [f"/{number}/", f"/{number}/explanation", f"/comics/{number}/image", f"/comics/{number}/thumbnail"]
        path = dice.choice([*PAGES, *own])
        self._check(path, stranger.get(path))

    def _read_own(self, dice, _, mine):
        reader = dice.choice(mine)
        path = dice.choice(["/favorites", f"/{dice.randint(1, LATEST)}/", "/settings"])
        self._check("page of a reader", reader.get(path))

    def _form(self, dice, _, mine):
        reader = dice.choice(mine)
        self._changed("form", reader.like(self._next(reader)), 303, 1)

    def _sync(self, dice, _, mine):
        reader = dice.choice(mine)
        self._changed("sync", reader.sync(self._next(reader)), 200, 1)

    def _sync_many(self, dice, _, mine):
        reader = dice.choice(mine)
        numbers = list(itertools.islice(comic_numbers(self._next(reader)), dice.randint(2, 30)))
        self._changed("sync", reader.sync_many(numbers), 200, len(numbers))

    def _pair(self, dice, _, mine):
        """The second reader's device gets the first one's library; a new reader takes its place."""
        first, second = mine
        if not first.acknowledged:
            return
        page = first.form("/settings/move")
        # All readers have one address here, which gets only so many codes.
        if page.status == 429 and page.headers["Retry-After"]:
            return
        self._check("offer of a code", page)
        if page.status != 200:
            return
        code = re.search(r"/join\?code=([A-Za-z0-9_-]+)", html.unescape(page.text)).group(1)
        # It may be paired even if no answer comes, and then shows what the first one changes later.
        first.tried |= second.tried
        second.tried = first.tried
        answer = second.form("/join", code=code)
        self._check("pairing", answer)
        if answer.status == 200:
            first.acknowledged |= second.acknowledged
            second.acknowledged = first.acknowledged
            with self._lock:
                self.figures["pairings"] += 1
        second.close()
        mine[1] = self._new_reader()

    def _look_at_once(self, dice, _, mine):
        """Each node shows at once what was acknowledged."""
        reader = dice.choice(mine)
        before = self.troubles
        if not reader.cookie or not self.is_calm():
            return
        number = self._next(reader)
        self._changed("form", reader.like(number), 303, 1)
        node = dice.choice(self.lab.nodes)
        there = Reader(node.address, reader.cookie)
        try:
            found = there.favorites()
        except (*NO_ANSWER, AssertionError):
            if self.is_calm() and self.troubles == before:
                raise
            return
        if self.is_calm() and self.troubles == before and reader.acknowledged - found:
            self._note(f"node {node.name} doesn't show what was acknowledged: {sorted(reader.acknowledged - found)[:9]}")
        with self._lock:
            self.figures["looks at another node"] += 1

    # What they get.

    def _changed(self, what, answer, wanted, count):
        self._check(what, answer)
        if answer.status == wanted:
            with self._lock:
                self.acknowledged += count
                self.figures["acknowledged changes"] += count

    def _check(self, what, answer):
        is_rejection = answer.status == 503 and answer.headers["Retry-After"]
        # Without a leader, no node fetches a picture that none has. A page without it is not an error.
        began = time.monotonic() - answer.seconds
        is_without_leader = answer.status == 504 and what.startswith("/comics/") and began < self.calm_from
        with self._lock:
            self.figures["requests"] += 1
            self.answers[answer.status] += 1
            self.longest = max(self.longest, answer.seconds)
        if not (200 <= answer.status < 400 or is_rejection or is_without_leader):
            self._note(f"{what}: {answer.status} after {answer.seconds:.1f} s: {answer.text[:200]!r}")

    def _note(self, problem):
        with self._lock:
            self.problems.append(f"{time.monotonic() - self.begin:.1f} s: {problem}")

    def _compare(self, reader, node):
        """Checks that a node has what was acknowledged to a reader, and nothing that the reader never sent."""
        there = Reader(node.address, reader.cookie)
        there.acknowledged, there.tried = reader.acknowledged, reader.tried
        found = set()

        def has_every_change():
            answer = there.get("/settings/export")
            # The database may just not have answered.
            if answer.status != 503:
                assert answer.status == 200, answer.text
                found.clear()
                found.update(there.favorites_in(answer))
            return there.acknowledged <= found

        # Not at once: see OUTAGE_MEMORY.
        try:
            until_answered(has_every_change, f"node {node.name} has every change")
        except AssertionError as error:
            print(f"The end of the log of node {node.name}:", *node.logged().splitlines()[-20:], sep="\n")
            answers = [(each, Reader(each.address, reader.cookie).get("/settings/export")) for each in self.lab.nodes]
            missing = {
                each.name: sorted(reader.acknowledged - there.favorites_in(answer)) if answer.status == 200 else answer.status
                for each, answer in answers
            }
            raise AssertionError(f"{error} Missing at each node: {missing} of {sorted(reader.acknowledged)}.") from error
        there.assert_right(found)

    def check(self):
        """Checks that nothing went wrong, and that each node has everything."""
        seconds = time.monotonic() - self.begin
        answers = ", ".join(f"{count} x {status}" for status, count in sorted(self.answers.items()))
        print(f"{self.acknowledged} changes acknowledged in {seconds:.0f} s; answers: {answers}; longest {self.longest:.1f} s")
        assert not self.problems, "\n".join([f"{len(self.problems)} problems, seed {self.seed}", *self.problems[:20]])
        with self.lab.hosts.front.inside():
            for reader in self.readers:
                reader.close()
                if not reader.cookie:
                    continue
                for node in self.lab.nodes:
                    self._compare(reader, node)
        with self._lock:
            self.figures["rejected with Retry-After"] += self.answers[503]
            self.figures["libraries compared at each node"] += sum(1 for reader in self.readers if reader.cookie)
