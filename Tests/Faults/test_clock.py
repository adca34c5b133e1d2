# Longbox
# SPDX-License-Identifier: MIT
"""When the clock jumps (by libfaketime), nothing is lost and no reader is rejected."""

import datetime
import json
import os
from pathlib import Path

import pytest

import faults
from readers import Reader
from waiting import until_answered

DAY = 86_400


class Clock:
    """The clock of a server; timers of the system are not affected."""

    def __init__(self, folder):
        libraries = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        if not libraries:
            pytest.skip("libfaketime is not installed")
        self.file = folder / "clock"
        self.servers = []
        self.jump(0)
        self.settings = {
            "LD_PRELOAD": libraries[0],
            "FAKETIME_TIMESTAMP_FILE": self.file,
            "FAKETIME_NO_CACHE": 1,
            "FAKETIME_DONT_FAKE_MONOTONIC": 1,
            "NO_FAKE_STAT": 1,
        }

    def server(self, data, upstream):
        """A server with this clock."""
        server = faults.server(data, upstream, **self.settings)
        # The library's first process changes its environment, and Swift would not find its arguments after that.
        server.command = ["/bin/sh", "-c", 'exec "$0" "$@"', *server.command]
        self.servers.append(server)
        return server

    def close(self):
        """Removes what the library leaves in memory."""
        for server in self.servers:
            for name in (f"faketime_shm_{server.process.pid}", f"sem.faketime_sem_{server.process.pid}"):
                Path("/dev/shm", name).unlink(missing_ok=True)

    def jump(self, days):
        """Sets the clock to some days from now."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{days * DAY:+d}\n", encoding="utf-8")
        os.replace(new, self.file)


@pytest.fixture
def clock(tmp_path):
    clock = Clock(tmp_path)
    yield clock
    clock.close()


def days_from_now(reader):
    """How many days the server's clock is ahead."""
    exported = json.loads(reader.get("/settings/export").body)["exported"]
    ahead = datetime.datetime.fromisoformat(exported) - datetime.datetime.now(datetime.UTC)
    return round(ahead.total_seconds() / DAY)


def test_a_clock_that_jumps(data, source, clock):
    with clock.server(data, source.address) as server:
        reader, device = Reader(server.address), Reader(server.address)
        for number, days in enumerate((0, 400, -30, 5000, 0), start=1):
            clock.jump(days)
            until_answered(lambda days=days: days_from_now(reader) == days, f"the server's clock is {days} days ahead")
            faults.assert_it_reads(server.address)
            assert reader.get(f"/{number}/").status == 200
            assert reader.like(number).status == 303
            # The device's own clock is right.
            assert device.sync(number).status == 200
            reader.has_lost_nothing()
            device.has_lost_nothing()
            # A later change wins, although its clock says that it was earlier.
            assert reader.form("/favorites/set", comic=30, on="yes").status == 303
            assert reader.form("/favorites/set", comic=30, on="no").status == 303
            assert 30 not in reader.favorites()
        clock.jump(800)
    for days in (800, 0):
        clock.jump(days)
        with clock.server(data, source.address) as server:
            reader.address = device.address = server.address
            faults.assert_it_reads(server.address)
            reader.has_lost_nothing()
            device.has_lost_nothing()
            assert reader.like(10 + days).status == 303
    faults.assert_sound(data)
