# Longbox
# SPDX-License-Identifier: MIT
"""A server that may open only a few files takes fewer connections, and never runs out of files."""

from pathlib import Path

import clients
import faults
from readers import Reader

# How many files the server may open.
FILES = 160


def open_files(process):
    return len(list(Path(f"/proc/{process.pid}/fd").iterdir()))


def test_a_flood_of_connections_leaves_files_for_other_clients(data, source):
    server = faults.server(data, source.address)
    # The server raises its own limit as far as it may, so this sets the hard limit, too.
    server.command = ["/bin/sh", "-c", f'ulimit -n {FILES}; exec "$0" "$@"', *server.command]
    with server:
        assert "Raise the limit of open files" in server.logged()
        reader = Reader(server.address)
        most = 0
        for flood in range(4):
            for number in range(2, 6):
                for _ in range(60):
                    connection = clients.connect(server.address, f"127.0.0.{number}")
                    # A request that doesn't end, so that the connection is not idle.
                    clients.send_what_fits(connection, b"GET /1/ HTTP/1.1\r\nHost: localhost\r\nX: ")
                most = max(most, open_files(server.process))
                number = 4 * flood + number
                assert reader.like(number).status == 303
                assert reader.get(f"/{number}/").status == 200
                assert reader.get(f"/comics/{number}/image").status == 200
            clients.close_all()
        print(f"at most {most} of {FILES} files were open")
        assert FILES / 2 < most < FILES - 20
        # Comics that only the source has.
        faults.until_served(reader, "/50/")
        faults.until_served(reader, "/comics/50/image")
        reader.assert_nothing_is_lost()
    faults.assert_sound(data)
