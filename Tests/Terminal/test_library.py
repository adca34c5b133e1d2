# Longbox
# SPDX-License-Identifier: MIT
"""The reader's library on a terminal: without a server, beside one, and against another one."""

import json
import re
import stat
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import page_states
import programs
from conftest import Reader


@pytest.fixture
def server(reader):
    """A server on the reader's data folder."""
    with programs.server(reader.data, programs.closed_address(), LONGBOX_FILL="false") as server:
        yield server


def favorites(reader, *more):
    return [item["number"] for item in reader.json("favorite", "list", *more)["favorites"]]


def test_favorites_are_stored_without_a_server(reader):
    assert reader.run("favorite", "add", 3, 12, "--note", "boxes").returncode == 0
    assert reader.run("favorite", "add", 5).returncode == 0
    listed = reader.json("favorite", "list")["favorites"]
    assert sorted(item["number"] for item in listed) == [3, 5, 12]
    assert {item["note"] for item in listed if item["number"] != 5} == {"boxes"}
    assert reader.run("favorite", "remove", 3).returncode == 0
    assert sorted(favorites(reader)) == [5, 12]


def test_the_files_of_a_library_are_private(reader):
    reader.run("favorite", "add", 3)
    folder = reader.home / ".config" / "longbox" / "own"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name in ("key", "library"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def test_a_change_reaches_the_running_server(reader):
    reader.run("favorite", "add", 3)
    with programs.server(reader.data, programs.closed_address(), LONGBOX_FILL="false") as server:
        key = (reader.home / ".config" / "longbox" / "own" / "key").read_text().strip()
        assert favorites(reader) == [3]
        # The server has the library in memory by now.
        assert '"num" : 3' in exported(server, key)
        done = reader.run("favorite", "add", 12)
        assert (done.returncode, done.stderr) == (0, "")
        assert '"num" : 12' in exported(server, key)
    assert sorted(favorites(reader)) == [3, 12]


def exported(server, key):
    status, _, body = programs.get(f"{server.address}/settings/export", {"Cookie": f"library={key}"})
    assert status == 200, body
    return body.decode()


def test_two_terminals_share_a_library_after_pairing(reader, server, tmp_path):
    other = Reader(tmp_path / "nothing", tmp_path / "elsewhere")
    reader.run("favorite", "add", 3)
    assert other.run("favorite", "add", 12, "--server", server.address).returncode == 0
    offer = reader.run("pair", "--json")
    link = json.loads(offer.stdout)["link"]
    assert link.startswith(f"{server.address}/join?code=")
    assert "Other devices can't reach 127.0.0.1." in offer.stderr
    done = other.run("pair", link)
    assert done.returncode == 0, done.stderr
    assert f"--server {server.address}" in done.stdout
    assert sorted(favorites(other, "--server", server.address)) == [3, 12]
    assert sorted(favorites(reader)) == [3, 12]
    again = other.run("pair", link, "--server", server.address)
    assert again.returncode == 64
    assert "show a new link" in again.stderr


def test_a_wrong_passphrase_is_named_when_pairing(reader, tmp_path):
    (tmp_path / "wrong.txt").write_text("four words somebody guesses")
    with page_states.household(tmp_path / "other", programs.closed_address()) as (address, _):
        for _ in range(20):
            done = reader.run("pair", "--server", address, "--passphrase-file", tmp_path / "wrong.txt")
            if done.returncode != 64:
                break
            assert "That is not the passphrase" in done.stderr
    assert done.returncode == 69
    assert "too many wrong passphrases" in done.stderr


def test_a_pairing_link_has_the_public_address(reader):
    public = {"LONGBOX_FILL": "false", "LONGBOX_PUBLIC_URL": "https://comics.example.org"}
    with programs.server(reader.data, programs.closed_address(), **public):
        done = reader.run("pair", "--json")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert json.loads(done.stdout)["link"].startswith("https://comics.example.org/join?code=")


def test_another_longbox_can_be_read_and_searched(server, tmp_path):
    other = Reader(tmp_path / "nothing", tmp_path / "elsewhere")
    here = {"LONGBOX_SERVER": server.address}
    assert other.json("1", **here)["title"] == "This Way Up"
    assert other.json("search", "experts", **here)["hits"][0]["number"] == 1
    assert b"\x1b_G" in other.shown("12", "--pictures", "kitty", **here)
    assert other.run("open", 12, **here).stdout == f"{server.address}/12/\n"


HOSTILE = {
    "junk": (200, b"\x1b]0;owned\x07\xff\x00" * 100, {}),
    "JSON": (200, rb'{"title":"\u001b[2J\u009b31m\n#900 Forged","number":-9223372036854775808,"total":1e300,"hits":[{}]}', {}),
    "an archive of the greatest numbers": (200, b"LBXA" + b"\xff" * 4096, {}),
    "a rejection": (503, b"\x1b[31m", {"Retry-After": "99999999999999999999"}),
    "cookies": (200, b"", {"Set-Cookie": "library=../../../../evil\x1b[31m; Path=/"}),
    "another place": (302, b"", {"Location": "file:///etc/passwd"}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_server_writes_neither_files_nor_control_characters(kind, tmp_path):
    status, body, fields = HOSTILE[kind]

    class Hostile(BaseHTTPRequestHandler):
        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status, "\x1b[31mred")
            for name, value in (fields | {"Content-Length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    other = Reader(tmp_path / "nothing", tmp_path / "elsewhere")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        here = {"LONGBOX_SERVER": f"http://127.0.0.1:{server.server_port}"}
        commands = [["1"], ["search", "box"], ["favorite", "add", "1"], ["favorite", "list"], ["explain", "1"], ["read"]]
        commands += [["random"], ["albums", "search", "a"], ["export"], ["pair"]]
        for command in commands:
            for form in ([], ["--json"]):
                done = other.run(*command, *form, **here)
                assert done.returncode not in programs.CRASHES, (command, done.returncode, done.stderr)
                for text in (done.stdout, done.stderr):
                    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text), (command, text)
                    assert not re.search("^#900", text, re.MULTILINE), (command, text)
    finally:
        server.shutdown()
        server.server_close()
    own = (other.home / ".config" / "longbox", other.home / ".cache" / "longbox")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(any(path.is_relative_to(folder) for folder in own) for path in written), written


def test_the_local_copy_is_used_while_the_server_is_unreachable(reader, tmp_path):
    other = Reader(tmp_path / "nothing", tmp_path / "elsewhere")
    with programs.server(reader.data, programs.closed_address(), LONGBOX_FILL="false") as server:
        assert other.run("favorite", "add", 12, "--server", server.address).returncode == 0
    done = other.run("1", "--server", server.address)
    assert done.returncode == 0
    assert "This Way Up" in done.stdout
    assert "the copy from the last time" in done.stderr
    kept = other.run("favorite", "add", 3, "--server", server.address)
    assert kept.returncode == 0
    assert "sent with the next command" in kept.stderr
    with server.again() as server:
        assert sorted(favorites(other, "--server", server.address)) == [3, 12]
        key = next((other.home / ".config" / "longbox").glob("http*/key")).read_text().strip()
        assert '"num" : 3' in exported(server, key)


def test_an_unreachable_server_is_reported(tmp_path):
    other = Reader(tmp_path / "nothing", tmp_path / "elsewhere")
    done = other.run("1", "--server", programs.closed_address())
    assert done.returncode == 69
    assert "doesn’t answer" in done.stderr
    assert other.run("1", "--server", "ftp://x").returncode == 64
    assert other.run("1").returncode == 66


def test_a_library_can_be_exported_and_imported(reader, tmp_path):
    reader.run("favorite", "add", 3, 12)
    reader.run("read", "--up-to", 9)
    file = tmp_path / "library.json"
    assert reader.run("export", file).returncode == 0
    assert reader.run("export", file).returncode == 64
    other = Reader(reader.data, tmp_path / "elsewhere")
    done = other.run("import", file)
    assert done.returncode == 0, done.stderr
    assert "Favorites: 2 new" in done.stdout
    assert sorted(favorites(other)) == [3, 12]
    assert other.json("read")["read"] == 9
    assert json.loads(other.run("export").stdout)["format"] == "longbox-library"
    listed = other.run("import", "-", "--json", given="5, 900")
    assert json.loads(listed.stdout)["unknownNumbers"] == [900]
    assert other.run("import", "-", given="{").returncode == 65
    rejected = other.run("import", "-", given="5. Five\nx\n")
    assert rejected.returncode == 65
    assert "Line 2: “x”" in rejected.stderr and "--skip-lines" in rejected.stderr
    assert other.run("import", "-", "--skip-lines", given="5. Five\nx\n").returncode == 0
    random = {other.json("random", "--favorite")["number"] for _ in range(3)}
    assert random <= {3, 5, 12}
    assert other.json("search", "is:favorite")["total"] == 3


def test_a_damaged_library_file_is_named(reader):
    reader.run("favorite", "add", 3)
    copy = reader.home / ".config" / "longbox" / "own" / "library"
    copy.write_bytes(b"nonsense")
    done = reader.run("favorite", "list")
    assert done.returncode == 74
    assert str(copy) in done.stderr
    copy.unlink()
    assert favorites(reader) == [3]


def test_an_export_leaves_other_files_alone(reader, tmp_path):
    neighbour = tmp_path / "library.json.new"
    neighbour.write_text("mine")
    assert reader.run("export", tmp_path / "library.json").returncode == 0
    assert neighbour.read_text() == "mine"


def test_an_incomplete_export_is_an_error(reader):
    with open("/dev/full", "w") as full:
        command = [reader.program, "export"]
        done = subprocess.run(command, env=reader.environment(), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 74
    assert "The output is incomplete: No space left on device." in done.stderr
