# Longbox
# SPDX-License-Identifier: MIT
"""Fixtures of all tests in browsers: a recording of our own, and the programs that serve it."""

import fcntl
import shutil
import tempfile
from pathlib import Path

import pytest

import programs
import recording


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Makes a folder that all worker processes read: `made_once(name, make)`, where `make(folder)` fills it."""
    own = tmp_path_factory.getbasetemp()
    # Only a worker's folder is inside that of the whole run.
    shared = own.parent if own.name.startswith("popen-") else own

    def once(name, make):
        folder = shared / f"once-{name}"
        with open(shared / f"once-{name}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                unfinished = Path(tempfile.mkdtemp(dir=shared))
                make(unfinished)
                unfinished.rename(folder)
        return folder

    return once


@pytest.fixture(scope="session")
def recorded(made_once):
    """The folder of this project's own small recording."""
    return made_once("recording", recording.make)


@pytest.fixture(scope="session")
def upstream(recorded):
    """The address of a stand-in for xkcd.com and imgs.xkcd.com that serves the recording."""
    with programs.replay(recorded) as replay:
        yield replay.address


@pytest.fixture(scope="session")
def new_library(recorded, made_once, tmp_path_factory):
    """Makes data folders with the whole recording, which is imported once."""

    def fill(folder):
        result = programs.longbox("import", recorded / "xkcd", data=folder)
        assert result.returncode == 0, result.stderr

    imported = made_once("library", fill)
    return lambda: shutil.copytree(imported, tmp_path_factory.mktemp("library") / "data")


@pytest.fixture(scope="session")
def site(new_library, upstream):
    """The address of a server that has the whole recording."""
    with programs.server(new_library(), upstream) as server:
        yield server.address


@pytest.fixture(scope="session")
def sample_site(tmp_path_factory):
    """The address of a new server without any source, which therefore shows its sample box."""
    with programs.server(tmp_path_factory.mktemp("empty"), programs.closed_address()) as server:
        yield server.address
