# Longbox
# SPDX-License-Identifier: MIT
"""What a reader sees in a terminal and in a pipe."""

import base64
import json
import os
import re

import pytest
from PIL import Image

from conftest import SAMPLES, Reader
from terminals import ESCAPE
from waiting import until

# Every command of the reader, with the exit code that it has on the samples.
COMMANDS = [
    ([], 0),
    (["latest"], 0),
    (["12"], 0),
    (["12", "--text"], 0),
    (["12", "--pictures", "kitty"], 0),
    (["random"], 0),
    (["random", "--unread"], 0),
    (["random", "--favorite"], 1),
    (["next"], 0),
    (["previous"], 0),
    (["search", "box"], 0),
    (["search", "xyzzyx"], 1),
    (["explain", "12"], 66),
    (["favorite", "add", "12"], 0),
    (["favorite", "list"], 0),
    (["favorite", "remove", "12"], 0),
    (["read"], 0),
    (["read", "3", "--up-to", "2"], 0),
    (["albums", "list"], 0),
    (["export"], 0),
    (["open", "12"], 0),
    (["nonsense"], 64),
    (["404"], 64),
    (["900"], 66),
]


@pytest.mark.parametrize(("command", "code"), COMMANDS)
def test_no_escape_codes_are_sent_to_a_pipe(reader, command, code):
    for arguments in (command, [*command, "--json"]):
        done = reader.run(*arguments, COLORTERM="truecolor", KITTY_WINDOW_ID="1")
        assert done.returncode == code, (arguments, done.stderr)
        assert "\x1b" not in done.stdout + done.stderr
        if code in (64, 66):
            assert re.search(r"[.?!]\n", done.stderr), done.stderr
        elif "--json" in arguments and done.stdout:
            json.loads(done.stdout)


def reader_of(titles, tmp_path):
    """A reader of the sample box with other titles; `{num}` in them is the number."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "images").symlink_to(SAMPLES / "images")
    records = [json.loads(line) for line in (SAMPLES / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    for record in records:
        record["title"] = record["safe_title"] = titles.format(**record)
    (source / "comics.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    reader = Reader(tmp_path / "data", tmp_path / "home")
    assert reader.run("import", source).returncode == 0
    return reader


def test_a_long_title_does_not_look_like_two_entries(tmp_path):
    reader = reader_of(f"Box {'y' * 29} #900 Forged", tmp_path)
    assert reader.run("favorite", "add", 3, 12).returncode == 0
    for arguments in (["search", "forged"], ["favorite", "list"]):
        sent = reader.shown(*arguments, columns=200, COLUMNS="40").decode()
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", sent).split("\r\n")
        assert [line for line in lines if line.startswith("#900")] == [], lines
        assert any(line.startswith("    ") and "#900" in line for line in lines), lines
        assert max(len(line) for line in lines) <= 40


def test_no_text_forges_a_line_of_a_list(tmp_path):
    reader = reader_of("Box\n#900 Forged\r\nLine 9\r#{num}\u2028#901", tmp_path)
    assert reader.run("favorite", "add", 3, 12, "--note", "One\n#902 Forged\n2 favorites.").returncode == 0

    found = reader.run("search", "forged", "--limit", "3").stdout.splitlines()
    assert [line for line in found if line.startswith("#9")] == []
    assert len([line for line in found if line.startswith("#")]) == 3

    listed = reader.run("favorite", "list").stdout
    assert re.findall(r"^#\d+", listed, re.MULTILINE) == ["#12", "#3"]
    assert listed.count("\n    #902 Forged\n") == 2
    assert len(re.findall(r"^\d favorites", listed, re.MULTILINE)) == 1

    assert reader.run("12", "--text").stdout.startswith("#12: Box #900 Forged Line 9")


def test_text_has_title_transcript_alt_text_and_attribution(reader):
    text = reader.run("1", "--text").stdout
    assert text.startswith("#1: This Way Up\n2025-09-")
    assert "Oda: The box was packed by experts." in text
    assert "Alt text: If this picture is lying on its side" in text
    assert "https://xkcd.com/1/" in text


def test_a_terminal_gets_a_picture_of_coloured_characters(reader):
    sent = reader.shown("12", COLORTERM="truecolor")
    assert b"\x1b[38;2;" in sent or b"\x1b[48;2;" in sent or b";48;2;" in sent
    assert b"CC BY-NC 2.5" in sent


@pytest.mark.parametrize(
    ("mode", "beginning"),
    [("kitty", b"\x1b_G"), ("iterm2", b"\x1b]1337;File="), ("sixel", b"\x1bP")],
)
def test_the_graphics_protocol_can_be_chosen(reader, mode, beginning):
    assert beginning in reader.shown("12", "--pictures", mode)


@pytest.mark.parametrize(
    ("variables", "beginning"),
    [
        ({"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, b"\x1b_G"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "LC_TERMINAL": "iTerm2"}, b"\x1b]1337;File="),
        ({"TERM": "mlterm"}, b"\x1bP"),
    ],
)
def test_the_graphics_protocol_is_detected(reader, variables, beginning):
    assert beginning in reader.shown("12", **variables)


@pytest.mark.parametrize("width", [88, 89, 90, 91])
def test_vertical_lines_stay_straight(reader, tmp_path, width):
    folder = tmp_path / "edge"
    (folder / "images").mkdir(parents=True)
    picture = Image.new("L", (width, 120), 255)
    picture.paste(0, (0, 0, width // 2, 120))
    picture.save(folder / "images" / "edge.png")
    address = "https://imgs.xkcd.com/comics/edge.png"
    record = {"num": 17, "year": "2026", "month": "1", "day": "1", "title": "Edge", "img": address}
    record |= dict.fromkeys(("link", "news", "safe_title", "transcript", "alt"), "")
    (folder / "comics.jsonl").write_text(json.dumps(record), encoding="utf-8")
    assert reader.run("import", folder).returncode == 0
    sent = reader.shown("17", "--pictures", "kitty").decode()
    columns, rows = map(int, re.search(r"\x1b_G[^;\x1b]*s=(\d+),v=(\d+)", sent).groups())
    pixels = b"".join(map(base64.b64decode, re.findall(r"\x1b_Gm=[01];([^\x1b]*)", sent)))
    assert len(pixels) == columns * rows * 4
    edges = set()
    for row in range(rows):
        greens = pixels[row * columns * 4 + 1 : (row + 1) * columns * 4 : 4]
        edges.add(sum(green < 128 for green in greens))
    assert len(edges) == 1, f"the edge wanders: {sorted(edges)}"


def test_tmux_gets_characters_instead_of_graphics(reader):
    sent = reader.shown("12", TERM="tmux-256color", TMUX="/tmp/tmux-0/default,1,0", KITTY_WINDOW_ID="1")
    assert b"\x1b_G" not in sent
    assert "▀".encode() in sent or "▄".encode() in sent or b"\x1b[48" in sent or b";48;" in sent


def test_no_colours_are_sent_if_no_color_is_set(reader):
    sent = reader.shown("12", NO_COLOR="1", COLORTERM="truecolor")
    assert not re.search(rb"\x1b\[[0-9;]*(?:3[0-9]|4[0-9])(?:;|m)", sent)
    assert b"\x1b[1m" not in sent


def test_a_dumb_terminal_gets_text(reader):
    sent = reader.shown("1", TERM="dumb")
    assert ESCAPE not in sent
    assert b"The box was packed by experts" in sent


@pytest.mark.parametrize("columns", [20, 40, 133])
def test_no_line_is_longer_than_the_columns(reader, columns):
    for arguments in (["1", "--text"], ["1", "--pictures", "symbols"], ["search", "box"]):
        sent = reader.shown(*arguments, columns=200, COLUMNS=str(columns)).decode()
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", sent)
        for line in plain.split("\r\n"):
            assert len(line) <= columns or "https://" in line, (arguments, line)


def test_pictures_can_be_switched_off(reader):
    assert b"The box was packed by experts" in reader.shown("1", "--pictures", "none")


def test_next_and_previous_continue_from_the_last_viewed_comic(reader):
    reader.shown("5", "--text")
    assert b"#6: " in reader.shown("next", "--text")
    assert b"#7: " in reader.shown("next", "--text")
    assert b"#6: " in reader.shown("previous", "--text")
    reader.shown("16", "--text")
    assert b"This was the latest comic" in reader.shown("next", code=1)


def test_comics_count_as_read_only_on_a_terminal(reader):
    reader.run("5")
    assert reader.json("read")["read"] == 0
    reader.shown("5", "--text")
    assert reader.json("read") == {"place": 5, "read": 1, "total": 16}


def test_ctrl_c_ends_a_command_as_shells_expect(reader):
    reader.run("favorite", "add", "12")
    terminal = reader.terminal("import", "-")
    # Until then, the new process is still the test's own program.
    until(lambda: os.readlink(f"/proc/{terminal.process}/exe") == os.path.realpath(reader.program), "the command runs")
    terminal.type("\x03")
    assert terminal.finish() == 130


def test_the_browser_creates_files_with_the_usual_permissions(reader, tmp_path):
    browser = tmp_path / "xdg-open"
    browser.write_text(f"#!/bin/sh\numask >'{tmp_path}/mask'\n", encoding="utf-8")
    browser.chmod(0o755)
    mask = os.umask(0o027)
    try:
        reader.shown("open", "12", DISPLAY=":0", PATH=f"{tmp_path}:{os.environ['PATH']}")
    finally:
        os.umask(mask)
    assert (tmp_path / "mask").read_text(encoding="utf-8").strip() == "0027"


def test_the_picture_fits_the_window(reader):
    sizes = []
    for columns, rows in [(60, 30), (120, 50)]:
        sent = reader.shown("1", "--pictures", "symbols", columns=columns, rows=rows).decode()
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", sent).strip().split("\r\n")
        assert len(lines) <= rows
        sizes.append(len(lines))
    assert sizes[0] < sizes[1]


def test_control_characters_in_a_title_are_removed(reader, tmp_path):
    title = r"Evil \u001b]0;owned\u0007\u009b31m\u202e title"
    record = (
        '{"month": "1", "num": 17, "link": "", "year": "2026", "news": "", "safe_title": "%s", "transcript": "%s", '
        '"alt": "%s", "img": "https://imgs.xkcd.com/comics/a.png", "title": "%s", "day": "1"}' % ((title,) * 4)
    )
    folder = tmp_path / "evil"
    folder.mkdir()
    (folder / "comics.jsonl").write_text(record, encoding="utf-8")
    assert reader.run("import", folder, "--text-only").returncode == 0
    for arguments in (["17"], ["search", "evil"], ["17", "--json"], ["search", "evil", "--json"]):
        for text in (reader.run(*arguments).stdout, reader.shown(*arguments).decode()):
            plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
            assert "vil" in plain
            assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]", plain), (arguments, plain)
