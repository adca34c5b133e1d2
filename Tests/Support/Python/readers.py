# Longbox
# SPDX-License-Identifier: MIT
"""A reader without a browser, with a list of the changes that the server has acknowledged."""

import http.client
import itertools
import json
import time
import urllib.parse
from dataclasses import dataclass
from urllib.parse import urlsplit

import sync_messages

FORM = "application/x-www-form-urlencoded"


def comic_numbers(first=1):
    """The numbers of comics from `first` on; there is no comic 404."""
    return (number for number in itertools.count(first) if number != 404)


@dataclass
class Response:
    """The answer to a request; redirects are not followed."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes
    seconds: float

    @property
    def text(self):
        return self.body.decode(errors="replace")


class Reader:
    """Sends requests with the cookie that the server gave; each on a connection of its own."""

    def __init__(self, address, cookie=None, timeout=30):
        self.address = address
        self.cookie = cookie
        self.timeout = timeout
        # The favorites that the server has confirmed, and all that were sent.
        self.acknowledged = set()
        self.tried = set()

    def send(self, method, path, body=None, kind=None):
        """Sends a request; raises OSError or HTTPException if no answer comes."""
        headers = {"Connection": "close"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if method == "POST":
            headers |= {"Origin": self.address, "Content-Type": kind}
        begin = time.monotonic()
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=self.timeout)
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            answer = Response(reply.status, reply.headers, reply.read(), time.monotonic() - begin)
        finally:
            connection.close()
        if given := answer.headers.get("Set-Cookie"):
            self.cookie = given.split(";")[0]
        return answer

    def get(self, path):
        return self.send("GET", path)

    def form(self, path, **fields):
        return self.send("POST", path, urllib.parse.urlencode(fields), FORM)

    def like(self, number):
        """Makes a comic a favorite by a form."""
        self.tried.add(number)
        answer = self.form("/favorites/set", comic=number, on="yes")
        if answer.status == 303:
            self.acknowledged.add(number)
        return answer

    def sync(self, number, at=None):
        """Makes a comic a favorite by a device's sync; `at` is the device's time in milliseconds."""
        self.tried.add(number)
        now = int(time.time() * 1000) if at is None else at
        entries = {b"favorite/comic/%d" % number: sync_messages.favorite(now)}
        answer = self.send("POST", "/sync", sync_messages.request(entries, now), "application/octet-stream")
        if answer.status == 200:
            self.acknowledged.add(number)
        return answer

    def upload(self, document):
        """Imports a document in the form of an export."""
        numbers = {favorite["num"] for favorite in document["favorites"]}
        self.tried |= numbers
        boundary = "----------------------------longbox"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
        body = f"{head}{json.dumps(document)}\r\n--{boundary}--\r\n".encode()
        answer = self.send("POST", "/settings/import", body, f"multipart/form-data; boundary={boundary}")
        if answer.status == 200:
            self.acknowledged |= numbers
        return answer

    def favorites(self):
        """The favorites that the server has."""
        answer = self.get("/settings/export")
        assert answer.status == 200, answer.text
        return self.favorites_in(answer)

    @staticmethod
    def favorites_in(export):
        """The favorites in the answer with an export."""
        return {favorite["num"] for favorite in json.loads(export.body)["favorites"]}

    def assert_nothing_is_lost(self):
        """Checks that all acknowledged favorites are there, and no others than those it sent."""
        self.assert_right(self.favorites())

    def assert_right(self, found):
        """Checks favorites that the server has shown: all acknowledged ones, and no others than those it sent."""
        assert not self.acknowledged - found, f"lost: {sorted(self.acknowledged - found)}"
        assert not found - self.tried, f"never sent: {sorted(found - self.tried)}"
