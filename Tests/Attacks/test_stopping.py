# Longbox
# SPDX-License-Identifier: MIT
"""SIGTERM ends the server soon, whatever its clients do."""

import signal
import time

import clients
from waiting import until

# The default time that requests in progress get to end, in seconds.
GRACE = 10
# A busy machine may need more.
SLOWEST = 20


def stop(server, within):
    """Sends SIGTERM, and returns how many seconds the server takes to end."""
    begin = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=within) == 0
    return time.monotonic() - begin


def wait_until_accepted(server):
    """Waits until the server has accepted all connections so far: it accepts them in order."""
    assert clients.get_page(server.address)[0] == 200


def accepts_connections(server):
    try:
        clients.connect(server.address)
    except (ConnectionRefusedError, ConnectionResetError):
        # The listener may close between the handshake and the acceptance.
        return False
    return True


def stall(server):
    """Begins something of each kind on some connections, and ends none."""
    for begin in clients.UNFINISHED:
        for _ in range(5):
            begin(clients.connect(server.address))
    wait_until_accepted(server)


def test_stalled_clients_do_not_keep_the_server_running(start):
    server = start(HEAD_TIME=60, STALL_TIME=60, STOP_TIME=3)
    stall(server)
    took = stop(server, within=GRACE)
    print(f"stopped after {took:.1f} s")
    assert took > 2.9


def test_requests_in_progress_get_ten_seconds_to_end(start):
    server = start(HEAD_TIME=60, STALL_TIME=60)
    stall(server)
    took = stop(server, within=SLOWEST)
    print(f"stopped after {took:.1f} s")
    assert took > GRACE - 0.1


def test_idle_clients_do_not_delay_the_stop(start):
    server = start(STOP_TIME=60)
    connections = [clients.connect(server.address) for _ in range(20)]
    for connection in connections[:10]:
        connection.sendall(clients.GET)
        connection.recv(1 << 16)
    print(f"stopped after {stop(server, within=SLOWEST):.1f} s")


def test_a_request_in_progress_is_still_answered(start):
    server = start(STOP_TIME=60)
    with clients.connect(server.address) as connection:
        connection.sendall(clients.begin_sync(8) + b"half")
        wait_until_accepted(server)
        server.process.send_signal(signal.SIGTERM)
        until(lambda: not accepts_connections(server), "the server takes no new connections")
        connection.sendall(b"more")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 4")
    assert server.process.wait(timeout=SLOWEST) == 0
