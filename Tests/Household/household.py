# Longbox
# SPDX-License-Identifier: MIT
"""The server of a household, and the clients of its network."""

import http.client
import os
import socket
import ssl
import subprocess
import urllib.parse
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

import programs
from page_acts import PASSPHRASE
from watch import CHROMIUM, DEVICES, TIME_LIMIT

NAME = "books.lan"


class Household:
    """A server that was set up by `longbox setup`, on the host for it."""

    def __init__(self, net, folder):
        self.net, self.folder = net, folder
        self.data, self.port = folder / "data", 8353

    def __enter__(self):
        file = self.folder / "passphrase.txt"
        file.write_text(PASSPHRASE, encoding="utf-8")
        words = ["setup", "--yes", "--passphrase-file", file, "--host-name", NAME]
        # In the server's network, whose addresses the authority may vouch for.
        command = self.net.server.command(programs.binaries() / "longbox", *words)
        settings = programs.environment(LONGBOX_DATA=self.data)
        done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        self.output = done.stdout
        settings = {"LONGBOX_DATA": self.data, "LONGBOX_XKCD_URL": programs.closed_address(), "LONGBOX_FILL": "false"}
        self.server = programs.Program("longbox", "serve", settings=settings)
        self.server.command = self.net.server.command(*self.server.command)
        self.server.__enter__()
        return self

    def __exit__(self, *_):
        self.server.__exit__()

    @property
    def authority(self):
        return self.data / "tls" / "authority.pem"

    @property
    def address(self):
        """The address by name, which stays."""
        return f"https://{NAME}:{self.port}"

    def trusting(self):
        return ssl.create_default_context(cafile=self.authority)

    @contextmanager
    def connection(self, host, is_secure):
        """A connection from a host to the server: an HTTPConnection."""
        with host.inside():
            raw = socket.create_connection((self.net.server.address, self.port), timeout=120)
        if is_secure:
            raw = self.trusting().wrap_socket(raw, server_hostname=NAME)
        connection = http.client.HTTPConnection(NAME, self.port)
        connection.sock = raw
        try:
            yield connection
        finally:
            connection.close()

    def ask(self, host, method, path, fields=None, body=None, is_secure=True):
        """Makes a request from a host: the status, the headers and the body of its response."""
        with self.connection(host, is_secure) as connection:
            connection.request(method, path, body, fields or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def sign_in(self, host, passphrase=PASSPHRASE):
        body = urllib.parse.urlencode({"passphrase": passphrase, "to": "/"})
        fields = {"Origin": self.address, "Content-Type": "application/x-www-form-urlencoded"}
        status, headers, _ = self.ask(host, "POST", "/sign-in", fields, body)
        return status, (headers["Set-Cookie"] or "").partition(";")[0]

    def openssl(self, *words, **options):
        """Runs OpenSSL on the phone's host; the exit status and the output."""
        command = self.net.phone.command("openssl", *words)
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, input="", **options)
        return done.returncode, done.stdout + done.stderr

    def leaf(self):
        """The server's certificate as PEM."""
        with self.net.phone.inside():
            raw = socket.create_connection((self.net.server.address, self.port), timeout=120)
        with self.trusting().wrap_socket(raw, server_hostname=NAME) as secure:
            return ssl.DER_cert_to_PEM_cert(secure.getpeercert(binary_form=True))

    @contextmanager
    def phone(self):
        """Chromium on the phone's host, with a profile that stays; a page."""
        home = self.folder / "phone"
        start = self.folder / "chromium"
        start.write_text(f'#!/bin/sh\nexec {" ".join(self.net.phone.command("/usr/bin/chromium"))} "$@"\n', encoding="utf-8")
        start.chmod(0o755)
        # In place of a name server or multicast DNS.
        names = f"--host-resolver-rules=MAP *.lan {self.net.server.address}, MAP *.example {self.net.server.address}"
        launch = {
            "executable_path": start,
            "args": [*CHROMIUM["args"], names],
            "env": os.environ | {"HOME": str(home)},
            "locale": "en-GB",
        }
        with sync_playwright() as playwright:
            context = playwright.chromium.launch_persistent_context(home / "profile", **launch | DEVICES["phone"])
            context.set_default_timeout(TIME_LIMIT)
            try:
                yield context.pages[0]
            finally:
                context.close()

    def certutil(self, *words):
        database = self.folder / "phone" / ".pki" / "nssdb"
        database.mkdir(parents=True, exist_ok=True)
        subprocess.run(["certutil", "-d", f"sql:{database}", *map(str, words)], check=True)
