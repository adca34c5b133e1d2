# Longbox
# SPDX-License-Identifier: MIT
"""A disk that forgets what was not synced: it has the database as a power cut would leave it (see synced.c)."""

import shutil
import subprocess
from pathlib import Path

import pytest

import faults

DATABASE = "longbox.sqlite*"


def preloadable(name, folder):
    """The library of a C file of this folder, which is made in another one."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        pytest.skip("a C compiler is not installed (g++)")
    library = folder / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source, "-ldl"], check=True)
    return library


class Disk:
    """The disk of one server."""

    def __init__(self, folder):
        self.library = preloadable("synced", folder)
        self.kept = folder / "synced"
        self.log = folder / "syncs"
        self.folders_log = folder / "folders"
        self.settings = {}

    def server(self, data, **settings):
        """A server on a data folder; what the folder has now is on the disk already."""
        self.kept.mkdir()
        for file in data.glob(DATABASE):
            shutil.copy(file, self.kept)
        self.settings = {"LD_PRELOAD": self.library, "SYNCED_FROM": data, "SYNCED_TO": self.kept, "SYNCED_LOG": self.log}
        self.settings["SYNCED_FOLDERS"] = self.folders_log
        return faults.server(data, **self.settings, **settings)

    @property
    def syncs(self):
        """How often a file of the database was synced."""
        return self.log.stat().st_size if self.log.exists() else 0

    @property
    def folders(self):
        """The folders whose names of files were synced, in order."""
        return self.folders_log.read_text(encoding="utf-8").splitlines() if self.folders_log.exists() else []

    def cut(self, data, target):
        """Makes the data folder that the machine finds after a power cut; the server was killed before."""
        shutil.copytree(data, target, ignore=shutil.ignore_patterns(DATABASE))
        for file in self.kept.glob(DATABASE):
            if file.suffix != ".new":
                shutil.copy(file, target)
        return target
