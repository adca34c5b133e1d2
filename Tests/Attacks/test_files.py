# Longbox
# SPDX-License-Identifier: MIT
"""Only the operator can read the data folder, whatever the umask."""

import contextlib
import os
import stat

import pytest

import clients
import programs
import recording
from waiting import until


@pytest.fixture
def open_umask():
    """Programs that the test starts give new files all permissions, unless they ask for less."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder):
    """Everything in a folder, and the folder itself, that others may read or change: the names and permissions."""
    found = {}
    for path in (folder, *folder.rglob("*")):
        # A running server renames and removes files.
        with contextlib.suppress(FileNotFoundError):
            mode = path.stat().st_mode
            if stat.S_IMODE(mode) != (0o700 if stat.S_ISDIR(mode) else 0o600):
                found[str(path)] = oct(stat.S_IMODE(mode))
    return found


def test_all_files_in_the_data_folder_are_private(tmp_path, open_umask):
    recorded = recording.make(tmp_path / "recording")
    data = tmp_path / "new" / "data"
    with programs.replay(recorded) as replay:
        imported = programs.longbox("import", recorded / "xkcd", data=data)
        assert imported.returncode == 0, imported.stderr
        with programs.server(data, replay.address) as server:
            body = b"comic=1"
            head = f"POST /favorites HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: {len(body)}\r\n"
            clients.exchange(server.address, head.encode() + b"Connection: close\r\n\r\n" + body)
            clients.get_page(server.address, path="/comics/1/image")
            for name in ("archive.lbx", "explanations.lbx"):
                until((data / name).exists, f"{name} is written")
            assert any(data.glob("*-wal"))
            assert not open_to_others(data)
        assert not open_to_others(data)


def test_the_files_of_the_sample_box_are_private(tmp_path, open_umask):
    data = tmp_path / "data"
    with programs.server(data, programs.closed_address()) as server:
        assert clients.get_page(server.address)[0] == 200
        assert not open_to_others(data)
