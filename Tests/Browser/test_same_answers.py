# Longbox
# SPDX-License-Identifier: MIT
"""The device answers in WebAssembly byte for byte as the same code does natively."""

import base64
import hashlib
import random
import struct
from urllib.parse import quote_plus

import pytest

import device
import programs
import recording

# Runs all messages in one instance; gives a hash of each reply, or null where it could not be done.
RUN = """async ([wasm, encoded]) => {
  const nothing = new Proxy({}, { get: () => () => 52 })
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasm), { wasi_snapshot_preview1: nothing })
  const { allocate, perform, collect, release, memory } = instance.exports
  const bytes = Uint8Array.from(atob(encoded), letter => letter.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  const hashes = []
  for (let place = 0; place < bytes.length;) {
    const operation = view.getUint8(place), length = view.getUint32(place + 1, true)
    const start = allocate(length) >>> 0
    new Uint8Array(memory.buffer, start, length).set(bytes.subarray(place + 5, place + 5 + length))
    place += 5 + length
    const count = perform(operation, start, length)
    if (count < 0) { hashes.push(null); continue }
    const room = allocate(count) >>> 0
    collect(room)
    const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(memory.buffer, room, count).slice())
    hashes.push([...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join(''))
    release(room)
  }
  return [hashes, memory.buffer.byteLength]
}"""

ROUTES = [
    "/", "/random", "/404/", "/9999/", "/0/", "/-3/", "/0353/", "/353", "/nothing", "/favorites", "/favorites/clear",
    "/settings", "/about", "/continue", "/comics", "/comics?view=list", "/comics?year=2006", "/comics?unread=1",
    "/comics?view=list&year=2007&unread=1", "/comics?view=x", "/go?number=12", "/go?number=", "/go?number=%F0%9F%98%80",
    "/go?number=99999999999999999999", "/share?text=https%3A%2F%2Fxkcd.com%2F7%2F", "/share?title=tea+pot", "/search",
    "/search?q=python", "/search?q=%22the+other%22+-cat&deep=1", "/search?q=caf%C3%A9+year%3A2007", "/undo",
]  # fmt: skip


def ask(address, **options):
    path, _, query = address.partition("?")
    return device.question(path, query, **options)


def form(dice, latest):
    """A form that a reader might send, or somebody who plays with it."""
    comic = dice.choice([dice.randint(1, latest), dice.randint(1, 40), 404, 0, -1, "x"])
    note = "".join(dice.choice("ab é<>&\"'\n😀\x00") for _ in range(dice.choice([0, 5, 300])))
    return dice.choice([
        ("/favorites/set", f"comic={comic}&on={dice.choice(['yes', 'no', ''])}&back=/{comic}/"),
        ("/favorites/note", f"comic={comic}&note={quote_plus(note)}&back=/favorites"),
        ("/read/set", f"comic={comic}&on={dice.choice(['yes', 'no'])}&back=//elsewhere.example"),
        ("/read/older", f"comic={comic}"),
        ("/settings/look", f"appearance={dice.choice(['dark', 'light', 'system', 'pink'])}&invert=on"),
        ("/settings/habits", dice.choice(["deep=on", "keep=on", ""])),
        ("/undo", "back=/favorites"),
        ("/favorites/clear", "back=/settings"),
        ("/nowhere", "a=b"),
    ])  # fmt: skip


def life(seed, latest):
    """What one reader does, from an empty library on."""
    dice = random.Random(seed)
    now = 1_780_000_000_000
    yield device.BEGIN, struct.pack("<Q", dice.getrandbits(64))
    for _ in range(60):
        now += dice.choice([1, 500, 70_000])
        extra = {"chance": dice.getrandbits(64), "now": now, "is_offline": dice.random() < 0.2}
        path, fields = form(dice, latest)
        yield device.question(path, form=fields, **extra)
        yield ask(dice.choice([f"/{dice.randint(1, latest)}/", dice.choice(ROUTES)]), **extra)
        yield device.SAVE, b""
        yield device.FACTS, b""
    yield from ((device.PICTURES, bytes([choice])) for choice in range(4))
    yield device.REQUEST, struct.pack("<Q", dice.getrandbits(64))
    yield device.RECEIVE, struct.pack("<Q", now) + b"not a reply"


def messages(archive, latest, lives):
    yield device.OPEN, archive
    yield device.BEGIN, struct.pack("<Q", 7)
    yield from (ask(address, chance=2**63 + 5) for address in ROUTES)
    yield from (ask(f"/{number}/") for number in range(1, latest + 1))
    beginnings = [(number, f"<p>The joke of {number}.</p>") for number in (3, 7, 8)]
    yield from (ask(address, shelved=beginnings) for address in ["/3/", "/4/", "/3/explanation", "/favorites"])
    yield from (ask(address, is_offline=True, unavailable=(3, 5)) for address in ["/", "/3/", "/favorites"])
    for seed in range(lives):
        yield from life(seed, latest)
    yield device.ADD, archive
    yield 99, b""


def compare(open_page, site, latest, lives):
    status, _, archive = programs.get(f"{site}/archive")
    assert status == 200
    all_messages = list(messages(archive, latest, lives))
    replies = device.native_replies(all_messages)
    expected = [None if reply is None else hashlib.sha256(reply).hexdigest() for reply in replies]
    assert expected[2] and len(expected) == len(all_messages)
    page = open_page(f"{site}/about", bypass_csp=True)
    encoded = base64.b64encode(device.frames(all_messages)).decode()
    found, memory = page.evaluate(RUN, ["/assets/longbox.wasm", encoded])
    differing = [
        (number, all_messages[number][0], all_messages[number][1][:200])
        for number, (one, other) in enumerate(zip(expected, found, strict=True))
        if one != other
    ]
    assert not differing, f"{len(differing)} of {len(found)} differ, the first: {differing[:3]}"
    print(f"{len(found)} replies are the same; {memory / 2**20:.1f} MiB of memory")


def test_native_and_webassembly_answer_the_same(open_page, site):
    compare(open_page, site, recording.LATEST, lives=30)


def test_and_the_same_of_the_samples(open_page, sample_site):
    compare(open_page, sample_site, 20, lives=3)


@pytest.mark.slow
def test_and_the_same_of_every_recorded_comic(open_page, recorded_site):
    compare(open_page, recorded_site, 3282, lives=30)
