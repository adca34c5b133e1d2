# Longbox
# SPDX-License-Identifier: MIT
"""A server that may open no more files or connections still serves pages, and accepts connections again later."""

import os
import resource
from pathlib import Path

import clients
import faults
import waiting
from readers import Reader


def processor_seconds(process):
    """The processor time that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(connection, path):
    """The status of a page on a connection that is kept; 0 if it was closed."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return clients.read_response(connection)


def test_connected_clients_are_served_while_no_descriptors_are_left(data, source):
    with faults.server(data, source.address) as server:
        process = server.process.pid
        reader = Reader(server.address)
        assert reader.like(1).status == 303
        kept = clients.connect(server.address, "127.0.0.1")
        assert ask(kept, "/1/") == 200
        before = resource.prlimit(process, resource.RLIMIT_NOFILE)
        opened = len(list(Path(f"/proc/{process}/fd").iterdir()))
        resource.prlimit(process, resource.RLIMIT_NOFILE, (opened + 2, before[1]))
        crowd = [clients.connect(server.address, "127.0.0.2") for _ in range(40)]
        for connection in crowd:
            clients.send_what_fits(connection, clients.GET)
        # A connected client is still served, from memory and from files.
        assert ask(kept, "/2/") == 200
        assert ask(kept, "/comics/9/image") in (200, 503)
        assert ask(kept, "/50/") in (200, 503)
        used = processor_seconds(server.process)
        waiting.let_pass(2)
        used = processor_seconds(server.process) - used
        print(f"{used:.2f} s of processor time in 2 s without descriptors")
        assert used < 0.2, "the server keeps trying without a pause"
        resource.prlimit(process, resource.RLIMIT_NOFILE, before)
        clients.close_all()
        faults.until_served(reader, "/3/")
        assert reader.like(2).status == 303
        faults.until_served(reader, "/comics/9/image")
        faults.until_served(reader, "/comics/50/image")
        reader.assert_nothing_is_lost()
    faults.assert_sound(data)
