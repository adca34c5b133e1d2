# Longbox
# SPDX-License-Identifier: MIT
"""SIGTERM ends the server soon, whatever its clients do."""

import signal
import time

import clients
from waiting import until

# The default time that requests in progress get to end, in seconds.
GRACE = 10
# Clients' own time limits, and the longest wait for the end: the server doesn't end in that time if it waits for its clients.
LONG, SLOWEST = 600, 60


def stop(server):
    """Sends SIGTERM, and returns how many seconds the server takes to end."""
    begin = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=SLOWEST) == 0
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
    begun = []
    for begin in clients.UNFINISHED:
        for _ in range(5):
            connection = clients.connect(server.address)
            begin(connection)
            begun.append((begin, connection))
    wait_until_accepted(server)
    # A connection may be accepted before the server has read anything; with the first answer, these requests are in progress.
    for begin, connection in begun:
        if begin is clients.begin_never_reading:
            clients.wait_for_answer(connection)


def test_stalled_clients_do_not_keep_the_server_running(start):
    server = start(HEAD_TIME=LONG, STALL_TIME=LONG, STOP_TIME=GRACE + 2)
    stall(server)
    took = stop(server)
    print(f"stopped after {took:.1f} s")
    assert took > GRACE + 1.9


def test_requests_in_progress_get_ten_seconds_to_end(start):
    server = start(HEAD_TIME=LONG, STALL_TIME=LONG)
    stall(server)
    took = stop(server)
    print(f"stopped after {took:.1f} s")
    assert took > GRACE - 0.1


def test_idle_clients_do_not_delay_the_stop(start):
    server = start(STOP_TIME=LONG)
    connections = [clients.connect(server.address) for _ in range(20)]
    for connection in connections[:10]:
        connection.sendall(clients.GET)
        connection.recv(1 << 16)
    print(f"stopped after {stop(server):.1f} s")


def test_a_request_in_progress_is_still_answered(start):
    server = start(STOP_TIME=LONG)
    with clients.connect(server.address) as connection:
        # The server reads both at once: with the first answer, the second request is in progress.
        connection.sendall(clients.GET + clients.begin_sync(8) + b"half")
        assert clients.read_response(connection) == 200
        server.process.send_signal(signal.SIGTERM)
        until(lambda: not accepts_connections(server), "the server takes no new connections")
        connection.sendall(b"more")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 4")
    assert server.process.wait(timeout=SLOWEST) == 0
