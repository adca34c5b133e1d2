# Longbox
# SPDX-License-Identifier: MIT
"""Sources that hang, at every stage of a request: stored pages don't wait, others say why, and it all comes later."""

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

# Addresses that need a source.
ASKING = {
    "xkcd": "/50/",
    "imgs": "/comics/7/image",
    "explain": "/9/explanation",
    "itunes": "/albums?artist=The+Paper+Lanterns",
    "wikipedia": "/albums/9102?country=us",
    "artwork": "/albums/9102/cover",
}
STORED_PAGES = [f"/{number}/" for number in range(1, 41)]
# The longest that a page and a picture may wait for a source, in seconds, with slack for a busy machine.
LONGEST_PAGE = 20
LONGEST_PICTURE = 40
# A page that waits for a source takes at least six seconds.
NOT_WAITING = 5


class Wire:
    """Connections to a source, which can stop before they are made."""

    def __init__(self, target):
        self.target = urlsplit(target)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1)
        self.place = self.listener.getsockname()
        self.address = f"http://127.0.0.1:{self.place[1]}"
        self.fillers = []

    def stop(self):
        """Fills the queue of connections, so that further ones hang."""
        for _ in range(8):
            filler = socket.socket()
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(self.place)
            self.fillers.append(filler)

    def go_on(self):
        """Passes everything on from now."""
        for filler in self.fillers:
            filler.close()
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self):
        self.listener.close()

    def _listen(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection((self.target.hostname, self.target.port))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    @staticmethod
    def _pass_on(one, other):
        with contextlib.suppress(OSError):
            while part := one.recv(65536):
                other.sendall(part)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_WR)


class Connecting:
    """No connection is made."""

    def __init__(self, source):
        self.wire = Wire(source.address)
        self.address = self.wire.address

    def begin(self):
        self.wire.stop()

    def end(self):
        self.wire.go_on()


class Answering:
    """A connection is made, and a fault of the stand-in comes then."""

    def __init__(self, source, **fault):
        self.source = source
        self.address = source.address
        self.fault = fault

    def begin(self):
        for name in ASKING:
            control(self.source, "faults", self.fault | {"source": name})

    def end(self):
        control(self.source, "faults", method="DELETE")


STAGES = {
    "connection": Connecting,
    "head": lambda source: Answering(source, kind="delay", delay=600_000),
    "body": lambda source: Answering(source, kind="drip", bytesPerSecond=1),
}


def ask(address, path):
    """The answer to a reader within the longest wait for a picture; None if there is none."""
    try:
        return Reader(address, timeout=LONGEST_PICTURE).get(path)
    except TimeoutError:
        return None


@pytest.mark.parametrize("stage", STAGES)
def test_sources_that_hang(stored_texts, tmp_path, source, stage):
    data = shutil.copytree(stored_texts, tmp_path / "data")
    hang = STAGES[stage](source)
    hang.begin()
    with faults.server(data, hang.address) as server, ThreadPoolExecutor(len(ASKING) + 1) as threads:
        reader = Reader(server.address)
        assert reader.like(1).status == 303
        asked = {name: threads.submit(ask, server.address, path) for name, path in ASKING.items()}
        times = threads.submit(
            clients.load_pages, server.address, lambda: all(one.done() for one in asked.values()), STORED_PAGES
        )
        answers = {name: answer.result(timeout=60) for name, answer in asked.items()}
        for name, answer in answers.items():
            print(f"{stage}, {name}:", f"{answer.status} after {answer.seconds:.1f} s" if answer else "no answer")
        print(f"{stage}, stored pages: {len(times.result())}, at most {max(times.result()):.2f} s")
        # The first one may wait for the size of its picture.
        assert max(times.result()) < LONGEST_PAGE and statistics.median(times.result()) < NOT_WAITING
        for name, answer in answers.items():
            assert answer and answer.status in (200, 404, 502, 503, 504) and answer.body, name
            assert answer.seconds < LONGEST_PAGE or answer.headers["Content-Type"].startswith("image/"), name
        assert reader.like(2).status == 303
        hang.end()
        began = time.monotonic()
        for name in ("imgs", "xkcd", "explain"):
            faults.until_it_answers(reader, ASKING[name], timeout=90)
        until_answered(lambda: "/albums/artists/9001" in reader.get(ASKING["itunes"]).text, "the artist is found", timeout=90)
        print(f"{stage}: all came {time.monotonic() - began:.1f} s later")
        reader.has_lost_nothing()
    faults.assert_sound(data)
