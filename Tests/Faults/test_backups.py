# Longbox
# SPDX-License-Identifier: MIT
"""Backups while a server is busy: they restore everything that was acknowledged before, and damage is detected."""

import hashlib
import html
import json
import re
import sqlite3
import threading
from contextlib import ExitStack, contextmanager

import pytest

import faults
import postgres
import programs
import recording
from readers import Reader, comic_numbers
from stored import rows
from waiting import until

PIECES = "SELECT bytes FROM piece WHERE file = 'longbox.sqlite' ORDER BY place"
# A server that fetches all comics as fast as the source allows.
FILLING = {"LONGBOX_XKCD_RATE": 100}


def doctor(data, upstream, **settings):
    """The exit code of 'longbox doctor' and its findings by subject."""
    # The sources are those of a server.
    sources = {
        name: value for name, value in programs.server(data, upstream).settings.items() if name.endswith(("_URL", "CONTACT"))
    }
    done = programs.longbox("doctor", "--json", data=data, **sources | {"LONGBOX_LIMITS_FREE_MEGABYTES": 0} | settings)
    assert done.stdout, done.stderr
    report = json.loads(done.stdout)
    return done.returncode, {finding["subject"]: finding for finding in report["findings"]}


def assert_doctor_finds_no_problem(data, upstream, **settings):
    """Checks the findings about everything but this machine's disk and memory."""
    code, findings = doctor(data, upstream, **settings)
    bad = [finding for finding in findings.values() if finding["level"] != "ok" and finding["subject"] not in ("disk", "memory")]
    assert not bad, bad
    assert code == max(["ok", "warning", "problem"].index(finding["level"]) for finding in findings.values())


@contextmanager
def busy(*readers):
    """Lets each reader change its library again and again, until the end."""
    over = threading.Event()
    failures = []

    def work(reader, act):
        for number in comic_numbers():
            if over.is_set():
                return
            answer = act(reader, number)
            if answer.status not in (200, 303):
                failures.append(answer.text)

    acts = [Reader.like, Reader.sync]
    threads = [threading.Thread(target=work, args=(reader, acts[place % 2])) for place, reader in enumerate(readers)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert not failures, failures[0]


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_backup_of_a_busy_server_restores_every_acknowledged_change(engine, tmp_path_factory, tmp_path):
    if engine == "postgresql" and postgres.PROGRAMS is None:
        pytest.skip("PostgreSQL is not installed (postgresql-15)")
    recorded = recording.make(tmp_path_factory.mktemp("all"), latest=150)
    data = tmp_path / "data"
    backups = []
    with ExitStack() as stack:
        source = stack.enter_context(programs.replay(recorded))
        cluster = stack.enter_context(postgres.Cluster()) if engine == "postgresql" else None
        store = {"LONGBOX_DATABASE": cluster.make_database("busy")} if cluster else {}
        with programs.server(data, source.address, **FILLING, **store) as server:
            readers = [Reader(server.address) for _ in range(4)]
            until(lambda: (faults.reported(data, "comics", **store) or 0) > 5, "the fill has begun")
            with busy(*readers):
                for number in range(3):
                    least = 5 * (number + 1)
                    until(lambda least=least: all(len(reader.acknowledged) > least for reader in readers), "readers are busy")
                    file = tmp_path / f"{number}.backup"
                    before = [set(reader.acknowledged) for reader in readers]
                    comics = programs.status(data, **store)["comics"]
                    done = programs.longbox("backup", file, data=data, **store)
                    assert done.returncode == 0, done.stderr
                    backups.append((file, before, comics))
            for reader in readers:
                reader.assert_nothing_is_lost()
        for file, before, comics in backups:
            checked = programs.longbox("backup", "--check", file, data=data)
            assert checked.returncode == 0, checked.stderr
            elsewhere = tmp_path / f"{file.stem}-restored"
            restored = programs.longbox("restore", file, data=elsewhere)
            assert restored.returncode == 0, restored.stderr
            if cluster:
                store = {"LONGBOX_DATABASE": cluster.make_database(f"restored-{file.stem}")}
                copied = programs.longbox(
                    "migrate-store", "--from", f"sqlite:{elsewhere}", "--to", store["LONGBOX_DATABASE"], data=elsewhere
                )
                assert copied.returncode == 0, copied.stderr
                (elsewhere / "longbox.sqlite").unlink()
            assert_doctor_finds_no_problem(elsewhere, source.address, **store)
            assert programs.status(elsewhere, **store)["comics"] >= comics
            with faults.server(elsewhere, source.address, **store) as server:
                for reader, acknowledged in zip(readers, before, strict=True):
                    found = Reader(server.address, reader.cookie).favorites()
                    assert not acknowledged - found, f"lost: {sorted(acknowledged - found)}"
                code, findings = doctor(elsewhere, source.address, **store)
                assert findings["store"]["level"] == "ok", findings
    print(f"{len(backups)} backups of at least {[comics for _, _, comics in backups]} comics, with 4 busy readers")


def test_a_damaged_backup_is_detected_and_never_restored(data, tmp_path, dice):
    with faults.server(data) as server:
        assert Reader(server.address).like(1).status == 303
        file = tmp_path / "whole.backup"
        assert programs.longbox("backup", file, data=data).returncode == 0
    whole = file.read_bytes()
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as archive:
        pieces = [bytes(piece) for (piece,) in archive.execute("SELECT bytes FROM piece WHERE length(bytes) > 100 ORDER BY id")]
    damaged = tmp_path / "damaged.backup"
    # Bytes at the beginning of files, which SQLite surely uses, and any bytes of the archive.
    places = [whole.index(dice.choice(pieces)[:64]) + dice.randrange(64) for _ in range(10)]
    places += [dice.randrange(len(whole)) for _ in range(20)]
    found = 0
    for index, place in enumerate(places):
        changed = bytearray(whole)
        changed[place] ^= dice.randrange(1, 256)
        damaged.write_bytes(changed)
        checked = programs.longbox("backup", "--check", damaged, data=data)
        target = tmp_path / "target"
        if checked.returncode == 0:
            assert index >= 10, f"the byte {place} of {len(whole)} is in a file"
            continue
        found += 1
        assert checked.returncode == 65, checked.stderr
        restored = programs.longbox("restore", damaged, data=target)
        assert restored.returncode == 65, restored.stderr
        assert not target.exists()
    assert found >= 20
    print(f"{found} of {len(places)} flipped bytes found; SQLite doesn't use the others")


def test_a_running_server_makes_one_backup_a_day(data, tmp_path, clock):
    # At noon, so that no day ends between the two starts.
    clock.set_to_noon()
    kept = tmp_path / "kept"
    settings = {"LONGBOX_BACKUPS": kept, "LONGBOX_LOG": "info"}
    with clock.server(data, **settings) as server:
        assert Reader(server.address).like(1).status == 303
        until(lambda: "daily backup is written" in server.logged(), "the log says that there is a backup")
    (file,) = kept.iterdir()
    written = file.stat()
    with clock.server(data, **settings) as server:
        assert Reader(server.address).like(2).status == 303
        # The server looks at the folder when it starts, which is over long before the doctor has examined everything.
        _, findings = doctor(data, programs.closed_address(), LONGBOX_BACKUPS=kept)
        assert findings["backups"]["level"] == "ok", findings["backups"]
        assert "daily backup" not in server.logged()
    assert list(kept.iterdir()) == [file]
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    assert programs.longbox("backup", "--check", file, data=data).returncode == 0
    _, findings = doctor(data, programs.closed_address(), LONGBOX_BACKUPS=tmp_path / "other")
    assert findings["backups"]["level"] == "warning"


def test_the_last_seven_daily_backups_are_kept(data, tmp_path, clock):
    kept, written = tmp_path / "kept", set()

    def backups():
        return {file.name for file in kept.glob("longbox-*.backup")}

    for day in range(9):
        clock.jump(day)
        with clock.server(data, LONGBOX_BACKUPS=kept):
            until(lambda: backups() - written and len(backups()) <= 7, "the day has a backup, and at most seven are kept")
        written.update(backups())
    assert len(written) == 9
    assert sorted(backups()) == sorted(written)[-7:]


def test_the_server_keeps_working_if_backups_cannot_be_written(data, tmp_path):
    (tmp_path / "file").write_text("")
    with faults.server(data, LONGBOX_BACKUPS=tmp_path / "file" / "kept") as server:
        until(lambda: "daily backup has failed" in server.logged(), "the log says so")
        assert Reader(server.address).like(1).status == 303


def with_answer(page):
    """The text of the page about the server, once xkcd has answered the server."""
    assert page.status == 200
    return page.text if "newest answer is" in page.text else None


def without_age(text):
    """A text without the age of an answer, which grows."""
    return re.sub(r"(newest answer is) [\w ]+ old", r"\1 old", text)


def test_the_doctor_reports_problems_with_advice(data, tmp_path, source):
    assert_doctor_finds_no_problem(data, source.address)
    code, findings = doctor(data, programs.closed_address())
    assert code == 1 and findings["xkcd"]["level"] == "warning", findings
    # Another program at the port, then Longbox.
    code, findings = doctor(data, source.address, LONGBOX_PORT=source.address.rpartition(":")[2])
    assert code == 2 and findings["port"]["level"] == "problem", findings
    with faults.server(data, source.address) as server:
        code, findings = doctor(data, source.address, LONGBOX_PORT=server.address.rpartition(":")[2])
        assert "Longbox answers" in findings["port"]["text"], findings
        reader = Reader(server.address)
        # The server's first check may still run.
        page = until(lambda: with_answer(reader.get("/settings/server")), "the page tells of xkcd's answer")
        _, findings = doctor(data, source.address, LONGBOX_PORT=server.address.rpartition(":")[2])
        for subject in ("store", "xkcd", "clock", "keys", "permissions"):
            assert without_age(findings[subject]["text"]) in without_age(html.unescape(page)), findings[subject]
        assert ">OK<" in page and "Longbox answers here." in page
    (data / "vapid.pem").chmod(0o644)
    code, findings = doctor(data, source.address)
    assert code == 2 and "chmod 600" in findings["permissions"]["advice"], findings
    text = programs.longbox("doctor", data=data, LONGBOX_XKCD_URL=programs.closed_address()).stdout
    assert "problem  Permissions:" in text and "→ " in text


STORES = sorted((programs.ROOT / "Tests" / "LongboxStoreTests" / "Stores").glob("*.sql"))


def write_data_folder(data, dump):
    """Writes the data folder that a version would have left; its pictures have the right names and sizes."""
    data.mkdir(mode=0o700)
    database = sqlite3.connect(data / "longbox.sqlite")
    database.executescript(dump.read_text(encoding="utf-8"))
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema")}
    for table, folder in (("pictureFile", "pictures"), ("artworkFile", "artwork")):
        for name, size in database.execute(f"SELECT name, byteCount FROM {table}") if table in tables else []:
            file = data / folder / name
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.write_bytes(bytes(size))
            file.chmod(0o600)
    database.close()
    (data / "longbox.sqlite").chmod(0o600)


@pytest.mark.parametrize("dump", STORES, ids=lambda dump: dump.stem)
def test_every_released_schema_is_upgraded_and_can_be_restored(dump, tmp_path, source):
    """The doctor finds no problem after the upgrade, and the copy that the upgrade made brings the old store back."""
    data = tmp_path / "data"
    write_data_folder(data, dump)
    before = rows(data / "longbox.sqlite")
    _, findings = doctor(data, source.address)
    is_current = dump == STORES[-1] and findings["store"]["level"] == "ok"
    if not is_current:
        assert findings["store"]["level"] == "warning" and "older version" in findings["store"]["text"], findings
        rejected = programs.longbox("353", data=data)
        assert rejected.returncode == 74 and "longbox serve" in rejected.stderr
    assert rows(data / "longbox.sqlite") == before
    with faults.server(data, source.address) as server:
        assert programs.get(f"{server.address}/about")[0] == 200
    assert_doctor_finds_no_problem(data, source.address)
    assert programs.longbox("status", data=data).returncode == 0
    if is_current:
        assert not (data / "upgrades").exists()
        return
    (copy,) = (data / "upgrades").iterdir()
    assert copy.name == f"schema-{dump.stem}.sqlite"
    restored = programs.longbox("restore", copy, data=data)
    assert restored.returncode == 0, restored.stderr
    assert rows(data / "longbox.sqlite") == before


def test_a_store_of_a_newer_version_is_rejected_and_unchanged(data, tmp_path):
    with faults.server(data) as server:
        assert Reader(server.address).like(1).status == 303
    with sqlite3.connect(data / "longbox.sqlite") as database:
        database.execute("INSERT INTO grdb_migrations VALUES ('999 from the future')")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    before = (data / "longbox.sqlite").read_bytes()
    for command in (["serve"], ["1"], ["search", "box"], ["status"], ["reload", 1], ["devices"], ["backup", tmp_path / "copy"]):
        rejected = programs.longbox(*command, data=data, LONGBOX_PORT=0)
        assert rejected.returncode == 74 and "newer version" in rejected.stderr, (command, rejected.stderr)
        assert "upgrades" in rejected.stderr and "Nothing has been changed" in rejected.stderr, (command, rejected.stderr)
    code, findings = doctor(data, programs.closed_address())
    assert code == 2 and "newer version" in findings["store"]["text"]
    assert (data / "longbox.sqlite").read_bytes() == before
    assert not (data / "upgrades").exists()
    assert not (tmp_path / "copy").exists()


def test_a_backup_of_a_newer_version_is_not_restored(data, tmp_path):
    """The backup's hashes are right, but its database has a migration that no Longbox knows."""
    with faults.server(data) as server:
        assert Reader(server.address).like(1).status == 303
    file, target = tmp_path / "newer.backup", tmp_path / "target"
    assert programs.longbox("backup", file, data=data).returncode == 0
    archive = sqlite3.connect(file)
    newer = tmp_path / "newer.sqlite"
    newer.write_bytes(b"".join(piece for (piece,) in archive.execute(PIECES)))
    database = sqlite3.connect(newer)
    database.execute("INSERT INTO grdb_migrations VALUES ('999 from the future')")
    database.commit()
    database.close()
    content = newer.read_bytes()
    digest = hashlib.sha256(content).digest()
    assert len(content) < 4_000_000, "the database must be one piece"
    archive.execute("DELETE FROM piece WHERE file = 'longbox.sqlite'")
    archive.execute("INSERT INTO piece (file, place, bytes, hash) VALUES ('longbox.sqlite', 0, ?, ?)", (content, digest))
    archive.execute("UPDATE file SET byteCount = ?, hash = ? WHERE name = 'longbox.sqlite'", (len(content), digest))
    # As in a backup of the first version, whose list has no hash.
    archive.executescript("DROP TABLE list; PRAGMA user_version = 1")
    archive.commit()
    archive.close()
    assert programs.longbox("backup", "--check", file, data=data).returncode == 0
    for folder in (target, data):
        before = rows(data / "longbox.sqlite")
        rejected = programs.longbox("restore", file, data=folder)
        assert rejected.returncode == 74 and f"{file} was written by a newer version" in rejected.stderr, rejected.stderr
        assert rows(data / "longbox.sqlite") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "newer.backup", "newer.sqlite"]
