# Longbox
# SPDX-License-Identifier: MIT
"""Sources that hang, at every stage of a request: stored pages don't wait, others say why, and everything arrives later."""

import contextlib
import shutil
import socket
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

import clients
import faults
from readers import Reader
from sources import control
from waiting import until_answered

# An address that needs the source, for each source.
ADDRESSES = {
    "xkcd": "/50/",
    "imgs": "/comics/7/image",
    "explain": "/9/explanation",
    "itunes": "/albums?artist=The+Paper+Lanterns",
    "wikipedia": "/albums/9102?country=us",
    "artwork": "/albums/9102/cover",
}
STORED_PAGES = [f"/{number}/" for number in range(1, 41)]
# In seconds, only to detect that nothing answers: a page waits for a source for at most 12 seconds, a picture for 25.
LONGEST = 60
# The first byte of a TLS handshake (RFC 8446, section 5.1).
HANDSHAKE = b"\x16"
# A page that waits for a source takes at least six seconds.
NOT_WAITING = 5


class Forwarder:
    """Forwards connections to a source; before that, it can leave connections waiting to be made."""

    def __init__(self, target):
        self.target = urlsplit(target)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1)
        self.endpoint = self.listener.getsockname()
        self.address = f"http://127.0.0.1:{self.endpoint[1]}"
        self.fillers = []

    def hang(self):
        """Fills the queue of connections, so that further ones hang."""
        for _ in range(8):
            filler = socket.socket()
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(self.endpoint)
            self.fillers.append(filler)

    def forward(self):
        """Forwards everything from now on."""
        for filler in self.fillers:
            filler.close()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection((self.target.hostname, self.target.port))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._forward_bytes, args=(one, other), daemon=True).start()

    @staticmethod
    def _forward_bytes(one, other):
        with contextlib.suppress(OSError):
            while part := one.recv(65536):
                other.sendall(part)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_WR)


class HangingConnections:
    """No connection is made."""

    def __init__(self, source):
        self.forwarder = Forwarder(source.address)
        self.address = self.forwarder.address

    def begin(self):
        self.forwarder.hang()

    def end(self):
        self.forwarder.forward()


class HangingResponses:
    """Connections are made, and `longbox-replay` delays its responses."""

    def __init__(self, source, **fault):
        self.source = source
        self.address = source.address
        self.fault = fault

    def begin(self):
        for name in ADDRESSES:
            control(self.source, "faults", self.fault | {"source": name})

    def end(self):
        control(self.source, "faults", method="DELETE")


STAGES = {
    "connection": HangingConnections,
    "head": lambda source: HangingResponses(source, kind="delay", delay=600_000),
    "body": lambda source: HangingResponses(source, kind="drip", bytesPerSecond=1),
}


def ask(address, path):
    """What a reader gets; None if nothing comes."""
    try:
        return Reader(address, timeout=LONGEST).get(path)
    except TimeoutError:
        return None


def assert_stored_pages_do_not_wait(reader, stage):
    """Asks for something of each source, which hangs, and reads stored pages in the meantime."""
    assert reader.like(1).status == 303
    with ThreadPoolExecutor(len(ADDRESSES) + 1) as threads:
        asked = {name: threads.submit(ask, reader.address, path) for name, path in ADDRESSES.items()}
        times = threads.submit(
            clients.load_pages, reader.address, lambda: all(one.done() for one in asked.values()), STORED_PAGES
        )
        answers = {name: answer.result() for name, answer in asked.items()}
        for name, answer in answers.items():
            print(f"{stage}, {name}:", f"{answer.status} after {answer.seconds:.1f} s" if answer else "no answer")
        print(f"{stage}, stored pages: {len(times.result())}, at most {max(times.result()):.2f} s")
        # The first one may wait for the size of its picture.
        assert max(times.result()) < LONGEST and statistics.median(times.result()) < NOT_WAITING
        for name, answer in answers.items():
            assert answer and answer.status in (200, 404, 502, 503, 504) and answer.body, name
            assert answer.seconds < LONGEST, name
    assert reader.like(2).status == 303


def assert_everything_arrives(reader, stage):
    """Waits until the sources' comics, explanations and albums arrive, and checks the reader's changes."""
    began = time.monotonic()
    for name in ("imgs", "xkcd", "explain"):
        faults.until_served(reader, ADDRESSES[name], timeout=90)
    until_answered(lambda: "/albums/artists/9001" in reader.get(ADDRESSES["itunes"]).text, "the artist is found", timeout=90)
    print(f"{stage}: everything arrived {time.monotonic() - began:.1f} s later")
    reader.assert_nothing_is_lost()


@pytest.mark.parametrize("stage", STAGES)
def test_hanging_sources_do_not_delay_stored_pages(stored_texts, tmp_path, source, stage):
    data = shutil.copytree(stored_texts, tmp_path / "data")
    hang = STAGES[stage](source)
    hang.begin()
    with faults.server(data, hang.address) as server:
        reader = Reader(server.address)
        assert_stored_pages_do_not_wait(reader, stage)
        hang.end()
        assert_everything_arrives(reader, stage)
    faults.assert_sound(data)


def test_a_tls_handshake_without_an_answer_does_not_delay_stored_pages(stored_texts, tmp_path, source):
    data = shutil.copytree(stored_texts, tmp_path / "data")
    # The system accepts connections for it.
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        address = f"https://127.0.0.1:{silent.getsockname()[1]}"
        with faults.server(data, address) as server:
            reader = Reader(server.address)
            assert_stored_pages_do_not_wait(reader, "TLS")
            silent.settimeout(LONGEST)
            with silent.accept()[0] as connection:
                assert connection.recv(1) == HANDSHAKE, "the server has begun no handshake"
    # It would need a trusted certificate to answer, so the sources come back at another address.
    with faults.server(data, source.address) as server:
        reader.address = server.address
        assert_everything_arrives(reader, "TLS")
    faults.assert_sound(data)
