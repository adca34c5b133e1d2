# Longbox
# SPDX-License-Identifier: MIT
"""Longbox on the device: messages for its native build, and a browser in which its service worker answers."""

import datetime
import json
import struct
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import expect

import programs
from waiting import until
from watch import DEVICES, TIME_LIMIT, WITHOUT_HINTS, Watch

OPEN, ADD, BEGIN, LOAD, SAVE, RESPOND, REQUEST, RECEIVE, FACTS, PICTURES, EXPLANATIONS = range(1, 12)
# The kinds of needs; see docs/device.md.
(
    LATEST, COMIC, PICTURE, EXPLANATION_LEAD, EXPLANATION, SEARCH, ARTISTS, DISCOGRAPHY, ALBUM, QUIZ_ALBUM, STORED_ALBUM, SERVER,
    EXPLANATION_TEXT,
) = range(13)  # fmt: skip
HERE, ABSENT, UNREACHABLE = range(3)


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(value)) + value


def question(
    path, query="", form=None, random=0, now=1_780_000_000_000, is_offline=False, is_ahead=False, loaded=(), base="", shared=""
):
    """The message for a page request or form; `loaded` holds (kind, key, state, value). See docs/device.md."""
    flags = (form is not None) | is_offline << 1 | is_ahead << 2
    head = struct.pack("<BQQ", flags, random, now)
    texts = b"".join(map(text, [path, query, form or "", "assets", "1.0", base, shared]))
    values = b"".join(bytes([kind]) + text(key) + bytes([state]) + text(value) for kind, key, state, value in loaded)
    return head + texts + struct.pack("<I", len(loaded)) + values


def album(number, name, titles, body="<p>Tracks</p>", artist=("", ""), articles=()):
    """An album as a device stores it."""
    texts = b"".join(map(text, [number, name, body, *artist]))
    versions = b"".join(map(text, ["en", *articles])) if articles else b""
    return texts + struct.pack("<I", len(titles)) + b"".join(map(text, titles)) + versions


def needs_in(reply):
    """The needs in a reply, as (kind, key); empty if it is an answer."""
    if reply[0]:
        return []
    needs, place = [], 5
    for _ in range(struct.unpack_from("<I", reply, 1)[0]):
        kind, length = struct.unpack_from("<BI", reply, place)
        place += 5 + length
        needs.append((kind, reply[place - length : place].decode()))
    assert place == len(reply)
    return needs


class Response:
    """An answer, parsed from a reply."""

    def __init__(self, reply):
        kind, self.status, flags, self.viewed, length = struct.unpack_from("<BIBII", reply)
        assert kind == 1
        self.is_library_changed, self.is_elsewhere = bool(flags & 1), bool(flags & 2)
        self.location, self.page = reply[14 : 14 + length].decode(), reply[14 + length :]


class Native:
    """The device as a native program; records its messages and replies."""

    def __init__(self):
        self.messages, self.replies = [], []

    def __enter__(self):
        program = programs.binaries() / "LongboxDevice"
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)

    def perform(self, operation, message=b""):
        """Performs an operation; returns None if it failed."""
        self._process.stdin.write(frame(operation, message))
        self._process.stdin.flush()
        done, length = struct.unpack("<BI", self._process.stdout.read(5))
        reply = self._process.stdout.read(length)
        assert len(reply) == length
        self.messages.append((operation, message))
        self.replies.append(reply if done else None)
        return self.replies[-1]

    def answer(self, address, load=lambda kind, key: (UNREACHABLE, b""), **options):
        """Answers a request; `load` returns a state and a value for each needed kind and key."""
        path, _, query = address.partition("?")
        loaded, asked = [], set()
        for _ in range(6):
            reply = self.perform(RESPOND, question(path, query, loaded=loaded, **options))
            needs = needs_in(reply)
            if not needs:
                return Response(reply)
            assert not asked.intersection(needs), f"{address} asked twice for one of {needs}"
            asked.update(needs)
            loaded += [(*need, *load(*need)) for need in needs]
        raise AssertionError(f"{address} needed more than six rounds: {sorted(asked)}")


def frame(operation, message):
    """A message in the native program's input format."""
    return struct.pack("<BI", operation, len(message)) + message


# In a page: the base path, which the names of caches and databases end with.
BASE = "(document.documentElement.dataset.base ?? '')"

# Whether a comic is missing among the unread ones, as this device answers.
IS_READ = """async (number) => {
  const { base = "" } = document.documentElement.dataset
  const reply = await fetch(`${base}/comics?unread=1`, { headers: { accept: "text/html" } })
  const page = new DOMParser().parseFromString(await reply.text(), "text/html")
  const unread = [...page.querySelectorAll(".year li a")].map((link) => link.getAttribute("href"))
  if (unread.length === 0) throw new Error("no comics are unread")
  return !unread.includes(`${base}/${number}/?in=unread`)
}"""

# What a page hears that the browser has kept in its back/forward cache, which Playwright switches off.
COME_BACK = "() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"

# Tells a page that the library has changed on another device, as the worker does.
NOTIFY = "() => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { kind: 'changed' } }))"

TAKEN_OVER = """navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ?? new Promise(
  resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })))"""

# A page fetches its pictures again by a worker that has just taken over; offline, that would be reported as a failure. A request
# is among the entries once it has ended.
NO_PICTURE_IS_ON_ITS_WAY = """() => !navigator.serviceWorker?.controller
  || [...document.querySelectorAll('.pages > .stage .picture img')].every(({ complete, currentSrc, naturalWidth }) => {
    const entries = performance.getEntriesByName(currentSrc)
    return complete && (naturalWidth <= 1 || entries.length === 0 || entries.some(({ workerStart }) => workerStart > 0))
  })"""


def until_pictures_are_here(page):
    until(lambda: page.evaluate(NO_PICTURE_IS_ON_ITS_WAY), "no picture is on its way", page=page)


def when_explained(site, count):
    """The server's address, once it can search `count` explanations."""

    def indexed():
        return json.loads(programs.get(f"{site}/device.json")[2])["explanations"]["indexed"]

    until(lambda: indexed() == count, "the explanations are indexed", timeout=300)
    return site


def pause_clock(page):
    """Stops a page's clock, and that of the pages it opens: timers and frames wait for `page.clock.run_for`."""
    page.clock.install()
    # Ahead, since the clock goes on until the browser gets this, and can't be set back.
    page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(seconds=10))


def origin(site):
    """The origin of a site, which may be below a path."""
    parts = urlsplit(site)
    return f"{parts.scheme}://{parts.netloc}"


class App:
    """A browser with Longbox installed; `page` is one of its pages."""

    def __init__(self, context, site):
        self.context = context
        self.site = site
        context.set_default_timeout(TIME_LIMIT)
        self.page = context.new_page()
        self.watch = Watch(self.page)
        self._tools = None
        self._has_clock = False

    def use_clock(self):
        """From now on `page.clock` can let time pass; otherwise it goes as ever."""
        if not self._has_clock:
            self.page.clock.install()
        self._has_clock = True

    def pause_clock(self):
        self._has_clock = True
        pause_clock(self.page)

    def let_a_day_pass(self):
        """Sets the clock of the service worker, until that is stopped."""
        self.in_worker("{ const now = Date.now; Date.now = () => now() + 24 * 3_600_000 }")

    def install(self, path="/"):
        """Loads a first page, and waits until the worker has taken over."""
        self.page.goto(self.site + path)
        self.page.evaluate(TAKEN_OVER)
        return self

    def open(self, path, status=200):
        """Opens a page; fails unless the worker answers it."""
        reply = self.page.goto(self.site + path)
        assert reply.status == status, f"{path} answered {reply.status}"
        assert reply.from_service_worker, f"{path} was not answered on the device"
        return self.page

    def is_read(self, number):
        return self.page.evaluate(IS_READ, number)

    def until_read(self, number):
        """Waits until a comic that is in sight counts as read."""
        until(lambda: self.is_read(number), f"comic {number} counts as read", page=self.page)

    def read(self, number):
        """Opens a comic, and lets the two seconds pass that it takes to count as read."""
        self.use_clock()
        self.open(f"/{number}/")
        self.page.clock.run_for(2_000)
        self.until_read(number)

    def download(self, name):
        """Downloads with the button of that name, and waits until it is done."""
        page = self.open("/settings")
        group = page.get_by_role("group", name="Download for offline")
        group.get_by_role("button", name=name, exact=True).click()
        expect(group.get_by_role("status")).to_contain_text(" saved")
        return page

    def stop_worker(self):
        """Stops the service worker, as a browser may at any time."""
        if self._tools is None:
            self._tools = self.context.new_cdp_session(self.page)
            self._tools.send("ServiceWorker.enable")
        self._tools.send("ServiceWorker.stopAllWorkers")

    def set_offline(self, is_offline):
        if is_offline:
            until_pictures_are_here(self.page)
        self.context.set_offline(is_offline)

    def in_worker(self, script):
        """Runs a script in the service worker."""
        worker = self.context.service_workers[0]
        return worker.evaluate(script)


@contextmanager
def app(browser, site, device="phone", **options):
    """Longbox in a new browser profile, not installed yet; fails at the end if a page had complaints."""
    context = browser.new_context(**DEVICES[device] | {"locale": "en-GB"} | options)
    context.add_init_script(WITHOUT_HINTS)
    try:
        app = App(context, site)
        yield app
        assert not app.watch.complaints, "\n".join(app.watch.complaints)
    finally:
        context.close()
