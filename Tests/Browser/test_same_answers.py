# Longbox
# SPDX-License-Identifier: MIT
"""The WebAssembly build and the native build give byte-identical answers."""

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

# Runs all messages in one instance; returns a hash of each reply, or null for a failed operation. `%s` is the base path.
RUN = """async (encoded) => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(%s + '/assets/longbox.wasm'))
  const { inbox, perform, outbox, memory } = instance.exports
  const bytes = Uint8Array.from(atob(encoded), letter => letter.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  const hashes = []
  for (let place = 0; place < bytes.length;) {
    const operation = view.getUint8(place), length = view.getUint32(place + 1, true)
    const start = inbox(length) >>> 0
    new Uint8Array(memory.buffer, start, length).set(bytes.subarray(place + 5, place + 5 + length))
    place += 5 + length
    const count = perform(operation)
    if (count < 0) { hashes.push(null); continue }
    const reply = new Uint8Array(memory.buffer, outbox() >>> 0, count).slice()
    const hash = await crypto.subtle.digest('SHA-256', reply)
    hashes.push([...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join(''))
  }
  return [hashes, memory.buffer.byteLength]
}"""

ROUTES = [
    "/", "/random", "/404/", "/9999/", "/0/", "/-3/", "/0353/", "/353", "/nothing", "/favorites", "/favorites/clear",
    "/settings", "/about", "/continue", "/open", "/read/clear", "/comics", "/comics?view=list", "/comics?year=2006",
    "/comics?unread=1", "/comics?downloaded=1", "/30/?in=favorites", "/30/?in=2006", "/30/?in=deep-python", "/30/?in=unread-2006",
    "/comics?view=map", "/comics?on=03-03", "/comics?on=02-30", "/on-this-day", "/random?unread=1", "/unread", "/history",
    "/comics?view=list&year=2007&unread=1", "/comics?view=x", "/go?number=12", "/go?number=", "/go?number=%F0%9F%98%80",
    "/go?number=99999999999999999999", "/share?text=https%3A%2F%2Fxkcd.com%2F7%2F", "/share?title=tea+pot", "/search",
    "/search?q=python", "/search?q=%22the+other%22+-cat&deep=1", "/search?q=caf%C3%A9+year%3A2007", "/undo",
    "/albums/save", "/1/explanation", "/2/explanation", "/3/explanation", "/01/explanation", "/albums", "/albums?artist=b%C3%A9b",
    "/albums/saved", "/albums/70?country=gb", "/albums/71", "/albums/72", "/albums/70/x", "/albums/0",
    "/albums/artists/7?show=eps",
    "/albums/70/quiz?country=gb", "/albums/71/quiz", "/albums/72/quiz", "/albums/settings", "/feeds", "/join?code=1",
    "/topics", "/topics/maps", "/topics/ada?unread=1", "/topics/x", "/search?q=with%3Aada+about%3Amap&deep=1",
    "/settings/move", "/settings/export", "/settings/import",
]  # fmt: skip


def load(kind, key):
    """The host's data: explanations of some comics, and a few albums."""
    if kind in (device.EXPLANATION_LEAD, device.EXPLANATION):
        html = f"<p>The <em>joke</em> of {key}: é 😀.</p>".encode()
        return [(device.HERE, html), (device.ABSENT, b""), (device.UNREACHABLE, b"")][int(key) % 3]
    if kind in (device.ALBUM, device.QUIZ_ALBUM, device.STORED_ALBUM):
        number = key.partition("?")[0]
        kept = {
            "7": device.album("7", "Card & Board", TITLES, artist=("3", "Boxes")),
            "8": device.album("8", "Tin", ["Rust", "Hinge", "Lid"], artist=("3", "Boxes")),
            "70": device.album("70", "Wick <1>", ["One", "Two", "Three"], body="<p>Tracks</p><!--article-->", articles=ARTICLES),
            "71": b"no album",
        }
        return (device.HERE, kept[number]) if number in kept else (device.ABSENT, b"")
    return device.UNREACHABLE, b""


def library_file(note):
    """A library's file, with a favorite that has this note."""
    document = {
        "format": "longbox-library",
        "version": 1,
        "favorites": [{"num": 9, "note": note[:400], "added": "2026-11-21T11:00:00+02:00"}],
        "read": [{"from": 1, "to": 30}],
        "settings": {"appearance": "dark"},
        "place": {"num": 7, "time": "2026-11-21T11:00:00.5Z"},
        "saved": [{"kind": "quiz", "name": "a/b", "base64": "AP8="}],
    }
    return json.dumps(document)


def multipart(dice, note):
    """A form with a file, whole or cut off."""
    file = dice.choice([
        f"{dice.randint(1, 40)} 7, #353",
        "1 - One\r\n3\tThree", '[1, {"num": "2"}]', '{"favorites":[5', "x", "", library_file(note),
    ])  # fmt: skip
    part = '--X\r\nContent-Disposition: form-data; name="file"; filename="a;b"\r\nContent-Type: text/plain\r\n\r\n'
    sent = part + file + "\r\n--X--\r\n"
    return sent[: dice.choice([len(sent), len(sent), len(sent) - 4])]


def form(dice, latest):
    """A random form, valid or tampered with."""
    comic = dice.choice([dice.randint(1, latest), dice.randint(1, 40), 404, 0, -1, "x"])
    note = "".join(dice.choice("ab é<>&\"'\n😀\x00") for _ in range(dice.choice([0, 5, 300])))
    return dice.choice([
        ("/favorites/set", f"comic={comic}&on={dice.choice(['yes', 'no', ''])}&back=/{comic}/"),
        ("/favorites/note", f"comic={comic}&note={quote_plus(note)}&back=/favorites"),
        ("/read/set", f"comic={comic}&on={dice.choice(['yes', 'no'])}&back=//elsewhere.example"),
        ("/read/older", f"comic={comic}"),
        ("/settings/set", f"appearance={dice.choice(['dark', 'light', 'system', 'pink'])}&pictures=dim"),
        ("/settings/set", dice.choice(["deep=on&keep=off", "keep=on&quiet=1", ""])),
        ("/settings/set", f"alt={dice.choice(['tap', 'always', 'later'])}&tap={dice.choice(['zoom', 'favorite'])}"),
        ("/pictures/drawn", f"comic={comic}&on={dice.choice(['yes', 'no'])}"),
        ("/undo", "back=/favorites"),
        ("/albums/save", f"album={dice.choice([70, 71, '9' * 16, 'x'])}&country=gb&name={quote_plus(note)}&artist=a&year=1999"),
        ("/albums/remove", f"album={dice.choice([70, 71])}&back=/albums/saved"),
        ("/albums/article", f"album={dice.choice([70, 71])}&language=en&page={dice.choice(['', '0', '4', 'x'])}&back=/albums/70"),
        ("/favorites/clear", "back=/settings"),
        ("/history/clear", "back=/history"),
        ("/settings/import", multipart(dice, note)),
        ("/nowhere", "a=b"),
    ])  # fmt: skip


def play_reader(native, seed, latest):
    """Plays one reader, starting with an empty library."""
    dice = random.Random(seed)
    now = 1_780_000_000_000
    native.perform(device.BEGIN, struct.pack("<Q", dice.getrandbits(64)))
    for _ in range(60):
        now += dice.choice([1, 500, 70_000])
        extra = {"random": dice.getrandbits(64), "now": now, "is_offline": dice.random() < 0.2}
        path, fields = form(dice, latest)
        native.answer(path, load, form=fields, **extra)
        address = dice.choice([f"/{dice.randint(1, latest)}/", dice.choice(ROUTES)])
        native.answer(address, load, is_ahead=dice.random() < 0.2, **extra)
        native.perform(device.SAVE)
        native.perform(device.FACTS)
    for choice in range(4):
        native.perform(device.PICTURES, bytes([choice]))
    native.perform(device.REQUEST, struct.pack("<Q", dice.getrandbits(64)))
    native.perform(device.RECEIVE, struct.pack("<Q", now) + b"not a reply")


def run_every_operation(native, archive, latest, readers):
    """Runs every operation of a host over a whole archive."""
    assert native.perform(device.OPEN, archive) == b""
    assert native.perform(device.BEGIN, struct.pack("<Q", 7)) == b""
    for address in ROUTES:
        native.answer(address, load, random=2**63 + 5)
        native.answer(address, is_offline=True)
        native.answer(address, load, random=2**63 + 5, base="/longbox", shared="https://comics.example.org/longbox")
    for number in range(1, latest + 1):
        native.answer(f"/{number}/", load)
        native.answer(f"/{number}/explanation", load)
    for seed in range(readers):
        play_reader(native, seed, latest)
    native.perform(device.ADD, archive)
    native.perform(99)


def compare(open_page, site, native):
    """Repeats the native device's messages in WebAssembly and compares the replies."""
    expected = [None if reply is None else hashlib.sha256(reply).hexdigest() for reply in native.replies]
    page = open_page(f"{site}/about", bypass_csp=True)
    encoded = base64.b64encode(b"".join(device.frame(*message) for message in native.messages)).decode()
    found, memory = page.evaluate(RUN % device.BASE, encoded)
    differing = [
        (number, native.messages[number][0], native.messages[number][1][:200])
        for number, (one, other) in enumerate(zip(expected, found, strict=True))
        if one != other
    ]
    assert not differing, f"{len(differing)} of {len(found)} differ, the first: {differing[:3]}"
    print(f"{len(found)} replies are the same; {memory / 2**20:.1f} MiB of memory")


def archive_of(site):
    status, _, archive = programs.get(f"{site}/archive")
    assert status == 200
    return archive


def compare_device(open_page, site, latest, readers):
    with device.Native() as native:
        run_every_operation(native, archive_of(site), latest, readers)
        compare(open_page, site, native)


def test_native_and_webassembly_answer_the_same(open_page, site):
    compare_device(open_page, site, recording.LATEST, readers=30)


def test_native_and_webassembly_answer_the_same_about_samples(open_page, sample_site):
    compare_device(open_page, sample_site, 20, readers=3)


@pytest.mark.slow
def test_native_and_webassembly_answer_the_same_about_every_recorded_comic(open_page, recorded_site):
    compare_device(open_page, recorded_site, 3282, readers=30)


# Titles that are hard to tell apart or to spell.
ARTICLES = ["", "<p>Found</p>", "0", "<p>None</p>", "4", "<p>Chosen</p>"]
TITLES = [
    "Ibid.", "Ibid. (Live)", "Suite, Pt. 1", "Suite, Pt. 2", "<b>Été</b> & Sel", "箱の歌 (Song of the Box)", "1979", "\x00", "B",
]  # fmt: skip


def guess(dice):
    title = dice.choice(TITLES)
    return dice.choice([title, title.lower(), mistyped(title, dice), title[: dice.randint(0, 6)], "suite part one", "é" * 200])


def turn(dice):
    """Random form fields for a quiz, without its state."""
    place = dice.choice([0, 1, 8, 9, -1, "x", "9" * 30])
    return dice.choice([
        f"guess={quote_plus(guess(dice))}", f"guess={quote_plus(guess(dice))}&typing=1", f"hint={place}", f"choice={place}",
        f"up={place}", f"down={place}", f"from={place}&to=0", "judge=1", "do=pause", "do=resume",
    ])  # fmt: skip


def play_quiz(native, kind, dice):
    """Plays a quiz from its first form to its end."""
    fields = f"start={kind}"
    # One kind can't begin twice at the same time.
    start = 1_780_000_000_000 + dice.randrange(10**8)
    for step in range(25):
        now = start + 1_000 * step
        answer = native.answer("/albums/7/quiz?country=gb", load, form=fields, random=dice.getrandbits(64), now=now)
        assert answer.status == 200, answer.page
        if answer.is_library_changed:
            return
        state = re.search(rb'name="state" value="([\w-]+)"', answer.page)[1].decode()
        fields = f"state={state}&" + (turn(dice) if step < 23 else "do=give-up")
    raise AssertionError(f"The quiz {kind} did not end.")


def test_native_and_webassembly_play_quizzes_alike(open_page, site):
    dice = random.Random(20_190_201)
    with device.Native() as native:
        native.perform(device.OPEN, archive_of(site))
        native.perform(device.BEGIN, struct.pack("<Q", 7))
        native.answer("/albums/7/quiz", load)
        for number, name in ((7, "Card & Board"), (8, "Tin")):
            fields = f"album={number}&country=gb&name={quote_plus(name)}&artist=Boxes&year=1999"
            assert native.answer("/albums/save", load, form=fields).is_library_changed
        for is_offline in (False, True):
            assert b"Which album?" in native.answer("/albums/7/quiz", load, is_offline=is_offline).page
        for fields in ("state=&guess=a", "state=UVoBAQ&guess=a"):
            assert native.answer("/albums/7/quiz", load, form=fields).status == 400
        for _ in range(3):
            for kind in ["tracks", "order", "next", "albums"]:
                play_quiz(native, kind, dice)
                native.perform(device.SAVE)
        native.perform(device.RESPOND, dice.randbytes(40))
        compare(open_page, site, native)


HOSTILE = [
    "", " ", '"', '""', "-", '-"', "OR", "a OR", "OR a", "a OR OR b", "is:", "is:nothing", "0", "404", "#404", "999999999",
    "9-1", "1-999999", "0000-00", "2007-13-45", "é" * 200, "e\u0301" * 200, "\u202e\x00\x7f", "a " * 200, "-a " * 100,
    '"a b" ' * 60, "ﬀ ß İ K Å", "😀", "C++ e=mc2 π D&D 0.05", b"\xff\xfe\xc0\x80", b"\xf0\x9f", b"\xed\xa0\x80" * 90,
]  # fmt: skip


def words_of(site):
    """Words from the comics' texts, from the API."""
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
    """A random search text, valid or odd."""
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


# A word that explanations contain, and comics seldom or never.
IN_EXPLANATIONS = "joke"


def search(native, words, is_deep=True, is_typing=False, offset=0, texts=None):
    """A search as its form and links request it; `texts` are the explanations that the device stores."""

    def load_text(kind, key):
        kept = (texts or {}).get(key)
        return (device.HERE, kept) if kind == device.EXPLANATION_TEXT and kept else load(kind, key)

    query = f"q={quote_plus(words)}&deep={is_deep:d}&typing={is_typing:d}&offset={offset}"
    return native.answer(f"/search?{query}", load_text)


def searches(native, site, count):
    """Runs a fixed set of searches before and after the explanation index is loaded; returns how many had results."""
    dice = random.Random(20_070_101)
    words = words_of(site)
    archive, index, texts = archive_of(site), index_of(site), texts_of(site)
    native.perform(device.OPEN, archive)
    native.perform(device.BEGIN, struct.pack("<Q", 7))
    native.answer("/read/older", form="comic=20")
    for comic in (1, 7, 12, 30):
        native.answer("/favorites/set", form=f"comic={comic}&on=yes")
    for _ in range(10):
        search(native, dice.choice(words))
    before = search(native, IN_EXPLANATIONS)
    assert native.perform(device.EXPLANATIONS, index[:-1]) is None
    assert native.perform(device.EXPLANATIONS, index) == b""
    after = search(native, IN_EXPLANATIONS)
    assert before.page != after.page and b"In the explanation" in after.page
    after = search(native, IN_EXPLANATIONS, texts=texts)
    assert b"In the explanation" not in after.page and b"Explanation:" in after.page
    for words_typed in HOSTILE:
        for is_deep in (True, False):
            search(native, words_typed, is_deep)
    found = 0
    for _ in range(count):
        answer = search(
            native,
            words_to_find(words, dice),
            is_deep=dice.random() < 0.8,
            is_typing=dice.random() < 0.5,
            offset=dice.choice([0, 0, 25, 9_000]),
            texts=dice.choice([texts, None]),
        )
        found += answer.status == 303 or b'id="count" class="count-of" role="status">No' not in answer.page
    native.perform(device.ADD, archive)
    assert native.perform(device.OPEN, archive[:-1]) is None
    search(native, words[0])
    native.perform(99)
    return found


def texts_of(site):
    """The plain texts of all explanations by comic number."""
    texts, since = {}, 0
    while True:
        part = json.loads(programs.get(f"{site}/explanations?since={since}")[2])
        texts |= {str(explanation["comic"]): explanation["text"] for explanation in part["explanations"]}
        since = part["change"]
        if part["isLast"]:
            return texts


def index_of(site):
    status, _, index = programs.get(f"{site}/explanations/index")
    assert status == 200
    return index


def compare_searches(open_page, site, count):
    with device.Native() as native:
        # Most searches must have results, or the test would prove little.
        assert searches(native, site, count) > count / 2
        compare(open_page, site, native)


def test_native_and_webassembly_find_the_same_comics(open_page, explained_site):
    compare_searches(open_page, explained_site, 200)


@pytest.mark.slow
def test_native_and_webassembly_find_the_same_among_all_recorded_comics(open_page, recorded_site):
    compare_searches(open_page, device.when_explained(recorded_site, 2734), 200)
