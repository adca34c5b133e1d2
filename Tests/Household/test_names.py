# Longbox
# SPDX-License-Identifier: MIT
"""The name longbox.local, which Avahi publishes in the network.

The tests depend on their order.
"""

import re
import ssl
import subprocess
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

import avahi
import network
import programs
from page_acts import PASSPHRASE
from waiting import until

NAME, PORT = "longbox.local", 8353


class Server:
    """Longbox on a host with Avahi, open to the network."""

    def __init__(self, responder, folder):
        self.responder, self.data = responder, folder / "data"
        self.host = responder.host
        file = folder / "passphrase.txt"
        file.write_text(PASSPHRASE, encoding="utf-8")
        command = responder.command(programs.binaries() / "longbox", "setup", "--yes", "--passphrase-file", file)
        settings = programs.environment(LONGBOX_DATA=self.data) | responder.settings
        self.set_up = subprocess.run(command, env=settings, capture_output=True, text=True, check=True, timeout=60).stdout

    def program(self):
        settings = {"LONGBOX_DATA": self.data, "LONGBOX_XKCD_URL": programs.closed_address(), "LONGBOX_FILL": "false"}
        program = programs.Program("longbox", "serve", settings=settings | self.responder.settings)
        program.command = self.responder.command(*program.command)
        return program

    def certificate_error(self, client):
        """Why the server's certificate isn't one for the name and the address; None if it is."""
        context = ssl.create_default_context(cafile=self.data / "tls" / "authority.pem")
        for name in (NAME, self.host.address):
            try:
                with client.inside():
                    connection = HTTPConnection(self.host.address, PORT, timeout=60)
                    connection.connect()
                context.wrap_socket(connection.sock, server_hostname=name).close()
            except ssl.SSLCertVerificationError as error:
                return str(error)
        return None

    def start_page(self, client, name=None):
        """The status and the text of the start page, as a client gets it by a name or by the address."""
        with client.inside():
            connection = HTTPConnection(self.host.address, PORT, timeout=60)
            connection.connect()
        connection.request("GET", "/start", headers={"Host": f"{name or self.host.address}:{PORT}"})
        response = connection.getresponse()
        page = response.read().decode()
        connection.close()
        return response.status, page

    @property
    def publishers(self):
        """The processes that publish a name on its host."""
        found = network.ip("netns", "pids", self.host.name).stdout.split()
        return [number for number in found if command_of(number) == "avahi-publish"]


def command_of(number):
    try:
        return Path(f"/proc/{number}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return None


@pytest.fixture(scope="module")
def net():
    problem = network.problem() or avahi.problem()
    if problem:
        pytest.skip(problem)
    with network.Network("nm") as net:
        yield net


@pytest.fixture(scope="module")
def server(net, tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    with avahi.Avahi(net.server, "box", folder / "avahi") as responder:
        server = Server(responder, folder)
        server.running = server.program().__enter__()
        try:
            yield server
        finally:
            server.running.__exit__()


def until_name_resolves_to(net, *expected):
    """Waits until the network gives these addresses for the name."""
    until(lambda: avahi.addresses(NAME, net.phone) == list(expected), f"{NAME} resolves to {expected or 'nothing'}", timeout=90)


def until_nothing_publishes(server):
    until(lambda: server.publishers == [], "nothing publishes the name", timeout=90)


def until_one_publishes(server):
    until(lambda: len(server.publishers) == 1, "one process publishes the name", timeout=90)


@contextmanager
def neighbour(net, folder):
    """Another Longbox in the network."""
    with avahi.Avahi(net.stranger, "neighbour", folder / "avahi") as responder:
        server = Server(responder, folder)
        with server.program() as running:
            server.running = running
            yield server


def test_other_devices_find_longbox_by_its_name(net, server):
    until_name_resolves_to(net, net.server.address)
    assert server.certificate_error(net.phone) is None


def test_name_address_and_qr_code_are_shown_together(net, server):
    assert f"http://{NAME}:{PORT}/start" in server.set_up
    assert f"http://{net.server.address}:{PORT}/start" in server.set_up
    assert re.search("[▀▄█]{10}", server.set_up), "there is no QR code"
    status, page = server.start_page(net.phone, NAME)
    assert status == 200
    assert f"https://{NAME}:{PORT}" in page
    assert f"https://{net.server.address}:{PORT}" in page
    assert "QR code of this page" in page


def test_another_longbox_does_not_take_the_name(net, server, tmp_path):
    with neighbour(net, tmp_path) as other:
        assert f"Another machine in your network has the name {NAME}" in other.set_up
        assert f"http://{NAME}:{PORT}/start" not in other.set_up
        sentence = "Another machine in the network is longbox.local."
        until(lambda: sentence in other.running.logged(), "the log says that the name is taken", timeout=90)
        assert other.running.logged().count(NAME) == 1
        until_nothing_publishes(other)
        status, page = other.start_page(net.phone)
        assert status == 200 and f"https://{net.stranger.address}:{PORT}" in page
        assert f"https://{NAME}:{PORT}" not in page
        until_name_resolves_to(net, net.server.address)
        until_one_publishes(server)


def test_the_name_follows_a_changed_address(net, server):
    net.server.move(52)
    # The server looks at its addresses every half minute.
    until_name_resolves_to(net, net.server.address)
    until(lambda: server.certificate_error(net.phone) is None, "the certificate has the new address", timeout=90)
    until_one_publishes(server)
    assert f"https://{net.server.address}:{PORT}" in server.start_page(net.phone, NAME)[1]


def test_the_name_is_published_again_after_avahi_restarts(net, server):
    server.responder.restart()
    until_name_resolves_to(net, net.server.address)


def test_the_name_disappears_when_the_server_is_killed(net, server):
    until_one_publishes(server)
    server.running.kill()
    until_nothing_publishes(server)
    until_name_resolves_to(net)
    with server.program():
        until_name_resolves_to(net, net.server.address)
    until_nothing_publishes(server)
    until_name_resolves_to(net)
