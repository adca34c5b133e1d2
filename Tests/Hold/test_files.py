# Longbox
# SPDX-License-Identifier: MIT
"""Only the operator can read the data folder, whatever the umask."""

import os
import stat
import time

import pytest

import clients
import programs
import recording


@pytest.fixture
def open_umask():
    """Programs that the test starts give new files all permissions, unless they ask for less."""
    before = os.umask(0)
    yield
    os.umask(before)


def permissions(folder):
    """The permissions of everything in a folder, and of the folder itself."""
    found = {".": stat.S_IMODE(folder.stat().st_mode)}
    for path in folder.rglob("*"):
        found[str(path.relative_to(folder))] = stat.S_IMODE(path.stat().st_mode)
    return found


def test_everything_is_private(tmp_path, open_umask):
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
            deadline = time.monotonic() + 60
            while not {"archive.lbx", "explanations.lbx"} <= {path.name for path in data.iterdir()}:
                assert time.monotonic() < deadline, sorted(path.name for path in data.iterdir())
                time.sleep(0.2)
            running = permissions(data)
        stopped = permissions(data)
    with programs.server(tmp_path / "empty", programs.closed_address()) as server:
        clients.get_page(server.address)
        samples = permissions(tmp_path / "empty")
    for found in (running, stopped, samples):
        assert found["."] == 0o700
        wrong = {
            name: oct(mode) for name, mode in found.items() if mode not in (0o600, 0o700) or (mode == 0o700) != is_folder(name, tmp_path)
        }
        assert not wrong
    assert any(name.endswith("-wal") for name in running)


def is_folder(name, root):
    return any((folder / name).is_dir() for folder in (root / "new" / "data", root / "empty"))
