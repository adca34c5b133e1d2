#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Kills a server repeatedly (SIGKILL) while it downloads all comics, and checks that no data is lost.

    kill-test.py RECORDING [--kills 20] [--rate 80] [--seed N]

After each kill it checks the data folder without Longbox's code:
- SQLite's integrity check finds no damage.
- Every comic that was stored before is still stored, byte for byte.
- Every picture in the database is on the disk, and its content has the SHA-256 in its name.
After the last kill the server must complete the download, and `longbox status` must report a sound archive.
"""

import argparse
import hashlib
import json
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

import programs


class Kept:
    """The comics and pictures in a data folder at one moment."""

    def __init__(self, data):
        with tempfile.TemporaryDirectory() as folder:
            # Read a copy, so that Longbox itself recovers the write-ahead log.
            for file in Path(data).glob("longbox.sqlite*"):
                shutil.copy(file, folder)
            self.comics, self.pictures = self._read(Path(folder) / "longbox.sqlite")
        for name in self.pictures:
            self._check_picture(Path(data) / "pictures" / name)

    @staticmethod
    def _read(path):
        if not path.exists():
            return {}, set()
        database = sqlite3.connect(path)
        try:
            damage = [text for (text,) in database.execute("PRAGMA integrity_check") if text != "ok"]
            assert not damage, f"the database is damaged: {damage}"
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if not {"comic", "pictureFile"} <= tables:
                return {}, set()
            comics = dict(database.execute("SELECT number, raw FROM comic"))
            pictures = {name for (name,) in database.execute("SELECT name FROM pictureFile")}
            return comics, pictures
        finally:
            database.close()

    @staticmethod
    def _check_picture(path):
        assert path.is_file(), f"{path} is lost"
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert digest == path.parent.name + path.stem, f"{path} is not what was stored"

    def holds(self, earlier):
        lost = earlier.comics.keys() - self.comics.keys()
        assert not lost, f"comics are lost: {sorted(lost)}"
        changed = [number for number, raw in earlier.comics.items() if self.comics[number] != raw]
        assert not changed, f"comics have changed: {sorted(changed)}"
        gone = earlier.pictures - self.pictures
        assert not gone, f"pictures are lost: {sorted(gone)}"


def recorded_comics(recording):
    lines = (Path(recording) / "xkcd" / "comics.jsonl").read_text(encoding="utf-8").splitlines()
    return {comic["num"]: comic for comic in map(json.loads, lines)}


def recorded_digests(recording):
    folder = Path(recording) / "xkcd"
    files = {facts["file"] for facts in json.loads((folder / "images.json").read_text(encoding="utf-8")).values()}
    return {hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}


def wait_until_complete(server, data, timeout):
    stored, deadline = None, 0
    while not (report := programs.status(data))["isComplete"]:
        now = [report[thing] for thing in ("texts", "pictures", "doubleSizePictures")]
        if now != stored:
            stored, deadline = now, time.monotonic() + timeout
        assert time.monotonic() < deadline, f"the download made no progress for {timeout} s: {report}\n{server.logged()[-4000:]}"
        time.sleep(0.5)
    return report


def run(recording, kills, rate, timeout, generator, say):
    kept = None
    with tempfile.TemporaryDirectory() as data, programs.replay(recording) as replay:
        for kill in range(1, kills + 1):
            with programs.server(data, replay.address, LONGBOX_XKCD_RATE=rate) as server:
                time.sleep(generator.uniform(0.01, 1))
                server.kill()
            earlier, kept = kept, Kept(data)
            if earlier:
                kept.holds(earlier)
            say(f"kill {kill:2}: {len(kept.comics)} comics and {len(kept.pictures)} pictures are intact")

        with programs.server(data, replay.address, LONGBOX_XKCD_RATE=rate, LONGBOX_LOG="info") as server:
            wait_until_complete(server, data, timeout)
        report = programs.status(data)
        assert report["isSound"], report
        last = Kept(data)
        last.holds(kept)

    comics = recorded_comics(recording)
    wrong = [number for number in comics if json.loads(last.comics.get(number, "null")) != comics[number]]
    assert not wrong, f"stored comics differ from the recording: {wrong}"
    assert len(last.comics) == len(comics), f"{len(last.comics)} of {len(comics)} comics are stored"
    stored = {name.replace("/", "").split(".")[0] for name in last.pictures}
    missing = recorded_digests(recording) - stored
    assert not missing, f"{len(missing)} recorded pictures are not stored"
    say(f"complete: {len(last.comics)} comics, {len(last.pictures)} pictures, nothing lost in {kills} kills")


def main():
    parser = argparse.ArgumentParser(description="Kills a server while it downloads all comics, and checks that no data is lost.")
    parser.add_argument("recording", type=Path, help="a folder that longbox-replay can serve")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rate", type=int, default=80, help="requests a second to the source")
    parser.add_argument("--timeout", type=int, default=60, help="maximum seconds without progress in the last run")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    try:
        generator = random.Random(arguments.seed)
        run(arguments.recording, arguments.kills, arguments.rate, arguments.timeout, generator, print)
    except AssertionError as failure:
        sys.exit(f"kill-test.py --seed {arguments.seed}: {failure}")


if __name__ == "__main__":
    main()
