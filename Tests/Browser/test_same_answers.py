# Longbox
# SPDX-License-Identifier: MIT
"""The device, its finder and its quiz answer in WebAssembly byte for byte as the same code does natively."""

import base64
import hashlib
import json
import random
import re
import struct
from urllib.parse import quote_plus

import pytest

import device
import programs
import recording

# Runs all messages in one instance; gives a hash of each reply, or null where it could not be done.
RUN = """async ([wasm, encoded]) => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasm))
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
    "/comics?view=map", "/comics?on=03-03", "/comics?on=02-30", "/on-this-day", "/random?unread=1",
    "/comics?view=list&year=2007&unread=1", "/comics?view=x", "/go?number=12", "/go?number=", "/go?number=%F0%9F%98%80",
    "/go?number=99999999999999999999", "/share?text=https%3A%2F%2Fxkcd.com%2F7%2F", "/share?title=tea+pot", "/search",
    "/search?q=python", "/search?q=%22the+other%22+-cat&deep=1", "/search?q=caf%C3%A9+year%3A2007", "/undo",
    "/albums/save",
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
        ("/settings/reading", f"alt={dice.choice(['details', 'below', 'later'])}&tap={dice.choice(['zoom', 'favorite'])}"),
        ("/undo", "back=/favorites"),
        ("/albums/save", f"album={dice.choice([70, 71, '9' * 16, 'x'])}&country=gb&name={quote_plus(note)}&artist=a&year=1999"),
        ("/albums/remove", f"album={dice.choice([70, 71])}&back=/albums/saved"),
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


def compare(open_page, site, all_messages, wasm="longbox.wasm", program="LongboxDevice"):
    replies = device.native_replies(all_messages, program)
    expected = [None if reply is None else hashlib.sha256(reply).hexdigest() for reply in replies]
    assert expected[2] and len(expected) == len(all_messages)
    page = open_page(f"{site}/about", bypass_csp=True)
    encoded = base64.b64encode(device.frames(all_messages)).decode()
    found, memory = page.evaluate(RUN, [f"/assets/{wasm}", encoded])
    differing = [
        (number, all_messages[number][0], all_messages[number][1][:200])
        for number, (one, other) in enumerate(zip(expected, found, strict=True))
        if one != other
    ]
    assert not differing, f"{len(differing)} of {len(found)} differ, the first: {differing[:3]}"
    print(f"{len(found)} replies are the same; {memory / 2**20:.1f} MiB of memory")
    return replies


def archive_of(site):
    status, _, archive = programs.get(f"{site}/archive")
    assert status == 200
    return archive


def compare_device(open_page, site, latest, lives):
    compare(open_page, site, list(messages(archive_of(site), latest, lives)))


def test_native_and_webassembly_answer_the_same(open_page, site):
    compare_device(open_page, site, recording.LATEST, lives=30)


def test_and_the_same_of_the_samples(open_page, sample_site):
    compare_device(open_page, sample_site, 20, lives=3)


@pytest.mark.slow
def test_and_the_same_of_every_recorded_comic(open_page, recorded_site):
    compare_device(open_page, recorded_site, 3282, lives=30)


# Titles that are hard to tell, or to spell.
TITLES = ["Ibid.", "Ibid. (Live)", "Suite, Pt. 1", "Suite, Pt. 2", "<b>Été</b> & Sel", "箱の歌 (Song of the Box)", "1979", "\x00", "B"]
PLAYED = [("7", "Card & Board", TITLES), ("7", "Card & Board", TITLES), ("8", "Tin", ["Rust", "Hinge", "Lid"])]


def guess(dice):
    title = dice.choice(TITLES)
    return dice.choice([title, title.lower(), mistyped(title, dice), title[: dice.randint(0, 6)], "suite part one", "é" * 200])


def turn(dice):
    """What a reader might send to a quiz, but for its state."""
    place = dice.choice([0, 1, 8, 9, -1, "x", "9" * 30])
    return dice.choice([
        f"guess={quote_plus(guess(dice))}", f"guess={quote_plus(guess(dice))}&typing=1", f"hint={place}", f"choice={place}",
        f"up={place}", f"down={place}", f"from={place}&to=0", "judge=1", "do=pause", "do=resume",
    ])  # fmt: skip


def game(library, kind, dice):
    """A quiz from its first form to its end, as the native program plays it; each message is what the last reply led to."""
    form = f"start={kind}"
    for step in range(25):
        now = 1_780_000_000_000 + 1_000 * step
        message = device.albums_question(
            "/albums/7/quiz?country=gb", library, form, chance=dice.getrandbits(64), now=now, artist=("3", "Boxes"), albums=PLAYED
        )
        yield message
        [reply] = device.native_replies([message], "LongboxAlbums")
        status, _, size = struct.unpack_from("<IBI", reply)
        assert status == 200, reply
        if size:
            return
        state = re.search(rb'name="state" value="([\w-]+)"', reply)[1].decode()
        form = f"state={state}&" + (turn(dice) if step < 23 else "do=give-up")


def quizzes(site, count):
    """Questions for the quiz, the same ones each time."""
    dice = random.Random(20_190_201)
    saved = device.question("/albums/save", form="album=70&country=gb&name=Wick+%3C1%3E&artist=a&year=1999", now=1_780_000_000_000)
    replies = device.native_replies([(device.OPEN, archive_of(site)), (device.BEGIN, struct.pack("<Q", 7)), saved, (device.SAVE, b"")])
    library = replies[-1]
    about = {"artist": ("3", "Boxes"), "albums": PLAYED}
    yield device.albums_question("/albums/7/quiz", library, albums=PLAYED)
    yield device.albums_question("/albums/7/quiz", library, is_offline=True, **about)
    yield device.albums_question("/albums/7/quiz", library, **about)
    yield device.albums_question("/albums/7/quiz", b"no library", **about)
    for address in ["/albums", "/albums/saved", "/albums/70?country=gb", "/albums/71", "/albums/70/x", "/albums/artists/7"]:
        yield device.albums_question(address, library)
        yield device.albums_question(address, library, is_offline=True)
        yield device.albums_question(address, library, page=("Wick <1>", "<p>Tracks</p>"))
    yield device.albums_question("/q", library, form="state=&guess=a", **about)
    yield device.albums_question("/q", library, form="state=UVoBAQ&guess=a", **about)
    for _ in range(count):
        for kind in ["tracks", "order", "next", "albums"]:
            yield from game(library, kind, dice)
    yield device.ALBUMS, dice.randbytes(40)
    yield 99, b""


def test_native_and_webassembly_play_the_same(open_page, site):
    asked = list(quizzes(site, 3))
    replies = compare(open_page, site, asked, "albums.wasm", "LongboxAlbums")
    results = sum(struct.unpack_from("<IBI", reply)[2] > 0 for reply in replies if reply)
    # Each quiz ends with a result; each page of albums shows the notice that one was saved, and notes that.
    assert results == 3 * 4 + 3 * 6


HOSTILE = [
    "", " ", '"', '""', "-", '-"', "OR", "a OR", "OR a", "a OR OR b", "is:", "is:nothing", "0", "404", "#404", "999999999",
    "9-1", "1-999999", "0000-00", "2007-13-45", "é" * 200, "e\u0301" * 200, "\u202e\x00\x7f", "a " * 200, "-a " * 100,
    '"a b" ' * 60, "ﬀ ß İ K Å", "😀", "C++ e=mc2 π D&D 0.05", b"\xff\xfe\xc0\x80", b"\xf0\x9f", b"\xed\xa0\x80" * 90,
]  # fmt: skip


def words_of(site):
    """Some of the words that stand in the comics' texts, from the API."""
    texts, since = [], "0"
    while True:
        part = json.loads(programs.get(f"{site}/api/comics?limit=500&since={since}")[2])
        texts += [f"{comic['title']} {comic['alt']} {comic.get('transcript', '')}" for comic in part["comics"]]
        since = part["next"]
        if not part["more"]:
            return sorted({word for text in texts for word in text.split()})


def mistyped(word, dice):
    place = dice.randrange(len(word))
    return word[:place] + dice.choice(["", "x", word[place] * 2]) + word[place + 1 :]


def words_to_find(words, dice):
    """What a reader might look for, or somebody who plays with the box."""
    some = [dice.choice(words) for _ in range(dice.randint(1, 4))]
    return dice.choice([
        lambda: " ".join(some),
        lambda: " ".join(mistyped(word, dice) for word in some),
        lambda: " ".join(some)[: dice.randint(1, 12)],
        lambda: f'"{" ".join(some[:2])}" -{some[-1]}',
        lambda: " OR ".join(some),
        lambda: f"{some[0]} is:{dice.choice(['favorite', 'read', 'unread', 'interactive'])}",
        lambda: dice.choice(["7", "#12", "20-25", "2006", "2006-07", "2006-07-14", "2099"]) + dice.choice(["", " " + some[0]]),
        lambda: dice.randbytes(dice.choice([1, 8, 80, 400])),
    ])()  # fmt: skip


# What explanations say, of ours and of the recorded ones, and comics do not, or seldom.
IN_EXPLANATIONS = device.search("joke")


def searches(site, count):
    """Questions for the finder, the same ones each time; after the archive, and with bytes that are none among them."""
    dice = random.Random(20_070_101)
    words = words_of(site)
    archive = archive_of(site)
    index = index_of(site)
    yield device.FIND, device.search("too early")[1]
    yield device.OPEN, archive
    yield from (device.search(dice.choice(words)) for _ in range(10))
    yield IN_EXPLANATIONS
    yield device.EXPLAIN, index[:-1]
    yield device.EXPLAIN, index
    yield IN_EXPLANATIONS
    yield from (device.search(text, is_deep) for text in HOSTILE for is_deep in (True, False))
    for _ in range(count):
        yield device.search(
            words_to_find(words, dice),
            is_deep=dice.random() < 0.8,
            is_typing=dice.random() < 0.5,
            offset=dice.choice([0, 0, 25, 9_000]),
            limit=dice.choice([1, 25, 100]),
            favorites=dice.randbytes(dice.choice([0, 20, 500])),
            read=dice.randbytes(dice.choice([0, 20, 500])),
        )
        if dice.random() < 0.1:
            yield device.FIND, dice.randbytes(dice.randint(0, 40))
    yield device.ADD, archive
    yield device.OPEN, archive[:-1]
    yield device.search(words[0])
    yield 99, b""


def index_of(site):
    status, _, index = programs.get(f"{site}/explanations/index")
    assert status == 200
    return index


def compare_finder(open_page, site, count):
    asked = list(searches(site, count))
    replies = compare(open_page, site, asked, "finder.wasm", "LongboxFinder")
    assert replies[0] is None
    # Most questions find something, or the test would say little.
    found = [reply for (kind, _), reply in zip(asked, replies, strict=True) if kind == device.FIND and len(reply or b"") > 8]
    assert len(found) > count / 2
    before, after = (reply for (_, message), reply in zip(asked, replies, strict=True) if message == IN_EXPLANATIONS[1])
    assert before != after


def test_native_and_webassembly_find_the_same(open_page, explained_site):
    compare_finder(open_page, explained_site, 200)


@pytest.mark.slow
def test_and_the_same_among_all_recorded_comics(open_page, recorded_site):
    compare_finder(open_page, device.when_explained(recorded_site, 2734), 200)
