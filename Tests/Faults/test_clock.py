# Longbox
# SPDX-License-Identifier: MIT
"""When the clock jumps (by libfaketime), nothing is lost and no reader is rejected."""

import datetime
import json

import clocks
import faults
from readers import Reader
from waiting import until_answered


def days_from_now(reader):
    """How many days the server's clock is ahead."""
    exported = json.loads(reader.get("/settings/export").body)["exported"]
    ahead = datetime.datetime.fromisoformat(exported) - datetime.datetime.now(datetime.UTC)
    return round(ahead.total_seconds() / clocks.DAY)


def test_clock_jumps_lose_no_change(data, source, clock):
    with clock.server(data, source.address) as server:
        reader, device = Reader(server.address), Reader(server.address)
        for number, days in enumerate((0, 400, -30, 5000, 0), start=1):
            clock.jump(days)
            until_answered(lambda days=days: days_from_now(reader) == days, f"the server's clock is {days} days ahead")
            faults.assert_pages_are_served(server.address)
            assert reader.get(f"/{number}/").status == 200
            assert reader.like(number).status == 303
            # The device's own clock is right.
            assert device.sync(number).status == 200
            reader.assert_nothing_is_lost()
            device.assert_nothing_is_lost()
            # A later change wins, although its clock says that it was earlier.
            assert reader.form("/favorites/set", comic=30, on="yes").status == 303
            assert reader.form("/favorites/set", comic=30, on="no").status == 303
            assert 30 not in reader.favorites()
        clock.jump(800)
    for days in (800, 0):
        clock.jump(days)
        with clock.server(data, source.address) as server:
            reader.address = device.address = server.address
            faults.assert_pages_are_served(server.address)
            reader.assert_nothing_is_lost()
            device.assert_nothing_is_lost()
            assert reader.like(10 + days).status == 303
    faults.assert_sound(data)
