# Longbox
# SPDX-License-Identifier: MIT
"""Opening Longbox to the network from a page, on the machine that runs it."""

import re
import socket
import ssl
import urllib.parse
from http.client import HTTPResponse

import pytest
from playwright.sync_api import expect

import programs
from http_requests import ask
from page_acts import PASSPHRASE
from waiting import until_answered


@pytest.fixture
def machine(upstream, tmp_path):
    """A server before its set-up; its settings come from its data folder."""
    settings = {"LONGBOX_DATA": tmp_path, "LONGBOX_PORT": 0, "LONGBOX_XKCD_URL": upstream, "LONGBOX_FILL": "false"}
    with programs.Program("longbox", "serve", settings=settings) as server:
        server.data = tmp_path
        server.port = int(server.address.rsplit(":", 1)[1])
        yield server


def asked(port, path, fields=None, place="127.0.0.1"):
    return ask(f"http://{place}:{port}{path}", headers=fields)


def set_up(port, passphrase=PASSPHRASE, again=None, names="", base_path="", **fields):
    words = {"passphrase": passphrase, "again": passphrase if again is None else again, "names": names}
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{port}"}
    # As all browsers do.
    kind["Connection"] = "keep-alive"
    return ask(f"http://127.0.0.1:{port}{base_path}/settings/phone", "POST", urllib.parse.urlencode(words), kind | fields)


def session_of(answer):
    """The cookie by which the browser that set the passphrase is signed in."""
    return {"Cookie": answer[1]["Set-Cookie"].partition(";")[0]}


@pytest.mark.parametrize("scripts", [True, False])
def test_the_setup_page_opens_longbox_to_the_network(open_page, machine, axe, keep_picture, scripts):
    page = open_page(machine.address + "/settings", java_script_enabled=scripts)
    page.get_by_role("link", name="Use Longbox on your phone").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Use Longbox on your phone")
    if scripts:
        axe(page)
        keep_picture(page, "setup-form", full_page=True)
    page.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    page.get_by_label("Repeat the passphrase").fill(PASSPHRASE)
    page.get_by_label("Other names of this machine").fill("Books.lan")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="Add a phone")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(f"https://books.lan:{machine.port}")
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}"))
    if scripts:
        axe(page)
        keep_picture(page, "setup-ready", full_page=True)
    assert (machine.data / "longbox.yaml").stat().st_mode & 0o777 == 0o600
    # Others need HTTPS and must sign in; this browser has a session.
    status, headers, _ = asked(machine.port, "/1/", place="127.0.0.2")
    assert (status, headers["Location"]) == (307, f"https://127.0.0.2:{machine.port}/1/")
    trusting = ssl.create_default_context(cafile=machine.data / "tls" / "authority.pem")
    body = urllib.parse.urlencode({"passphrase": PASSPHRASE, "to": "/1/"})
    secure = f"https://localhost:{machine.port}"
    status, headers, _ = ask(f"{secure}/sign-in", "POST", body, {"Origin": secure}, context=trusting)
    assert status == 303 and headers["Set-Cookie"].startswith("__Host-longbox-session=")
    page.get_by_role("link", name="Back to Settings").click()
    expect(page.get_by_role("link", name="Devices and access keys")).to_be_visible()
    page.get_by_role("link", name="Use Longbox on your phone").click()
    expect(page.get_by_role("heading", name="Add a phone")).to_be_visible()


def test_the_setup_remains_after_a_restart(machine, upstream):
    done = set_up(machine.port)
    assert done[0] == 303
    session = session_of(done)
    programs.end(machine.process)
    settings = machine.settings
    with programs.Program("longbox", "serve", settings=settings) as again:
        port = int(again.address.rsplit(":", 1)[1])
        assert asked(port, "/1/", place="127.0.0.2")[0] == 307
        status, _, page = asked(port, "/settings/phone", session)
        assert status == 200 and "Add a phone" in page
        assert asked(port, "/settings/phone")[0] == 401


def test_the_shown_addresses_include_the_base_path(upstream, tmp_path):
    settings = {"LONGBOX_DATA": tmp_path, "LONGBOX_PORT": 0, "LONGBOX_XKCD_URL": upstream, "LONGBOX_FILL": "false"}
    with programs.Program("longbox", "serve", settings=settings | {"LONGBOX_BASE_PATH": "/longbox"}) as server:
        port = urllib.parse.urlsplit(server.address).port
        answer = set_up(port, names="books.lan", base_path="/longbox")
        assert answer[1]["Location"] == "/longbox/settings/phone"
        page = asked(port, "/longbox/settings/phone", session_of(answer))[2]
        assert f"https://books.lan:{port}/longbox<" in page
        start = re.search(rf"http://[^/<]+:{port}/longbox/start<", page)
        assert start, "the code leads elsewhere"
        assert asked(port, "/longbox/start", place="127.0.0.2")[0] == 200


def test_only_this_machine_can_open_the_setup(machine):
    port = machine.port
    for fields in ({"X-Forwarded-For": "10.0.0.1"}, {"Forwarded": "for=10.0.0.1"}, {"Via": "1.1 proxy"}):
        assert asked(port, "/settings/phone", fields)[0] == 404, fields
        assert set_up(port, **fields)[0] == 404, fields
    name = socket.gethostname().split(".")[0] + ".local"
    assert asked(port, "/settings/phone", {"Host": f"{name}:{port}"})[0] == 404
    assert set_up(port, Host=f"{name}:{port}", Origin=f"http://{name}:{port}")[0] == 404
    assert set_up(port, Origin="http://evil.example")[0] == 403
    status, _, text = set_up(port, Connection="close")
    assert status == 403 and "longbox setup" in text
    assert not (machine.data / "longbox.yaml").exists()
    assert asked(port, "/settings/phone")[0] == 200
    # After the setup, other machines still can't open it.
    assert set_up(port)[0] == 303
    assert asked(port, "/settings/phone", {"X-Forwarded-For": "10.0.0.1"})[0] in (307, 401)
    assert asked(port, "/settings/phone", place="127.0.0.2")[0] == 307


def test_invalid_input_is_reported_and_changes_nothing(machine):
    port = machine.port
    for words, problem in (
        ({"passphrase": "short"}, "The passphrase is too short"),
        ({"again": "four other words here"}, "The two passphrases differ"),
        ({"names": "books.lan, not_a_name"}, "“not_a_name” can’t be the name of a machine"),
    ):
        status, _, page = set_up(port, **words)
        assert status == 400 and problem in page, words
    assert 'value="books.lan, not_a_name"' in page
    assert not (machine.data / "longbox.yaml").exists()
    with socket.create_server(("127.0.0.3", port)):
        status, _, page = answer = set_up(port)
        assert status == 400 and "another program listens there" in page
    # The passphrase is set, so being on this machine no longer suffices.
    session = session_of(answer)
    assert asked(port, "/settings/phone")[0] == 401
    status, _, page = asked(port, "/settings/phone", session)
    assert status == 200 and "Your household has a passphrase already" in page
    assert set_up(port, passphrase="", **session)[0] == 303
    assert asked(port, "/1/", place="127.0.0.2")[0] == 307


def test_a_setting_that_prevents_network_access_is_named(upstream, tmp_path):
    settings = {"LONGBOX_DATA": tmp_path, "LONGBOX_HOST": "127.0.0.1", "LONGBOX_PORT": 0, "LONGBOX_XKCD_URL": upstream}
    with programs.Program("longbox", "serve", settings=settings) as server:
        port = int(server.address.rsplit(":", 1)[1])
        status, _, page = set_up(port)
        assert status == 400 and "LONGBOX_HOST" in page
        # The passphrase counts at once.
        assert asked(port, "/settings/phone")[0] == 401


def test_a_request_in_progress_is_answered_during_the_setup(machine):
    """A form that arrives slowly is still received at the old listener."""
    file = machine.data / "passphrase.txt"
    file.write_text(PASSPHRASE, encoding="utf-8")
    # Set first, because hashing it takes as long as the form may.
    assert programs.longbox("passphrase", "--passphrase-file", file, data=machine.data).returncode == 0
    until_answered(lambda: asked(machine.port, "/1/")[0] == 401, "the server asks to sign in")
    words = urllib.parse.urlencode({"passphrase": PASSPHRASE, "to": "/1/"})
    here = f"http://127.0.0.1:{machine.port}"
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": here}
    session = session_of(ask(f"{here}/sign-in", "POST", words, kind))
    slow = socket.create_connection(("127.0.0.1", machine.port), timeout=60)
    first = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{machine.port}\r\n\r\n"
    head = f"POST /settings/set HTTP/1.1\r\nHost: 127.0.0.1:{machine.port}\r\nOrigin: http://127.0.0.1:{machine.port}\r\n"
    body = b"alt=always&back=/settings"
    head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    head += f"Cookie: {session['Cookie']}\r\n\r\n"
    # In one write: when the first request is answered, the server has read the head of the form, too.
    slow.sendall((first + head).encode() + body[:5])
    response = HTTPResponse(slow)
    response.begin()
    response.read()
    assert set_up(machine.port, **session)[0] == 303
    slow.sendall(body[5:])
    assert b"HTTP/1.1 303" in slow.recv(4096)
    slow.close()
