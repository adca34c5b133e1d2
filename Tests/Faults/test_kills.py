# Longbox
# SPDX-License-Identifier: MIT
"""kill -9 while a server writes: nothing acknowledged is lost, and the server starts again and serves pages.

`test_push_messages.py` of the browser tests does the same while a server sends messages about new comics.
"""

import contextlib
import html
import http.client
import re
import sqlite3
import threading

import pytest

import faults
import programs
import recording
from readers import Reader, comic_numbers
from stored import Stored, rows
from waiting import until

NO_ANSWER = (OSError, http.client.HTTPException)


def until_killed(server, seconds, act):
    """Acts again and again until the server is killed after some seconds; an act may fail when it is."""
    timer = threading.Timer(seconds, server.process.kill)
    timer.start()
    with contextlib.suppress(*NO_ANSWER):
        while True:
            act()
    timer.join()
    server.process.wait()


def like(reader, number):
    assert reader.like(number).status == 303


def sync(reader, number):
    assert reader.sync(number).status == 200


def upload(reader, number):
    numbers = range(1000 + number * 10, 1010 + number * 10)
    document = {"format": "longbox-library", "version": 1, "favorites": [{"num": each} for each in numbers]}
    answer = reader.upload(document)
    assert answer.status == 200 and "10 favorites added" in answer.text, answer.text


@pytest.mark.parametrize("act", [like, sync, upload])
def test_a_kill_loses_no_acknowledged_change(data, dice, act):
    reader = Reader(None)
    numbers = comic_numbers()

    def next_change():
        act(reader, next(numbers))

    for kill in range(12):
        with faults.server(data) as server:
            reader.address = server.address
            faults.assert_pages_are_served(server.address)
            if kill:
                reader.assert_nothing_is_lost()
            # The first change is acknowledged before the first kill, since it brings the cookie.
            next_change()
            until_killed(server, dice.uniform(0, 0.15), next_change)
    with faults.server(data) as server:
        reader.address = server.address
        reader.assert_nothing_is_lost()
    faults.assert_sound(data)
    print(f"{len(reader.tried)} favorites sent, {len(reader.acknowledged)} acknowledged, none lost in 12 kills")


def code_of(reader):
    """The code that pairs another device with a reader's library."""
    page = reader.form("/settings/move")
    assert page.status == 200, page.text
    return re.search(r"/join\?code=([A-Za-z0-9_-]+)", html.unescape(page.text)).group(1)


def test_a_kill_during_pairing_leaves_the_libraries_merged_or_unchanged(data, dice):
    paired = 0
    for kill in range(12):
        first, second = Reader(None), Reader(None)
        own = second.cookie
        with faults.server(data) as server:
            first.address = second.address = server.address
            for number in range(1, 4):
                like(first, number)
                like(second, 10 + number)
            own = second.cookie
            code = code_of(first)
            is_paired = False
            timer = threading.Timer(dice.uniform(0, 0.004), server.process.kill)
            timer.start()
            with contextlib.suppress(*NO_ANSWER):
                is_paired = second.form("/join", code=code).status == 200
            timer.join()
            server.process.wait()
        with faults.server(data) as server:
            faults.assert_pages_are_served(server.address)
            first.address = second.address = server.address
            mine, theirs = {1, 2, 3}, {11, 12, 13}
            left = Reader(server.address, own)
            if first.favorites() == mine:
                assert not is_paired, "an acknowledged pairing is lost"
                assert left.favorites() == theirs
            else:
                # The old cookie of the second device opens the shared library as well.
                assert first.favorites() == left.favorites() == second.favorites() == mine | theirs
                paired += 1
            like(left, 20 + kill)
    faults.assert_sound(data)
    print(f"{paired} of 12 pairings were stored before the kill")


def test_a_killed_import_loses_nothing_and_can_be_repeated(tmp_path, recorded, dice):
    data = tmp_path / "data"
    kept = None
    stages = []
    for _ in range(10):
        process = programs.begin("import", recorded / "xkcd", data=data)
        faults.kill_while_writing(process, data, dice.uniform(0, 0.4))
        earlier, kept = kept, Stored(data)
        stages.append((len(kept.comics), len(kept.pictures)))
        if earlier:
            kept.assert_includes(earlier)
    imported = programs.longbox("import", recorded / "xkcd", data=data)
    assert imported.returncode == 0, imported.stderr
    last = Stored(data)
    last.assert_includes(kept)
    last.assert_is_all_of(recorded)
    faults.assert_sound(data)
    print(f"comics and pictures after each kill: {stages}")


def test_a_killed_migration_is_completed_at_the_next_start(tmp_path, dice):
    """Kills a server that updates the tables of an earlier version."""
    stores = programs.ROOT / "Tests" / "LongboxStoreTests" / "Stores"
    dump = (stores / "005.sql").read_text(encoding="utf-8")

    def write_data_folder(folder):
        folder.mkdir()
        database = sqlite3.connect(folder / "longbox.sqlite")
        database.executescript(dump)
        database.close()

    whole = tmp_path / "whole"
    write_data_folder(whole)
    with faults.server(whole) as server:
        programs.get(f"{server.address}/about")
    expected = rows(whole / "longbox.sqlite")
    stages = set()
    for kill in range(8):
        data = tmp_path / f"killed{kill}"
        write_data_folder(data)
        process = programs.begin("serve", data=data, LONGBOX_PORT=0, LONGBOX_XKCD_URL=programs.closed_address())
        faults.kill_while_writing(process, data, dice.uniform(0, 0.1))
        stages.add(len(rows(data / "longbox.sqlite")["grdb_migrations"]))
        with faults.server(data) as server:
            assert programs.get(f"{server.address}/about")[0] == 200
            # Some time after its start a server forgets pictures without a file; the earlier version left one.
            until(lambda: faults.reported(data, "isSound"), "the folder is sound")  # noqa: B023 (called at once)
        found = rows(data / "longbox.sqlite")
        assert found.keys() == expected.keys()
        # The server also looks for new comics.
        changing = {"newest_check", "comic_fetch", "picture_file"}
        different = [name for name in expected if name not in changing and found[name] != expected[name]]
        assert not different, different
        faults.assert_sound(data)
    print(f"killed with this many migrations done: {sorted(stages)}")


def test_a_killed_fill_loses_nothing_and_continues_at_the_next_start(tmp_path_factory, tmp_path, dice):
    """Kills a server that downloads all comics."""
    recorded = recording.make(tmp_path_factory.mktemp("all"), latest=150)
    data = tmp_path / "data"
    data.mkdir()
    kept = None
    stages = []
    settings = {"LONGBOX_XKCD_RATE": 100}
    with programs.replay(recorded) as source:
        for _ in range(15):
            with programs.server(data, source.address, **settings) as server:
                faults.kill_while_writing(server.process, data, dice.uniform(0, 0.6))
            earlier, kept = kept, Stored(data)
            stages.append((len(kept.comics), len(kept.pictures)))
            if earlier:
                kept.assert_includes(earlier)
        with programs.server(data, source.address, **settings):
            until(lambda: faults.reported(data, "isComplete"), "all comics are stored", timeout=120)
    faults.assert_sound(data)
    last = Stored(data)
    last.assert_includes(kept)
    last.assert_is_all_of(recorded)
    print(f"comics and pictures after each kill: {stages}; then everything was stored")
