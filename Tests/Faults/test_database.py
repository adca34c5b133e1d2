# Longbox
# SPDX-License-Identifier: MIT
"""A database that another program locks, or that is damaged."""

import contextlib
import shutil
import sqlite3

import pytest

import faults
import programs
from readers import Reader
from waiting import until


@contextlib.contextmanager
def database_of(data):
    database = sqlite3.connect(data / "longbox.sqlite", isolation_level=None)
    try:
        yield database
    finally:
        database.close()


def test_a_locked_database_stops_changes_but_not_pages(data, source):
    with faults.server(data, source.address) as server:
        reader, device = Reader(server.address), Reader(server.address)
        assert reader.like(1).status == 303
        assert device.sync(1).status == 200
        with database_of(data) as other:
            other.execute("BEGIN IMMEDIATE")
            faults.assert_pages_are_served(server.address)
            page = reader.get("/2/")
            # If it waited for the lock, it would take five seconds.
            assert page.status == 200 and page.seconds < 5
            faults.assert_pages_are_served(server.address)
            rejected = reader.like(2)
            faults.assert_not_saved(rejected)
            assert rejected.status == 503 and rejected.seconds < 20
            rejected = device.sync(2)
            faults.assert_not_saved(rejected)
            assert rejected.status == 503 and rejected.headers["Retry-After"]
            other.execute("ROLLBACK")
        assert reader.like(3).status == 303
        assert device.sync(3).status == 200
        reader.assert_nothing_is_lost()
        device.assert_nothing_is_lost()


def test_the_server_does_not_start_on_a_locked_database(data):
    with database_of(data) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        started = programs.longbox("serve", "--port", 0, data=data)
        assert started.returncode == 75 and "locked" in started.stderr, started.stderr
    with faults.server(data) as server:
        faults.assert_pages_are_served(server.address)


def damage(data, table, dice):
    """Overwrites the first page of a table with random bytes, or the database's own for `sqlite_schema`."""
    with database_of(data) as database:
        assert database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        size = database.execute("PRAGMA page_size").fetchone()[0]
        roots = dict(database.execute("SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'"))
    page = roots.get(table, 1)
    with (data / "longbox.sqlite").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(dice.randbytes(size))


@pytest.mark.parametrize("table", ["sqlite_schema", "comic", "library_register"])
def test_a_damaged_database_is_reported_and_can_be_replaced_by_a_copy(data, tmp_path, dice, table):
    with faults.server(data) as server:
        reader = Reader(server.address)
        assert reader.like(1).status == 303
        assert reader.like(2).status == 303
        until((data / "archive.lbx").exists, "the archive is stored")
    copy = shutil.copytree(data, tmp_path / "copy")
    damage(data, table, dice)
    damaged = (data / "longbox.sqlite").read_bytes()
    assert programs.longbox("status", data=data).returncode != 0
    if table == "sqlite_schema":
        started = programs.longbox("serve", "--port", 0, data=data)
        assert started.returncode == 74, started.stderr
        assert "damaged" in started.stderr and "Put back a copy" in started.stderr
        assert (data / "longbox.sqlite").read_bytes() == damaged, "the damaged file is the only one, so it stays"
    else:
        with faults.server(data) as server:
            reader.address = server.address
            faults.assert_pages_are_served(server.address)
            page = reader.get("/2/")
            assert page.status in (200, 503) and page.body
            if table == "library_register":
                faults.assert_not_saved(reader.form("/favorites/set", comic=3, on="yes"))
                assert "damaged" in server.logged()
            else:
                # Pages come from the archive's copy; the original record can't be read.
                record = reader.get("/2/info.0.json")
                assert record.status >= 500 and "damaged" in record.text
    shutil.rmtree(data)
    shutil.move(copy, data)
    with faults.server(data) as server:
        reader.address = server.address
        reader.assert_nothing_is_lost()
        assert reader.like(4).status == 303
    faults.assert_sound(data)


def test_a_cut_write_ahead_log_leaves_only_whole_changes(data, tmp_path, dice):
    with faults.server(data) as server:
        reader = Reader(server.address)
        for number in range(1, 31):
            assert reader.like(number).status == 303
        server.kill()
    length = (data / "longbox.sqlite-wal").stat().st_size
    assert length > 0
    counts = []
    for index, left in enumerate([length, *(dice.randrange(length) for _ in range(5)), 0]):
        copy = shutil.copytree(data, tmp_path / f"cut{index}")
        (copy / "longbox.sqlite-shm").unlink()
        with (copy / "longbox.sqlite-wal").open("r+b") as log:
            log.truncate(left)
        with faults.server(copy) as server:
            reader.address = server.address
            faults.assert_pages_are_served(server.address)
            found = reader.favorites()
            # Whole changes, in their order.
            assert found == set(range(1, len(found) + 1)), f"{left} of {length} bytes: {sorted(found)}"
            counts.append(len(found))
            assert reader.form("/favorites/set", comic=50, on="yes").status == 303
        faults.assert_sound(copy)
        shutil.rmtree(copy)
    assert counts[0] == 30, "a kill alone loses nothing"
    print(f"favorites left after the cuts: {counts}")
