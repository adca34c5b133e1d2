# Longbox
# SPDX-License-Identifier: MIT
"""Fixtures of the journey: a household with a server, a phone and a stranger."""

import shutil

import pytest
from playwright.sync_api import expect

import household
import network
import programs
import recording
from watch import TIME_LIMIT

# Only so that a failure is found at all: a busy machine needs seconds for what otherwise takes milliseconds.
expect.set_options(timeout=TIME_LIMIT)


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """The household; its tests depend on their order, since each continues from the state that the last one left."""
    problem = network.problem() or next(
        (f"{name} is missing" for name in ("certutil", "openssl", "chromium") if shutil.which(name) is None), None
    )
    if problem:
        pytest.skip(problem)
    recorded = recording.make(tmp_path_factory.mktemp("recording"))
    folder = tmp_path_factory.mktemp("household")
    imported = programs.longbox("import", recorded / "xkcd", data=folder / "data")
    assert imported.returncode == 0, imported.stderr
    with network.Network() as net, household.Household(net, folder) as home:
        yield home
