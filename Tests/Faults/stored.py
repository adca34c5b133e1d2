# Longbox
# SPDX-License-Identifier: MIT
"""Reads a data folder without Longbox's code, to check that a kill has lost nothing."""

import hashlib
import json
import shutil
import sqlite3
import tempfile
from pathlib import Path


def rows(path):
    """All rows of a database, by table."""
    database = sqlite3.connect(path)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    found = {name: sorted(map(repr, database.execute(f'SELECT * FROM "{name}"'))) for name in names}
    database.close()
    return found


class Stored:
    """The comics and pictures in a data folder at one moment; fails if anything is damaged.

    Every picture in the database must be on the disk, and its content must have the SHA-256 in its name.
    """

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
            if not {"comic", "picture_file"} <= tables:
                return {}, set()
            comics = dict(database.execute("SELECT number, raw FROM comic"))
            pictures = {name for (name,) in database.execute("SELECT name FROM picture_file")}
            return comics, pictures
        finally:
            database.close()

    @staticmethod
    def _check_picture(path):
        assert path.is_file(), f"{path} is lost"
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert digest == path.parent.name + path.stem, f"{path} is not what was stored"

    def assert_includes(self, earlier):
        """Checks that everything that was stored earlier is still the same."""
        lost = earlier.comics.keys() - self.comics.keys()
        assert not lost, f"comics are lost: {sorted(lost)}"
        changed = [number for number, raw in earlier.comics.items() if self.comics[number] != raw]
        assert not changed, f"comics have changed: {sorted(changed)}"
        gone = earlier.pictures - self.pictures
        assert not gone, f"pictures are lost: {sorted(gone)}"

    def assert_is_all_of(self, recorded):
        """Checks that a whole recording is stored, byte for byte."""
        folder = Path(recorded) / "xkcd"
        lines = (folder / "comics.jsonl").read_text(encoding="utf-8").splitlines()
        comics = {comic["num"]: comic for comic in map(json.loads, lines)}
        wrong = [number for number in comics if json.loads(self.comics.get(number, "null")) != comics[number]]
        assert not wrong, f"stored comics differ from the recording: {wrong}"
        assert len(self.comics) == len(comics), f"{len(self.comics)} of {len(comics)} comics are stored"
        files = {facts["file"] for facts in json.loads((folder / "images.json").read_text(encoding="utf-8")).values()}
        wanted = {hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}
        missing = wanted - {name.replace("/", "").split(".")[0] for name in self.pictures}
        assert not missing, f"{len(missing)} recorded pictures are not stored"
