#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Uses a server for some time as a household does, with sources that fail now and then, and looks for what grows.

    soak.py [--seconds 1800] [--seed N]

Readers with and without a library open pages, pictures, searches, feeds and albums, send forms and sync, while comics are
published and sources fail. In the end it prints how long each kind of request took. It fails if a response has an
unexpected status, if memory or open files grow after the warm-up, if the server doesn't give back within a minute and a half what
the use has taken, or if an acknowledged favorite is lost. The warm-up takes a third of the time, and longer if the pictures of
the first comics aren't stored by then.
"""

import argparse
import contextlib
import http.client
import json
import math
import random
import statistics
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from array import array
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import programs
import recording
from readers import Reader
from waiting import let_pass, until

# How many comics are published at first; the others are published during the run.
FIRST = 380
WORKERS = 6
READERS = 24
# Favorites are among the first comics, so that libraries stop growing soon.
LIKED = 60
# How much a server may grow after the warm-up: caches fill slowly, and the allocator keeps pages.
MOST_MEGABYTES = 16
MOST_FILES = 16
# How much more memory than before a server may keep when no client uses it any more: its caches.
MOST_AT_REST = 40
# How much longer than a third of the time the warm-up is, at most, in seconds.
LONGEST_FILL = 300
# What may be answered while a source is down.
DOWN = {502, 503, 504}

SOURCES = ["xkcd", "imgs", "explain", "itunes", "artwork", "wikipedia"]
FAULTS = [
    {"kind": "status", "status": 503},
    {"kind": "reset"},
    {"kind": "delay", "delay": 3_000},
    {"kind": "cut"},
    {"kind": "html"},
    {"kind": "empty"},
]
WORDS = "quiet ladder kettle proof map orbit pigeon compiler lantern harbour sandwich theorem python coffee".split()
FEEDS = ["/feed.atom", "/feed.json", "/feed.atom?q=python&deep=1", "/feeds/rerun/1/2026-01-01.atom?per-day=2", "/opds"]
PAGES = ["/", "/comics", "/comics?view=list", "/favorites", "/albums", "/settings", "/about", "/api/comics?limit=50"]
ALBUMS = ["/albums?artist=lantern", "/albums/artists/9001", "/albums/9101", "/albums/9102?country=us", "/albums/9102/cover"]


@dataclass
class Kind:
    """The requests of one kind."""

    seconds: array = field(default_factory=lambda: array("f"))
    statuses: Counter = field(default_factory=Counter)


@dataclass
class Sample:
    """The size of a server at one moment."""

    second: float
    megabytes: float
    files: int


class Soak:
    def __init__(self, server, source, seconds, seed):
        self.server = server
        self.source = source
        self.seconds = seconds
        self.seed = seed
        self.end = math.inf
        # When the warm-up was over, in seconds after the beginning.
        self.warm = None
        self.kinds = {}
        self.unexpected = []
        self.samples = []
        self.readers = [Reader(server.address) for _ in range(READERS)]
        self.locks = [threading.Lock() for _ in range(READERS)]
        self.lock = threading.Lock()

    def run(self):
        threads = [threading.Thread(target=self._work, args=(number,)) for number in range(WORKERS)]
        threads.append(threading.Thread(target=self._trouble))
        for thread in threads:
            thread.start()
        begin = time.monotonic()
        try:
            while any(thread.is_alive() for thread in threads):
                second = time.monotonic() - begin
                self.samples.append(self._sample(second))
                late = second - self.seconds / 3
                if self.warm is None and late >= 0 and (late >= LONGEST_FILL or self._is_filled()):
                    self.warm = second
                    self.end = begin + second + self.seconds * 2 / 3
                let_pass(0.5)
        finally:
            self.end = 0
            for thread in threads:
                thread.join()
        for reader in self.readers:
            reader.assert_nothing_is_lost()

    def _is_filled(self):
        """Whether the pictures of the first comics are stored, or wait for another try; each but one has a picture."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            health = health_of(self.server)
            return health.get("picturesStored", 0) + health.get("failures", 0) >= FIRST - 1
        return False

    def _sample(self, second):
        process = Path(f"/proc/{self.server.process.pid}")
        for line in (process / "status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return Sample(second, int(line.split()[1]) / 1000, len(list((process / "fd").iterdir())))
        raise RuntimeError(f"the server has ended:\n{self.server.logged()[-4000:]}")

    def _work(self, number):
        dice = random.Random(f"{self.seed} {number}")
        acts = [self._page, self._comic, self._picture, self._search, self._feed, self._album, self._library, self._device]
        weights = [3, 8, 6, 3, 2, 2, 6, 4]
        stranger = Reader(self.server.address)
        while time.monotonic() < self.end:
            (act,) = dice.choices(acts, weights)
            try:
                act(dice, stranger)
            except (OSError, http.client.HTTPException, AssertionError) as problem:
                self._note_unexpected(f"{act.__name__}: {problem!r}")
            let_pass(dice.uniform(0, 0.06))

    def _page(self, dice, stranger):
        self._check("page", stranger.get(dice.choice(PAGES)))

    def _comic(self, dice, stranger):
        self._check("comic", stranger.get(f"/{self._number(dice)}/"))

    def _picture(self, dice, stranger):
        kind = dice.choice(["image", "image", "thumbnail"])
        number = self._number(dice)
        allowed = DOWN | {404} if number == recording.NO_PICTURE else DOWN
        self._check("picture", stranger.get(f"/comics/{number}/{kind}"), allowed)

    def _search(self, dice, stranger):
        words = "+".join(dice.choices(WORDS, k=dice.randint(1, 3)))
        self._check("search", stranger.get(dice.choice([f"/search?q={words}", f"/api/search?q={words}"])))

    def _feed(self, dice, stranger):
        self._check("feed", stranger.get(dice.choice(FEEDS)))

    def _album(self, dice, stranger):
        path = dice.choice([*ALBUMS, f"/{self._number(dice)}/explanation"])
        # Until an album has been fetched, it has no cover.
        self._check("album or explanation", stranger.get(path), DOWN | {404} if path.endswith("/cover") else DOWN)

    def _library(self, dice, _):
        index = dice.randrange(READERS)
        with self.locks[index]:
            reader = self.readers[index]
            number = dice.randint(1, LIKED)
            self._check("form", reader.like(number), {303})
            self._check("page of a reader", reader.get(f"/{self._number(dice)}/"))
            self._check("page of a reader", reader.get("/favorites"))

    def _device(self, dice, _):
        index = dice.randrange(READERS)
        with self.locks[index]:
            self._check("sync", self.readers[index].sync(dice.randint(1, LIKED)))

    @staticmethod
    def _number(dice):
        return dice.randint(1, FIRST)

    def _check(self, name, answer, allowed=frozenset()):
        with self.lock:
            kind = self.kinds.setdefault(name, Kind())
            kind.seconds.append(answer.seconds)
            kind.statuses[answer.status] += 1
        expected = allowed if 303 in allowed else {200, *allowed}
        if answer.status not in expected:
            self._note_unexpected(f"{name}: {answer.status} {answer.text[:200]!r}")

    def _note_unexpected(self, sentence):
        with self.lock:
            self.unexpected.append(sentence)

    def _trouble(self):
        """Makes sources fail for one to six seconds at a time, and publishes a comic after each."""
        dice = random.Random(f"{self.seed} trouble")
        while time.monotonic() < self.end:
            try:
                self._fail(dice)
            except (OSError, http.client.HTTPException) as problem:
                self._note_unexpected(f"longbox-replay: {problem!r}")
            self._wait(dice.uniform(1, 6))

    def _fail(self, dice):
        for source in dice.sample(SOURCES, dice.randint(1, 3)):
            self._control("faults", dice.choice(FAULTS) | {"source": source, "probability": dice.choice([0.3, 1])})
        self._wait(dice.uniform(1, 6))
        self._control("faults", method="DELETE")
        # When all are published, the answer is an error.
        with contextlib.suppress(urllib.error.HTTPError):
            self._control("publish", {})

    def _wait(self, seconds):
        while seconds > 0 and time.monotonic() < self.end:
            let_pass(min(seconds, 0.2))
            seconds -= 0.2

    def rest(self):
        """Waits until the server has given back what the use has taken; returns what is wrong."""
        before = self.samples[0].megabytes

        def taken():
            return self._sample(0).megabytes - before

        with contextlib.suppress(AssertionError):
            until(lambda: taken() < MOST_AT_REST, "the memory is free again", timeout=90, pause=1)
        print(f"at rest: {before:.0f} MB before the use, {before + taken():.0f} MB after it")
        return [f"{taken():.1f} MB are not given back"] if taken() >= MOST_AT_REST else []

    def _control(self, path, content=None, method="POST"):
        body = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(f"{self.source.address}/_replay/{path}", body, method=method)
        with urllib.request.urlopen(request, timeout=60) as reply:
            reply.read()

    def report(self):
        """Prints what was measured; returns what is wrong."""
        everything = array("f")
        for name, kind in sorted(self.kinds.items()):
            everything.extend(kind.seconds)
            statuses = ", ".join(f"{count} x {status}" for status, count in sorted(kind.statuses.items()))
            print(
                f"{name:21} {len(kind.seconds):7} requests, median {statistics.median(kind.seconds) * 1000:6.1f} ms, "
                f"p99 {percentile(kind.seconds, 99) * 1000:7.1f} ms: {statuses}"
            )
        later = [sample for sample in self.samples if sample.second >= self.warm]
        memory = growth(later, lambda sample: sample.megabytes)
        files = growth(later, lambda sample: sample.files)
        problems = self.unexpected[:20]
        if memory > MOST_MEGABYTES:
            problems.append(f"memory has grown by {memory:.1f} MB")
        if files > MOST_FILES:
            problems.append(f"open files have grown by {files:.1f}")
        most = max(sample.megabytes for sample in self.samples)
        print(
            f"soak: {self.samples[-1].second:.0f} s, {len(everything)} requests, {len(self.unexpected)} unexpected, "
            f"p99 {percentile(everything, 99) * 1000:.0f} ms; after {self.warm:.0f} s {later[0].megabytes:.0f} MB and "
            f"{later[0].files} files, growth {memory:+.1f} MB and {files:+.1f} files, at most {most:.0f} MB"
        )
        return problems


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def growth(samples, value):
    """How much a value grows over the samples, by the line that fits them best."""
    seconds = [sample.second for sample in samples]
    line = statistics.linear_regression(seconds, [value(sample) for sample in samples])
    return line.slope * (seconds[-1] - seconds[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=1800)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    settings = {"LONGBOX_POLL": 2, "LONGBOX_XKCD_RATE": 50}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        recorded = recording.make(folder / "recording")
        source = programs.Program("longbox-replay", "--data", recorded, "--port", 0, "--latest", FIRST)
        with source, programs.server(folder / "data", source.address, **settings) as server:
            wait_until_stored(server)
            soak = Soak(server, source, arguments.seconds, arguments.seed)
            soak.run()
            problems = soak.report() + soak.rest()
        if not programs.status(folder / "data")["isSound"]:
            problems.append("the data folder is not sound")
    if problems:
        sys.exit("\n".join(["Failed:", *problems]))


def wait_until_stored(server):
    """Waits until all texts are stored; the pictures come later."""
    until(lambda: health_of(server).get("comics", 0) >= FIRST, "all comics are stored", timeout=300)


def health_of(server):
    """What a server reports about itself."""
    return json.loads(programs.get(f"{server.address}/healthz")[2])


if __name__ == "__main__":
    main()
