# Longbox
# SPDX-License-Identifier: MIT
"""Fixtures of the faults: a recording, a data folder with its comics, and servers on it."""

import random
import shutil

import pytest

import clients
import clocks
import programs
import recording

# How many comics the recording has, and how many of the first ones are stored; the latest is stored, too.
LATEST = 60
STORED = 40


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """The folder of a small recording."""
    return recording.make(tmp_path_factory.mktemp("recording"), latest=LATEST)


@pytest.fixture(scope="session")
def stored_texts(recorded, tmp_path_factory):
    """A data folder with the texts of the stored comics, without pictures."""
    return import_comics(recorded, tmp_path_factory, "--text-only")


@pytest.fixture(scope="session")
def stored_comics(recorded, tmp_path_factory):
    """A data folder with the stored comics and their pictures."""
    return import_comics(recorded, tmp_path_factory)


def import_comics(recorded, tmp_path_factory, *options):
    part = shutil.copytree(recorded / "xkcd", tmp_path_factory.mktemp("part") / "xkcd")
    lines = (part / "comics.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (part / "comics.jsonl").write_text("".join([*lines[:STORED], lines[-1]]), encoding="utf-8")
    data = tmp_path_factory.mktemp("stored") / "data"
    imported = programs.longbox("import", part, *options, data=data)
    assert imported.returncode == 0, imported.stderr
    return data


@pytest.fixture
def data(stored_comics, tmp_path):
    """A copy of the data folder with comics and pictures."""
    return shutil.copytree(stored_comics, tmp_path / "data")


@pytest.fixture
def source(recorded):
    """A stand-in for all sources, which publishes the whole recording."""
    with programs.replay(recorded) as replay:
        yield replay


@pytest.fixture
def dice():
    """Random choices, with their seed printed."""
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    return random.Random(seed)


@pytest.fixture(autouse=True)
def close_connections():
    """Closes the test's connections."""
    yield
    clients.close_all()


@pytest.fixture
def clock(tmp_path):
    """The clock of the servers that it starts."""
    clock = clocks.Clock(tmp_path)
    yield clock
    clock.close()
