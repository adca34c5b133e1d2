#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Ends a server by SIGKILL again and again while it fills its library, and shows that nothing is lost.

    kill-test.py RECORDING [--kills 20] [--rate 80] [--seed N]

After each kill the data folder is read by other means than Longbox's: Python's SQLite looks for damage, each comic
that was stored before must still be stored, byte for byte, and each picture that the database tells of must be on the
disk with the SHA-256 that it is named by. At the end the fill must become complete, and `longbox status` agree.
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
    """What stood in a data folder when it was looked at."""

    def __init__(self, data):
        with tempfile.TemporaryDirectory() as folder:
            # A copy, so that it is Longbox, not this reader, that puts the write-ahead log in order.
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


def wait_until_complete(server, data, patience):
    stored, deadline = None, 0
    while not (said := programs.status(data))["isComplete"]:
        now = [said[thing] for thing in ("texts", "pictures", "doubleSizePictures")]
        if now != stored:
            stored, deadline = now, time.monotonic() + patience
        assert time.monotonic() < deadline, (
            f"the fill did not go on for {patience} s: {said}\n{server.logged()[-4000:]}"
        )
        time.sleep(0.5)
    return said


def run(recording, kills, rate, patience, dice, say):
    kept = None
    with tempfile.TemporaryDirectory() as data, programs.replay(recording) as replay:
        for kill in range(1, kills + 1):
            with programs.server(data, replay.address, LONGBOX_XKCD_RATE=rate) as server:
                time.sleep(dice.uniform(0.01, 1))
                server.kill()
            earlier, kept = kept, Kept(data)
            if earlier:
                kept.holds(earlier)
            say(f"kill {kill:2}: {len(kept.comics)} comics and {len(kept.pictures)} pictures are whole")

        with programs.server(data, replay.address, LONGBOX_XKCD_RATE=rate, LONGBOX_LOG="info") as server:
            wait_until_complete(server, data, patience)
        said = programs.status(data)
        assert said["isSound"], said
        last = Kept(data)
        last.holds(kept)

    comics = recorded_comics(recording)
    wrong = [number for number in comics if json.loads(last.comics.get(number, "null")) != comics[number]]
    assert not wrong and len(last.comics) == len(comics), f"comics are not as they were sent: {wrong}"
    stored = {name.replace("/", "").split(".")[0] for name in last.pictures}
    missing = recorded_digests(recording) - stored
    assert not missing, f"{len(missing)} recorded pictures are not stored"
    say(f"complete: {len(last.comics)} comics, {len(last.pictures)} pictures, nothing lost in {kills} kills")


def main():
    parser = argparse.ArgumentParser(description="Kills a server during its fill and looks for losses.")
    parser.add_argument("recording", type=Path, help="a folder that longbox-replay can play back")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rate", type=int, default=80, help="requests a second to the source")
    parser.add_argument("--patience", type=int, default=60, help="seconds that the last, undisturbed run may stand still")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    try:
        dice = random.Random(arguments.seed)
        run(arguments.recording, arguments.kills, arguments.rate, arguments.patience, dice, print)
    except AssertionError as failure:
        sys.exit(f"kill-test.py --seed {arguments.seed}: {failure}")


if __name__ == "__main__":
    main()
