# Longbox
# SPDX-License-Identifier: MIT
"""A store in PostgreSQL: its server crashes, closes connections or is stopped, and commands use it."""

import json
import shutil
import threading
import uuid

import pytest

import faults
import postgres
import programs
from readers import Reader, comic_numbers
from waiting import until, until_answered

pytestmark = pytest.mark.skipif(postgres.PROGRAMS is None, reason="PostgreSQL is not installed (postgresql-15)")


@pytest.fixture(scope="module")
def cluster():
    with postgres.Cluster() as cluster:
        yield cluster


@pytest.fixture
def database(cluster):
    return cluster.make_database(f"test-{uuid.uuid4()}")


@pytest.fixture
def moved(data, database):
    """The address of a database with the comics of the data folder."""
    done = programs.longbox("migrate-store", "--json", "--from", f"sqlite:{data}", "--to", database, data=data)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["lostPictures"] == 0 and report["pictures"] > 40, report
    return database


def server(data, database, upstream=None):
    return faults.server(data, upstream, LONGBOX_DATABASE=database)


def test_a_moved_store_has_everything_that_was_in_sqlite(data, moved, source):
    (data / "longbox.sqlite").unlink()
    with server(data, moved, source.address) as node:
        faults.assert_pages_are_served(node.address)
        reader = Reader(node.address)
        picture = reader.get("/comics/1/image").body
        shutil.rmtree(data / "pictures")
        assert reader.get("/comics/1/image").body == picture != b"", "the picture doesn't come from the database"
        assert reader.like(2).status == 303 and reader.sync(3).status == 200
        faults.until_served(reader, "/50/")
        reader.assert_nothing_is_lost()
    assert not (data / "longbox.sqlite").exists()
    status = programs.longbox("status", "--json", "--deep", data=data, LONGBOX_DATABASE=moved)
    report = json.loads(status.stdout)
    assert status.returncode == 0 and report["isSound"] and report["comics"] == 42, status.stdout
    assert report["database"].startswith("postgresql:///test-")


def test_database_crashes_lose_no_acknowledged_change(cluster, data, moved):
    with server(data, moved) as node:
        readers = [Reader(node.address), Reader(node.address)]
        for reader in readers:
            assert reader.like(1).status == 303
        statuses = set()
        is_over = threading.Event()

        def write(act):
            for number in comic_numbers():
                if is_over.is_set():
                    return
                statuses.add(act(number).status)

        threads = [threading.Thread(target=write, args=[act]) for act in (readers[0].like, readers[1].sync)]
        for thread in threads:
            thread.start()
        for mode in ("immediate", "fast", "immediate"):
            before = [len(reader.acknowledged) for reader in readers]
            until(
                lambda before=before: all(
                    len(reader.acknowledged) > count + 20 for reader, count in zip(readers, before, strict=True)
                ),
                "both readers have written",
            )
            cluster.stop(mode)
            faults.assert_pages_are_served(node.address)
            cluster.start()
        is_over.set()
        for thread in threads:
            thread.join()
        assert statuses <= {200, 303, 503}, statuses
        for reader in readers:
            until_answered(lambda reader=reader: reader.sync(5000).status == 200, "a sync is taken")
            reader.assert_nothing_is_lost()


def test_an_unreachable_database_stops_changes_but_not_pages(cluster, data, moved):
    with server(data, moved) as node:
        reader, device = Reader(node.address), Reader(node.address)
        assert reader.like(1).status == 303 and device.sync(1).status == 200
        cluster.stop("fast")
        faults.assert_pages_are_served(node.address)
        rejected, unsynced = reader.like(2), device.sync(2)
        for answer in (rejected, unsynced):
            faults.assert_not_saved(answer)
            assert answer.status == 503 and answer.seconds < 20
        assert unsynced.headers["Retry-After"]
        doctor = programs.longbox("doctor", data=data, LONGBOX_DATABASE=moved)
        assert doctor.returncode == 2 and "can't be used" in doctor.stdout, doctor.stdout
        started = programs.longbox("status", data=data, LONGBOX_DATABASE=moved)
        assert started.returncode == 69 and "LONGBOX_DATABASE" in started.stderr, started.stderr
        cluster.start()
        until_answered(lambda: reader.like(3).status == 303, "a form is taken")
        # It may use another connection, which was lost, too.
        until_answered(lambda: device.sync(3).status == 200, "a sync is taken")
        reader.assert_nothing_is_lost()
        device.assert_nothing_is_lost()


def test_a_store_can_be_moved_back_to_sqlite(data, moved, tmp_path):
    with server(data, moved) as node:
        reader = Reader(node.address)
        assert reader.like(7).status == 303
        made = programs.longbox("backup", tmp_path / "backup", data=data, LONGBOX_DATABASE=moved)
        assert made.returncode == 0, made.stderr
        rejected = programs.longbox("restore", tmp_path / "backup", data=data, LONGBOX_DATABASE=moved)
        assert rejected.returncode == 64 and "docs/scaling.md" in rejected.stderr, rejected.stderr
    restored = programs.longbox("restore", tmp_path / "backup", data=tmp_path / "restored")
    assert restored.returncode == 0, restored.stderr
    back = tmp_path / "back"
    done = programs.longbox("migrate-store", "--from", moved, "--to", f"sqlite:{back}", data=data)
    assert done.returncode == 0, done.stderr
    for folder in (tmp_path / "restored", back):
        with faults.server(folder) as node:
            again = Reader(node.address, reader.cookie)
            again.acknowledged, again.tried = reader.acknowledged, reader.tried
            again.assert_nothing_is_lost()
            faults.assert_pages_are_served(node.address)
        faults.assert_sound(folder)


def test_invalid_database_addresses_are_reported_without_the_password(data, tmp_path):
    wrong = programs.longbox("status", data=data, LONGBOX_DATABASE="mysql://reader:secret@host/name")
    assert wrong.returncode == 78 and "secret" not in wrong.stderr, wrong.stderr
    absent = programs.longbox("status", data=data, LONGBOX_DATABASE=f"postgresql://r:secret@/x?host={tmp_path}")
    assert absent.returncode == 69 and "secret" not in absent.stderr, absent.stderr
    both = programs.longbox("migrate-store", "--from", f"sqlite:{data}", "--to", f"sqlite:{tmp_path}/x", data=data)
    assert both.returncode == 64 and not (tmp_path / "x").exists(), both.stderr
