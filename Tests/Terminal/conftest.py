# Longbox
# SPDX-License-Identifier: MIT
"""Fixtures of the reader for the terminal: a data folder with the sample box, and commands on it."""

import json
import subprocess
import sys

import pytest

import programs
from terminals import Terminal

SAMPLES = programs.ROOT / "Sources" / "LongboxCatalog" / "SampleBox"


class Reader:
    """Runs commands of one reader on one data folder."""

    def __init__(self, data, home):
        self.data = data
        self.home = home
        self.program = str(programs.binaries() / "longbox")

    def environment(self, **more):
        """A terminal without graphics, and a home folder of its own."""
        kept = {name: value for name, value in programs.environment().items() if name in {"PATH", "LD_LIBRARY_PATH"}}
        given = {"HOME": str(self.home), "LONGBOX_DATA": str(self.data), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        return {name: value for name, value in (kept | given | more).items() if value is not None}

    def run(self, *arguments, given="", **more):
        """Runs a command with its output in a pipe."""
        return subprocess.run(
            [self.program, *map(str, arguments)],
            env=self.environment(**more),
            input=given,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def json(self, *arguments, **more):
        """The JSON that a command prints."""
        done = self.run(*arguments, "--json", **more)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def terminal(self, *arguments, columns=80, rows=24, cell=(8, 16), **more):
        """Runs a command in a terminal."""
        command = [self.program, *map(str, arguments)]
        return Terminal(command, self.environment(**more), columns=columns, rows=rows, cell=cell)

    def shown(self, *arguments, code=0, **options):
        """What a command sends to a terminal."""
        terminal = self.terminal(*arguments, **options)
        ended = terminal.finish()
        assert ended == code, terminal.sent
        return terminal.sent


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """A data folder with the sample box's comics, and an explanation each."""
    folder = tmp_path_factory.mktemp("samples")
    source = folder / "source"
    source.mkdir()
    (source / "images").symlink_to(SAMPLES / "images")
    (source / "comics.jsonl").write_bytes((SAMPLES / "records.jsonl").read_bytes())
    command = [programs.binaries() / "longbox", "import", source, "--data", folder / "data"]
    subprocess.run(command, env=programs.environment(), check=True, stdout=sys.stderr)
    return folder / "data"


@pytest.fixture
def reader(samples, tmp_path):
    """A reader of a copy of the samples."""
    data = tmp_path / "data"
    subprocess.run(["cp", "-R", samples, data], check=True)
    return Reader(data, tmp_path / "home")
