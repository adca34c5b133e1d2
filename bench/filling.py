# Longbox
# SPDX-License-Identifier: MIT
"""Opening comics that aren't stored yet while the background fill runs: the reader's requests go first.

The source answers after a tenth of a second, and the fill asks it at its real rate, twice a second. A reader opens a comic
about each second: the page, then the picture. If the comic's text is stored, that takes one request to the source, the
picture's. On a fresh install it takes two, because the text says where the picture is. One request at a time goes to a
source, so one of five comics waits for the end of the fill's. The times of reading vary, by a fixed seed: a reader
who turned in time with the fill would meet each of its requests, or none.
"""

import json
import random
import statistics
import time
import urllib.request
from urllib.parse import quote, urlsplit

import measure
import pages
import programs
from waiting import let_pass, until, until_answered

# How late the source answers, in milliseconds.
DELAY = 100
# How long a reader looks at a comic, in seconds: from, to.
READING = 0.5, 1.5
SEED = 353
# What opening a comic may take besides the source's answers, in milliseconds.
OWN = 50
# How many requests show that the fill is under way.
UNDER_WAY = 8


def delay_answers(replay):
    fault = json.dumps({"kind": "delay", "delay": DELAY}).encode()
    urllib.request.urlopen(f"{replay.address}/_replay/faults", fault, timeout=30).close()


def requests_to_xkcd(replay):
    requests = json.loads(programs.get(f"{replay.address}/_replay/state?last=2000")[2])["requests"]
    return sum(request["source"] in ("xkcd", "imgs") for request in requests)


def milliseconds(*addresses):
    """How long it takes to get the addresses one after another."""
    started = time.perf_counter()
    for address in addresses:
        status, _, _ = programs.get(address)
        assert status == 200, f"{address} answered {status}"
    return (time.perf_counter() - started) * 1000


def open_comics(server, numbers):
    """The times of a reader who opens comics, each with its picture."""
    times, dice = [], random.Random(SEED)
    for number in numbers:
        times.append(milliseconds(f"{server.address}/{number}/", f"{server.address}/comics/{number}/image"))
        let_pass(dice.uniform(*READING))
    return times


def knows_all(server, latest):
    health = json.loads(programs.get(f"{server.address}/healthz")[2])
    return not health["samples"] and health["latest"] == latest


def measure_opening(setting, data, name, has_text):
    """The figures of a reader and of a client that asks the source itself, in the same run."""
    lines = (setting.recording / "xkcd" / "comics.jsonl").read_text(encoding="utf-8").splitlines()
    records = {record["num"]: record for record in map(json.loads, lines)}
    # The fill begins with the newest comics.
    numbers = pages.with_pictures(setting.recording)[: 5 if setting.quick else 20]
    with (
        programs.replay(setting.recording) as replay,
        programs.server(data, replay.address, LONGBOX_XKCD_RATE=2, LONGBOX_EXPLAIN_RATE=0.5) as server,
    ):
        delay_answers(replay)
        until_answered(lambda: knows_all(server, max(records)), "the server knows the newest comic")
        until(lambda: requests_to_xkcd(replay) >= UNDER_WAY, "the fill is under way")
        times = open_comics(server, numbers)
        assert min(times) >= DELAY, "a picture was stored before the reader opened its comic"
        source = []
        for number in numbers[:5]:
            picture = replay.address + quote(urlsplit(records[number]["img"]).path, safe="/%()")
            source.append(milliseconds(*([] if has_text else [f"{replay.address}/{number}/info.0.json"]), picture))
    ours, peer = statistics.median(times), statistics.median(source)
    yield measure.Figure(f"opening a comic, {name}", ours, peer, "the source", "ms", f"at most {OWN} ms more", ours <= peer + OWN)
    yield measure.Figure("  the slowest of them", max(times), None, "", "ms")


def measure_filling(setting):
    with_texts = setting.scratch / "filling-texts"
    imported = programs.longbox("import", "--text-only", setting.recording / "xkcd", data=with_texts)
    assert imported.returncode == 0, imported.stderr
    yield from measure_opening(setting, with_texts, "its text stored", has_text=True)
    yield from measure_opening(setting, setting.scratch / "filling-fresh", "fresh install", has_text=False)
