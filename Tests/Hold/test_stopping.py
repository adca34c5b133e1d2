# Longbox
# SPDX-License-Identifier: MIT
"""SIGTERM ends the server soon, whatever its clients do."""

import signal
import time

import clients
from waiting import until

# The server may take ten seconds; a busy machine may need more.
SLOWEST = 20


def stop(server, within):
    begin = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=within) == 0
    return time.monotonic() - begin


def wait_until_known(server):
    """Waits until the server knows all connections so far: it accepts them in order."""
    assert clients.get_page(server.address)[0] == 200


def takes_connections(server):
    try:
        clients.connect(server.address)
    except (ConnectionRefusedError, ConnectionResetError):
        # The listener may close between the handshake and the acceptance.
        return False
    return True


def test_stalled_clients_don_t_keep_it_running(start):
    server = start(HEAD_TIME=60, STALL_TIME=60)
    connections = []
    for begin in clients.BEGINNINGS:
        for _ in range(5):
            connections.append(clients.connect(server.address))
            begin(connections[-1])
    wait_until_known(server)
    print(f"stopped after {stop(server, within=SLOWEST):.1f} s")


def test_idle_clients_don_t_delay_it(start):
    server = start(STOP_TIME=60)
    connections = [clients.connect(server.address) for _ in range(20)]
    for connection in connections[:10]:
        connection.sendall(clients.GET)
        connection.recv(1 << 16)
    print(f"stopped after {stop(server, within=SLOWEST):.1f} s")


def test_a_request_in_progress_is_answered(start):
    server = start()
    with clients.connect(server.address) as connection:
        connection.sendall(clients.begin_sync(8) + b"half")
        wait_until_known(server)
        server.process.send_signal(signal.SIGTERM)
        until(lambda: not takes_connections(server), "the server takes no new connections")
        connection.sendall(b"more")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 4")
    assert server.process.wait(timeout=SLOWEST) == 0
