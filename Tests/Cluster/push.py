# Longbox
# SPDX-License-Identifier: MIT
"""A push service that counts messages, and can do something when it has got a number of them."""

import asyncio
import re
import threading
from collections import Counter

from cryptography.hazmat.primitives.asymmetric import ec

from push_service import POINT

LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
TOPIC = re.compile(rb"(?i)\r\ntopic: *(\S+)")
# The public key of all subscribers: the messages are never decrypted.
SUBSCRIBER = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(*POINT)
ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


class Push:
    """The service on a host, as a context manager; `messages` counts (subscriber, topic)."""

    def __init__(self, host):
        self.host = host
        self.messages = Counter()
        self._lock = threading.Lock()
        self.count = 0
        # (count, action): the action runs when that many messages have come, and the last one gets no answer.
        self.trap = None

    def __enter__(self):
        self._loop = asyncio.new_event_loop()
        with self.host.inside():
            self._server = self._loop.run_until_complete(
                self._loop.create_server(lambda: Conversation(self), self.host.address, 0, backlog=512)
            )
        self.address = f"http://{self.host.address}:{self._server.sockets[0].getsockname()[1]}"
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def counts(self):
        """How often each message has come so far, by (subscriber, topic)."""
        with self._lock:
            return dict(self.messages)

    def take(self, path, head):
        """Counts a message; returns whether to answer."""
        topic = TOPIC.search(head)
        with self._lock:
            self.messages[path.rpartition(b"/")[2].decode(), topic.group(1).decode() if topic else ""] += 1
        self.count += 1
        if self.trap and self.count >= self.trap[0]:
            action, self.trap = self.trap[1], None
            action()
            return False
        return True


class Conversation(asyncio.Protocol):
    """A connection over which messages come."""

    def __init__(self, service):
        self.service = service
        self.buffer = bytearray()

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.buffer[:end])
            whole = end + 4 + int(LENGTH.search(head).group(1))
            if len(self.buffer) < whole:
                return
            del self.buffer[:whole]
            if self.service.take(head.split(b" ", 2)[1], head):
                self.transport.write(ANSWER)
