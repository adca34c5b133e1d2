# Longbox
# SPDX-License-Identifier: MIT
"""What all commands have in common: documented JSON, progress, and a data folder that another command uses."""

import fcntl
import json
import re
import subprocess

import pytest

import programs
import recording
from conftest import SAMPLES, Reader

CLI = (programs.ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
# Commands that print no value.
WITHOUT_JSON = {"serve", "help"}
ALBUM = 9101


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A recording with albums, and 60 comics with explanations."""
    return recording.make(tmp_path_factory.mktemp("recording"), latest=60)


@pytest.fixture(scope="module")
def stored(recorded, tmp_path_factory):
    """A data folder with comics, pictures and explanations."""
    folder = tmp_path_factory.mktemp("stored")
    source = folder / "source"
    source.mkdir()
    (source / "comics.jsonl").symlink_to(recorded / "xkcd" / "comics.jsonl")
    (source / "images").symlink_to(recorded / "xkcd" / "images")
    (source / "explainxkcd").symlink_to(recorded / "explainxkcd")
    done = programs.longbox("import", source, data=folder / "data")
    assert done.returncode == 0, done.stderr
    return folder / "data"


@pytest.fixture
def full(stored, recorded, tmp_path):
    """A reader of these comics, whose sources answer."""
    data = tmp_path / "data"
    subprocess.run(["cp", "-R", stored, data], check=True)
    with programs.replay(recorded) as source:
        yield Sourced(data, tmp_path / "home", source.address)


class Sourced(Reader):
    """A reader whose commands ask replayed sources."""

    def __init__(self, data, home, upstream):
        super().__init__(data, home)
        self.upstream = upstream

    def environment(self, **more):
        sources = {name: value for name, value in programs.server(self.data, self.upstream).settings.items() if "_URL" in name}
        return super().environment(**{name: str(value) for name, value in sources.items()} | more)


def documented():
    """The fields that docs/cli.md names, by command."""
    rows = re.findall(r"^\| (`.+?) \| (.+) \|$", CLI, re.MULTILINE)
    named = [(command, value) for commands, value in rows for command in re.findall(r"`([^`]+)`", commands)]
    return {command: set(re.findall(r"`(\w+)`", value)) for command, value in named}


def fields(value):
    """The names of all fields in a JSON value."""
    if isinstance(value, list):
        return set().union(*map(fields, value))
    if isinstance(value, dict):
        return set(value).union(*map(fields, value.values()))
    return set()


def all_commands():
    dump = subprocess.run([programs.binaries() / "longbox", "--experimental-dump-help"], capture_output=True, check=True)

    def leaves(command, names):
        parts = command.get("subcommands", [])
        if not parts:
            yield names, {name["name"] for argument in command.get("arguments", []) for name in argument.get("names", [])}
        for part in parts:
            yield from leaves(part, [*names, part["commandName"]])

    return {" ".join(names): options for names, options in leaves(json.loads(dump.stdout)["command"], [])}


def test_every_command_has_documented_json():
    rows = documented()
    for command, options in all_commands().items():
        if command.split()[0] in WITHOUT_JSON:
            continue
        assert "json" in options, command
        assert command in rows, f"docs/cli.md has no row for {command}"


def test_all_json_fields_are_documented(full, tmp_path):
    rows = documented()
    passphrase = tmp_path / "passphrase"
    passphrase.write_text("four random words here")
    library, comics = tmp_path / "library.json", tmp_path / "comics"
    comics.mkdir()
    (comics / "comics.jsonl").write_bytes((SAMPLES / "records.jsonl").read_bytes() + b"nonsense\n")
    done = {"import": []}
    commands = [
        ("show", "53"),
        ("latest",),
        ("53",),
        ("random",),
        ("next",),
        ("previous",),
        ("search", "rabbit OR number OR comic"),
        ("search", "a"),
        ("explain", "53"),
        ("favorite add", "53", "--note", "good"),
        ("favorite list",),
        ("favorite remove", "53"),
        ("read", "--up-to", "20"),
        ("albums search", "paper"),
        ("albums show", ALBUM),
        ("albums save", ALBUM),
        ("search is:album", "cards"),
        ("albums list",),
        ("albums remove", ALBUM),
        ("export", library),
        ("open", "53"),
        ("reload", "53"),
        ("import", comics),
        ("status", "--deep"),
        ("doctor",),
        ("subscriptions list",),
        ("devices",),
        ("backup", tmp_path / "saved"),
        ("backup", tmp_path / "saved", "--check"),
        ("restore", tmp_path / "saved"),
        ("publish", tmp_path / "site"),
        ("setup", "--yes", "--passphrase-file", passphrase),
        ("passphrase", "--passphrase-file", passphrase),
    ]
    for command, *arguments in commands:
        ended = full.run(*command.split(), *arguments, "--json")
        assert ended.returncode in ((0, 1, 2) if command in ("doctor", "search") else (0,)), (command, ended.stderr)
        assert "Traceback" not in ended.stderr and "Fatal" not in ended.stderr
        if command == "export":
            continue
        value = json.loads(ended.stdout)
        key = "53" if command.isdigit() else command
        row = next(row for name, row in rows.items() if name in (key, "353") and (name == key or command.isdigit()))
        assert fields(value) <= row | open_names(command, value), (command, fields(value) - row)
        done[command] = value
    assert done["explain"]["number"] == 53
    assert done["albums show"]["tracks"][0]["title"] == "See Also"
    assert done["search is:album"]["albums"][0]["id"] == ALBUM
    assert done["import"]["skipped"][0]["line"] > 16
    assert done["setup"]["addresses"] or done["setup"]["fingerprint"]


def open_names(command, value):
    """Names in a value that are data: the kinds of files in a static copy."""
    return set(value["parts"]) if command == "publish" else set()


def test_a_quiz_can_be_played_with_json(full):
    ended = full.run("quiz", ALBUM, "--json", given="See Also\n.\n")
    assert ended.returncode == 0, ended.stderr
    value = json.loads(ended.stdout)
    assert fields(value) <= documented()["quiz"]
    assert value["right"] == 1 and value["total"] == 10


def test_saved_albums_are_found_on_another_longbox(full, tmp_path):
    with programs.server(full.data, full.upstream, LONGBOX_FILL="false") as server:
        other = Reader(tmp_path / "nothing", tmp_path / "elsewhere")
        here = ("--server", server.address)
        assert other.run("search", "is:album", *here).returncode == 1
        assert other.run("albums", "save", ALBUM, *here).returncode == 0
        found = other.json("search", "is:album", "CARDS", *here)
        assert [album["id"] for album in found["albums"]] == [ALBUM]
        assert other.run("search", "is:album", "nothing", *here).returncode == 1
        assert other.run("favorite", "add", 53, *here).returncode == 0
        assert other.run("read", "--up-to", 20, *here).returncode == 0
        assert [hit["number"] for hit in other.json("search", "is:favorite", *here)["hits"]] == [53]
        assert other.json("search", "is:read", *here)["total"] == 20
        assert other.json("search", "is:unread", *here)["total"] == 40
        # This machine's own readers find what others have opened, too.
        assert full.json("search", "is:album", "cards")["total"] == 1


def test_long_commands_show_progress_only_on_a_terminal(reader, tmp_path):
    source, saved = tmp_path / "source", tmp_path / "saved"
    source.mkdir()
    (source / "comics.jsonl").write_bytes((SAMPLES / "records.jsonl").read_bytes())
    (source / "images").symlink_to(SAMPLES / "images")
    works = [
        (b"Importing [", ["import", source, "--data", tmp_path / "other"]),
        (b"Writing [", ["backup", saved]),
        (b"Checking [", ["backup", saved, "--check"]),
        (b"Restoring [", ["restore", saved]),
        (b"Reading [", ["status", "--deep"]),
        (b"Writing [", ["publish", tmp_path / "site"]),
    ]
    for bar, arguments in works:
        sent = reader.shown(*arguments, columns=60)
        assert bar in sent and b"%" in sent, (arguments, sent)
        assert sent.rstrip().endswith((b".", b"need it.")) or b"\r\x1b[K" in sent
        lines = re.split(rb"\r\n|\r", re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", sent))
        assert all(len(line) < 60 for line in lines if bar in line), lines
    for _, arguments in works[1:2]:
        saved.unlink()
        done = reader.run(*arguments)
        assert done.returncode == 0 and done.stderr == "", done.stderr


def test_a_qr_code_has_colours_only_on_a_terminal(reader, tmp_path):
    passphrase = tmp_path / "passphrase"
    passphrase.write_text("four random words here")
    setup = ["setup", "--yes", "--passphrase-file", passphrase]
    done = reader.run(*setup)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    # A machine without a network has no address to draw.
    assert ("▀" in done.stdout) == (b"\x1b[30;107m" in reader.shown(*setup))
    assert b"\x1b" not in reader.shown(*setup, NO_COLOR="1")


def hold(data, process):
    """Takes the data folder's lock, as another command does."""
    lock = (data / "longbox.lock").open("r+")
    fcntl.flock(lock, fcntl.LOCK_EX)
    lock.truncate(0)
    lock.write(f"{process}\n")
    lock.flush()
    return lock


def test_a_server_waits_for_a_command_that_uses_its_folder(reader):
    lock = hold(reader.data, "longbox albums (process 77)")
    server = subprocess.Popen(
        [reader.program, "serve", "--port", "0", "--fill", "false", "--xkcd-url", programs.closed_address()],
        env=reader.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = ""
        while "Waiting" not in line:
            line = server.stderr.readline()
            assert line, "it ended"
        assert "longbox albums (process 77)" in line
        lock.close()
        while "Longbox is at" not in (line := server.stdout.readline()):
            assert line, server.stderr.read()
    finally:
        programs.end(server)
        server.communicate()


def test_a_server_names_the_command_that_uses_its_folder(reader):
    with hold(reader.data, "longbox import (process 77)"):
        done = reader.run("serve", "--port", 0)
    assert done.returncode == 75
    assert "in use by another Longbox: longbox import (process 77)." in done.stderr


def test_commands_that_need_the_folder_name_the_running_server(reader, tmp_path):
    with programs.server(reader.data, programs.closed_address(), LONGBOX_FILL="false") as server:
        for command in (["import", SAMPLES, "--text-only"], ["reload", "12"], ["restore", tmp_path / "saved"]):
            if command[0] == "restore":
                assert reader.run("backup", tmp_path / "saved").returncode == 0
            if command[0] == "import":
                (tmp_path / "comics.jsonl").write_bytes((SAMPLES / "records.jsonl").read_bytes())
                command[1] = tmp_path
            done = reader.run(*command)
            assert done.returncode == 75, (command, done.stderr)
            assert f"longbox serve (process {server.process.pid})" in done.stderr


def test_without_a_terminal_a_passphrase_comes_from_a_file(reader):
    command = [reader.program, "passphrase"]
    # A session of its own has no terminal.
    done = subprocess.run(
        command, env=reader.environment(), input="", capture_output=True, text=True, timeout=60, start_new_session=True
    )
    assert done.returncode == 64
    assert "There is no terminal to ask for the passphrase. Use --passphrase-file." in done.stderr
    done = reader.run("passphrase", "--passphrase-file", reader.home / "missing")
    assert done.returncode == 66
    assert "missing. The file must be readable" in done.stderr


def test_comics_cannot_be_imported_into_another_longbox(reader):
    done = reader.run("import", SAMPLES, "--server", "http://127.0.0.1:9")
    assert done.returncode == 64
    assert "--server takes a library" in done.stderr


def test_a_web_server_can_read_a_published_copy(reader, tmp_path):
    site = tmp_path / "below" / "site"
    assert reader.run("publish", site).returncode == 0
    modes = {path.stat().st_mode & 0o777 for path in [site.parent, site, *site.rglob("*")] if path.is_dir()}
    assert modes == {0o755}
    # The list of the files is for the next run only.
    files = [path for path in site.rglob("*") if path.is_file() and path.name != "longbox-copy.json"]
    assert files and {path.stat().st_mode & 0o777 for path in files} == {0o644}
