# Longbox
# SPDX-License-Identifier: MIT
"""Pictures are decoded outside the server, and that process ends with the server."""

import shutil
import signal
from pathlib import Path

import pytest

import clients
import programs
from waiting import until, until_answered


def libraries(process):
    """The names of the shared libraries of a process."""
    lines = Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines()
    return {Path(line.split()[-1]).name for line in lines if ".so" in line}


def decoders(server):
    """The running processes that the server has started, by number."""
    children = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    return [int(number) for file in children for number in file.read_text(encoding="utf-8").split()]


def has_ended(process):
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture
def decoding(start, tmp_path):
    """A server, its process that decodes pictures, and the libraries of that."""

    def begin():
        server = start()
        # The start has decoded the sample box's pictures.
        for decoder in decoders(server):
            return server, decoder, libraries(decoder)
        # It ends when it has been idle for ten seconds. With a new data folder there are pictures to decode again.
        programs.end(server.process)
        shutil.rmtree(tmp_path / "data")

    return until_answered(begin, "a process decodes pictures")


def test_pictures_are_decoded_outside_the_server(decoding):
    server, decoder, its = decoding
    assert decoders(server) in ([decoder], []), "one process decodes all pictures"
    assert any(name.startswith("libvips") for name in its)
    found = libraries(server.process.pid)
    print(f"{len(found)} libraries in the server, {len(its)} in the process that decodes pictures")
    assert not any(name.startswith(("libvips", "libglib")) for name in found)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_the_decoder_ends_with_the_server(decoding, number):
    server, decoder, _ = decoding
    server.process.send_signal(number)
    server.process.wait(timeout=60)
    until(lambda: has_ended(decoder), "the process that decodes pictures has ended")


def test_pictures_are_shown_without_the_decoder(tmp_path, monkeypatch):
    binaries = tmp_path / "programs"
    binaries.mkdir()
    for file in programs.binaries().iterdir():
        if file.name == "longbox":
            # A link would lead to the folder with all programs.
            shutil.copy2(file, binaries)
        elif file.suffix == ".resources":
            (binaries / file.name).symlink_to(file)
    monkeypatch.setenv("LONGBOX_BINARIES", str(binaries))
    with programs.server(tmp_path / "data", programs.closed_address()) as server:
        assert clients.get_page(server.address)[0] == 200
        assert clients.get_page(server.address, path="/comics/1/image")[0] == 200
        assert clients.get_page(server.address, path="/comics/1/thumbnail")[0] == 404
        assert f"{binaries}/longbox-pictures can't be started: No such file" in server.logged()
