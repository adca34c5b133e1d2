# Longbox
# SPDX-License-Identifier: MIT
"""Fixtures of the attacks: a server that shows its sample box."""

from contextlib import ExitStack

import pytest

import clients
import programs


@pytest.fixture(autouse=True)
def close_connections():
    """Closes the attackers' connections after a test."""
    yield
    clients.close_all()


@pytest.fixture
def start(tmp_path):
    """Starts a server with some limits, `start(HEAD_TIME=1)`; it stops after the test."""
    with ExitStack() as stack:

        def start_server(**limits):
            settings = {f"LONGBOX_LIMITS_{name}": value for name, value in limits.items()}
            server = programs.server(tmp_path / "data", programs.closed_address(), **settings)
            return stack.enter_context(server)

        yield start_server
