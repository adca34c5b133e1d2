# Longbox
# SPDX-License-Identifier: MIT
"""A PostgreSQL server in a temporary folder, on a socket only."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), default=None)


class Cluster:
    """A server, as a context manager; it doesn't run as root.

    With an `address`, it also accepts everybody's connections there, at `port`.
    """

    def __init__(self, address="", port=5432):
        self.address, self.port = address, port
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        made = subprocess.run([*self.user, "mktemp", "-d", "/tmp/longbox-postgres.XXXXXX"], **self.quietly)
        self.folder = Path(made.stdout.strip())

    quietly = {"check": True, "text": True, "stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL, "cwd": "/"}

    def run(self, program, *arguments):
        """Runs one of PostgreSQL's programs; returns what it prints."""
        command = [*self.user, PROGRAMS / program, *arguments]
        return subprocess.run(command, **self.quietly).stdout.strip()

    def __enter__(self):
        self.run("initdb", "--auth=trust", "--username=longbox", "--no-sync", "--locale=C", "--encoding=UTF8", "-D", self.data)
        with (self.data / "pg_hba.conf").open("a", encoding="utf-8") as rules:
            rules.write("host all all all trust\n")
        self.start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        subprocess.run([*self.user, "rm", "-rf", self.folder], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self):
        return self.folder / "data"

    def start(self):
        options = f"-c listen_addresses='{self.address}' -c port={self.port} -c unix_socket_directories={self.folder}"
        log = self.folder / "log"
        # A pipe would stay open as long as the server runs.
        with tempfile.TemporaryFile() as output:
            command = [*self.user, PROGRAMS / "pg_ctl", "-D", self.data, "-w", "-l", log, "-o", options, "start"]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/")

    def stop(self, mode):
        """Stops the server: `immediate` is a crash."""
        self.run("pg_ctl", "-D", self.data, "-m", mode, "stop")

    def make_database(self, name):
        """Makes a database; returns its address."""
        self.run("createdb", "-h", self.folder, "-p", str(self.port), "-U", "longbox", name)
        return f"postgresql:///{name}?host={self.folder}&port={self.port}&user=longbox"

    def query(self, address, sql):
        """Runs SQL, and returns the first value."""
        return self.run("psql", "-X", "-A", "-t", "-c", sql, address)
