# Longbox
# SPDX-License-Identifier: MIT
"""Picture files that are missing or cut are fetched again."""

import sqlite3

import pytest

import faults
import programs
from readers import Reader
from sources import control

NUMBER = 7


def file_of(data):
    """The file of the comic's picture."""
    database = sqlite3.connect(data / "longbox.sqlite")
    question = "SELECT name FROM picture_file WHERE number = ? AND kind = 'standard'"
    (name,) = database.execute(question, (NUMBER,)).fetchone()
    database.close()
    return data / "pictures" / name


def cut(file):
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def remove(file):
    file.unlink()


@pytest.mark.parametrize("damage", [remove, cut])
def test_a_missing_or_cut_picture_is_fetched_again(data, source, damage):
    file = file_of(data)
    whole = file.read_bytes()
    damage(file)
    report = programs.status(data)
    assert not report["isSound"] and len(report["missingPictures"] + report["damagedPictures"]) == 1
    with faults.server(data, source.address) as server:
        reader = Reader(server.address)
        assert reader.get(f"/{NUMBER}/").status == 200
        picture = reader.get(f"/comics/{NUMBER}/image")
        assert picture.status == 200 and picture.body == whole
    assert file.read_bytes() == whole
    faults.assert_sound(data)


@pytest.mark.parametrize("damage", [remove, cut])
def test_a_card_replaces_a_damaged_picture_while_the_source_is_down(data, source, damage):
    damage(file_of(data))
    control(source, "faults", {"kind": "status", "status": 503, "source": "imgs"})
    with faults.server(data, source.address) as server:
        reader = Reader(server.address)
        assert reader.get(f"/{NUMBER}/").status == 200
        card = reader.get(f"/comics/{NUMBER}/image")
        assert card.status >= 500 and card.headers["Content-Type"].startswith("image/")
        # Other pictures are not affected.
        assert reader.get(f"/comics/{NUMBER + 1}/image").status == 200
        control(source, "faults", method="DELETE")
        faults.until_served(reader, f"/comics/{NUMBER}/image")
    faults.assert_sound(data)
