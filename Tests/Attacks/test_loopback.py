# Longbox
# SPDX-License-Identifier: MIT
"""A server on loopback closes itself within seconds when it gets a passphrase from another process."""

from http.client import HTTPResponse

import pytest

import clients
import programs
from waiting import until_answered

PASSPHRASE = "four words of a test"


@pytest.fixture
def passphrase(tmp_path):
    """Sets the passphrase of a data folder beside its server."""
    file = tmp_path / "passphrase.txt"
    file.write_text(PASSPHRASE, encoding="utf-8")

    def set_passphrase():
        done = programs.longbox("passphrase", "--passphrase-file", file, data=tmp_path / "data")
        assert done.returncode == 0, done.stderr

    return set_passphrase


def wait_until_closed(server):
    until_answered(lambda: programs.get(server.address + "/1/")[0] == 401, "the server asks to sign in", pause=0.2)


def test_a_passphrase_counts_without_a_restart(start, passphrase, tmp_path):
    data = tmp_path / "data"
    server = start()
    assert programs.get(server.address + "/1/")[0] == 200
    assert "#code=" not in programs.longbox("open", data=data).stdout
    passphrase()
    wait_until_closed(server)
    for path in ("/", "/settings/devices", "/settings/phone", "/sync", "/settings/export"):
        assert programs.get(server.address + path)[0] == 401, path
    assert programs.get(server.address + "/healthz")[0] == 200
    assert server.process.poll() is None
    # This machine's user proves who they are by the key in the data folder.
    assert "/sign-in?to=/1/#code=" in programs.longbox("open", "1", data=data).stdout


def test_a_request_in_progress_is_answered_when_the_passphrase_comes(start, passphrase):
    """A form that arrives slowly is still received."""
    server = start(STOP_TIME=60)
    body = b"alt=always&back=/settings"
    slow = clients.connect(server.address)
    form = clients.head("/settings/set", "application/x-www-form-urlencoded", len(body))
    # In one write: when the first request is answered, the server has read the head of the form, too.
    slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + form + body[:5])
    response = HTTPResponse(slow)
    response.begin()
    response.read()
    passphrase()
    wait_until_closed(server)
    slow.sendall(body[5:])
    assert b"HTTP/1.1 303" in slow.recv(4096)
