# Longbox
# SPDX-License-Identifier: MIT
"""How long a reader's pages take while strangers attack, beside the same without the attack, and the server's peak memory.

The attacks are those of Tests/Attacks. They come from the addresses 127.0.0.2 and up, the reader from 127.0.0.1. They run in
processes of their own, so that Python's lock doesn't delay the reader.
"""

import contextlib
import multiprocessing
import shutil
from functools import partial

import attacks
import clients
import measure
import pages
import programs
from waiting import let_pass

# The most that a page may take, in milliseconds.
SLOWEST = 50
# The defaults of docs/limits.md, which tests raise, but less space for all libraries, to spare this machine's disk.
LIMITS = {
    "LONGBOX_LIMITS_NEW_LIBRARIES": 100,
    "LONGBOX_LIMITS_NEW_LIBRARY_MEGABYTES": 1,
    "LONGBOX_LIMITS_LIBRARIES_MEGABYTES": 200,
    "LONGBOX_LIMITS_FREE_MEGABYTES": 200,
    "LONGBOX_LIMITS_NEW_SUBSCRIPTIONS": 60,
}
# The pause of an attacker between two parts of its attack, in seconds. Without one, it would measure this machine's scheduler.
PAUSE = 0.01


def strangers(attack):
    """An attack from each of four addresses."""
    return [partial(attack, source=f"127.0.0.{number}") for number in range(2, 6)]


def all_attacks():
    """The processes of each attack, by its name: each runs a generator of attacks.py on an address."""
    found = {
        "4 pipelining connections": [partial(attacks.pipelining, count=4, requests=20_000)],
        "480 pipelining connections": [partial(attacks.pipelining, count=480, requests=1000)],
    }
    for begin in clients.UNFINISHED:
        kind = begin.__name__.removeprefix("begin_").replace("_", " ")
        found[f"600 connections, {kind}"] = [partial(attacks.stalling, begin=begin)]
    found["new libraries"] = strangers(attacks.new_libraries)
    found["new subscriptions"] = strangers(partial(attacks.new_subscriptions, service=programs.closed_address()))
    return found


def run(attack, address):
    """Runs an attack until the process is ended."""
    for _ in attack(address):
        let_pass(PAUSE)


@contextlib.contextmanager
def under(parts, address):
    """Runs the parts of an attack while the context is open."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=run, args=(part, address), daemon=True) for part in parts]
    for process in processes:
        process.start()
    try:
        yield
        assert all(process.is_alive() for process in processes), "an attacker has ended"
    finally:
        for process in processes:
            process.terminate()
            process.join()


def measure_floods(setting):
    paths = [f"/{number}/" for number in pages.with_pictures(setting.recording)]
    # The attackers write into it.
    data = shutil.copytree(setting.library(), setting.scratch / "floods")
    for name, parts in all_attacks().items():
        settings = LIMITS | {"LONGBOX_FILL": "false", "LONGBOX_PUSH_SERVICES": programs.closed_address()}
        with programs.server(data, programs.closed_address(), **settings) as server:
            watch = partial(clients.watch_victim, server.address, setting.seconds, paths=paths)
            quiet, attacked = [], []
            for _ in range(setting.rounds):
                quiet += watch()
                with under(parts, server.address):
                    attacked += watch()
            ours, peer = measure.p99(attacked) * 1000, measure.p99(quiet) * 1000
            memory, most = clients.peak_memory_of(server.process) / 1e6, clients.MEMORY / 1e6
        yield measure.Figure(
            f"page, p99: {name}", ours, peer, "no attack", "ms", f"p99 under {SLOWEST} ms", ours < SLOWEST
        )  # fmt: skip
        yield measure.Figure(
            "  most memory of the server", memory, None, "", "MB", f"memory under {most:.0f} MB", memory < most
        )  # fmt: skip
