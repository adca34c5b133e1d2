# Longbox
# SPDX-License-Identifier: MIT
"""Only requests for a name of this server are answered, so that no page of another site can read from it."""

import socket

import pytest

import clients
import programs


def ask(address, *fields):
    """Asks for a page with these header fields; returns the status and the whole response."""
    lines = "".join(f"{field}\r\n" for field in fields)
    reply = clients.exchange(address, f"GET /1/ HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
    return int(reply.split()[1]), reply.decode()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    settings = {"LONGBOX_HOST_NAMES": "comics.example.org, nas"}
    with programs.server(tmp_path_factory.mktemp("data"), programs.closed_address(), **settings) as server:
        yield server


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost:8353", "a.localhost", "localhost.", "127.0.0.1", "[::1]:8353", "192.168.1.2", "nas"]
    + ["[fe80::1%25eth0]:8353", "comics.example.org:443", socket.gethostname(), f"{socket.gethostname().split('.')[0]}.local"],
)
def test_requests_for_its_own_names_are_answered(site, host):
    assert ask(site.address, f"Host: {host}")[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a@localhost"])
def test_requests_for_other_names_are_rejected(site, host):
    code, reply = ask(site.address, f"Host: {host}")
    assert code == 421
    assert "LONGBOX_HOST_NAMES" in reply


def test_a_refused_name_is_in_the_reply_and_the_log_and_counted_by_doctor(tmp_path):
    with programs.server(tmp_path, programs.closed_address(), LONGBOX_HOST_NAMES="nas") as server:
        _, reply = ask(server.address, "Host: Books.lan:8353")
        assert "“books.lan”" in reply and "\n    LONGBOX_HOST_NAMES=books.lan\n" in reply
        assert "books.lan" in server.logged()
        _, reply = ask(server.address, "Host: <script>alert</script>")
        assert "alert" not in reply
        assert ask(server.address, "Host: Books.lan:8353")[0] == 421
        found = programs.longbox("doctor", data=tmp_path, LONGBOX_HOST_NAMES="nas", **programs.no_sources()).stdout
        assert "warning  Names: 3 requests were refused since the server started" in found
        assert "LONGBOX_HOST_NAMES=nas,books.lan" in found


@pytest.mark.parametrize(
    "fields",
    [[], ["Host:"], ["Host: localhost", "Host: localhost"], ["Host: localhost", "host: evil.example"]],
    ids=["none", "empty", "twice", "two"],
)
def test_a_request_without_exactly_one_host_is_rejected(site, fields):
    assert ask(site.address, *fields)[0] == 400


def test_requests_for_other_names_are_logged_once(site):
    for number in range(20):
        assert ask(site.address, f"Host: evil{number}.example")[0] == 421
    assert site.logged().count("LONGBOX_HOST_NAMES") == 1


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_name_cannot_send_control_characters_to_the_log(tmp_path, form):
    with programs.server(tmp_path, programs.closed_address(), LONGBOX_LOG_FORMAT=form) as server:
        assert ask(server.address, "Host: evil\u009b31m.example")[0] == 421
        assert "\u009b" not in server.logged()
        assert "evil\\u009b31m.example" in server.logged()


def test_host_names_can_be_given_on_the_command_line(tmp_path):
    server = programs.server(tmp_path, programs.closed_address())
    server.command += ["--host-name", "one.example", "--host-name", "two.example"]
    with server:
        for host in ("one.example", "two.example"):
            assert ask(server.address, f"Host: {host}")[0] == 200


def test_the_server_does_not_start_with_an_invalid_host_name(tmp_path):
    result = programs.longbox("serve", data=tmp_path, LONGBOX_HOST_NAMES="http://comics.example.org")
    assert result.returncode != 0
    assert "LONGBOX_HOST_NAMES" in result.stderr


def test_the_server_does_not_start_with_an_invalid_limit(tmp_path):
    result = programs.longbox("serve", data=tmp_path, LONGBOX_LIMITS_CONNECTIONS_PER_ADDRESS="many")
    assert result.returncode != 0
    assert "LONGBOX_LIMITS_CONNECTIONS_PER_ADDRESS" in result.stderr


def test_the_server_does_not_start_with_unsafe_trusted_proxies(tmp_path):
    for proxy in ("0.0.0.0/0", "::/0", "proxy.example"):
        result = programs.longbox("serve", data=tmp_path, LONGBOX_TRUSTED_PROXIES=f"10.0.0.2, {proxy}")
        assert result.returncode != 0
        assert "LONGBOX_TRUSTED_PROXIES" in result.stderr and proxy in result.stderr
