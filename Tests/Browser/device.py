# Longbox
# SPDX-License-Identifier: MIT
"""Longbox on the device: messages for its native twin, and a browser in which its service worker answers."""

import json
import struct
import subprocess
import time
from contextlib import contextmanager

import programs
from watch import DEVICES, Watch

# The finder's operations; opening and adding are the device's, too.
FIND, EXPLAIN = 3, 4
# The only one of the albums.
ALBUMS = 1
OPEN, ADD, BEGIN, LOAD, SAVE, RESPOND, REQUEST, RECEIVE, FACTS, PICTURES = range(1, 11)


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(value)) + value


def question(path, query="", form=None, chance=0, now=1_780_000_000_000, is_offline=False, unavailable=(), found=b"",
             shelved=()):
    """The message by which a page is asked for, or a form sent; see docs/device.md."""
    flags = (form is not None) | is_offline << 1
    head = struct.pack("<BQQ", flags, chance, now)
    texts = b"".join(map(text, [path, query, form or "", "assets", "1.0"]))
    lacking = struct.pack(f"<I{len(unavailable)}I", len(unavailable), *unavailable)
    return RESPOND, head + texts + lacking + text(found) + shelf(shelved)


def albums_question(path, library, form=None, chance=0, now=1_780_000_000_000, is_offline=False, artist=("", ""), page=("", ""), albums=()):
    """The message by which a page about albums is asked for, or a quiz is played; albums as (id, name, titles). See docs/device.md."""
    flags = (form is not None) | is_offline << 1
    path, _, query = path.partition("?")
    head = struct.pack("<BQQ", flags, chance, now)
    texts = b"".join(map(text, [path, query, form or "", "assets", "1.0", library, *artist, *page]))
    rows = [
        text(number) + text(name) + struct.pack("<I", len(titles)) + b"".join(map(text, titles)) for number, name, titles in albums
    ]
    return ALBUMS, head + texts + struct.pack("<I", len(rows)) + b"".join(rows)


def shelf(explanations):
    """The beginnings of explanations as (comic, HTML)."""
    parts = [struct.pack("<I", comic) + text(html) for comic, html in explanations]
    return struct.pack("<I", len(parts)) + b"".join(parts)


def varint(number):
    """A number, seven bits a byte, the lowest first."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def search(words, is_deep=True, is_typing=False, offset=0, limit=25, favorites=b"", read=b""):
    """The message by which the finder is asked; see docs/search.md."""
    words = words if isinstance(words, bytes) else words.encode()
    blocks = b"".join(varint(len(block)) + block for block in (words, favorites, read))
    return FIND, bytes([is_deep | is_typing << 1]) + varint(offset) + varint(limit) + blocks


def frames(messages):
    """Messages as the native program reads them."""
    return b"".join(struct.pack("<BI", operation, len(message)) + message for operation, message in messages)


def native_replies(messages, program="LongboxDevice"):
    """What the native program answers to each message; None where it could not."""
    said = subprocess.run(
        [programs.binaries() / program], input=frames(messages), capture_output=True, check=True, timeout=600
    ).stdout
    replies, place = [], 0
    while place < len(said):
        done, length = struct.unpack_from("<BI", said, place)
        replies.append(said[place + 5 : place + 5 + length] if done else None)
        place += 5 + length
    return replies


TAKEN_OVER = """navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ?? new Promise(
  resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })))"""


def when_explained(site, count):
    """The address of a server, as soon as so many explanations are searched there."""
    for _ in range(3_000):
        if json.loads(programs.get(f"{site}/device.json")[2])["explanations"]["indexed"] == count:
            return site
        time.sleep(0.1)
    raise RuntimeError("The explanations are not indexed.")


class App:
    """A browser in which Longbox is installed: `page` is a page of it."""

    def __init__(self, context, site):
        self.context = context
        self.site = site
        self.page = context.new_page()
        self.watch = Watch(self.page)
        self._tools = None

    def install(self, path="/"):
        """Loads a page as a reader's first one, and waits until the worker has taken over."""
        self.page.goto(self.site + path)
        self.page.evaluate(TAKEN_OVER)
        return self

    def open(self, path, status=200):
        """Opens a page, which the worker must answer."""
        reply = self.page.goto(self.site + path)
        assert reply.status == status, f"{path} answered {reply.status}"
        assert reply.from_service_worker, f"{path} was not answered on the device"
        return self.page

    def stop_worker(self):
        """Stops the service worker, as a browser does whenever it likes."""
        if self._tools is None:
            self._tools = self.context.new_cdp_session(self.page)
            self._tools.send("ServiceWorker.enable")
        self._tools.send("ServiceWorker.stopAllWorkers")

    def set_offline(self, is_offline):
        self.context.set_offline(is_offline)

    def in_worker(self, script):
        """Runs a script in the service worker."""
        worker = self.context.service_workers[0]
        return worker.evaluate(script)


@contextmanager
def app(browser, site, device="phone", **options):
    """Longbox in a new browser profile, not installed yet; fails at its end if a page complained."""
    context = browser.new_context(**DEVICES[device] | {"locale": "en-GB"} | options)
    try:
        app = App(context, site)
        yield app
        assert not app.watch.complaints, "\n".join(app.watch.complaints)
    finally:
        context.close()
