# Longbox
# SPDX-License-Identifier: MIT
"""A synthetic archive of the size and shape of xkcd's, for machines without recorded data.

3,281 comics, 2.4 MB of text: transcripts for the first half only, alt texts around 160 characters; 64 pictures of
about 41 KB, the median of the real ones. Words and pictures are meaningless; the output is deterministic.
"""

import datetime
import json
import random
import struct
import zlib
from pathlib import Path

LATEST = 3282
PICTURES = 64
WORDS = (
    "the of and to a in that is was it for on are as with his they at be this from have or by one had not but what "
    "some we can out other were all there when up use your how said an each she which do their time if will way "
    "about many then them write would like so these her long make thing see him two has look more day could go come "
    "graph paper robot velocity theorem physics kernel internet science map dinosaur"
).split()


def sentence(dice, characters):
    text = ""
    while len(text) < characters:
        text += dice.choice(WORDS) + " "
    return text.strip().capitalize() + "."


def row(number, dice):
    day = datetime.date(2006, 1, 1) + datetime.timedelta(days=number * 7 // 3)
    lines = [f"A: {sentence(dice, dice.randint(20, 80))}" for _ in range(dice.randint(4, 20))]
    title = " ".join(dice.choices(WORDS, k=dice.randint(1, 3))).title()
    return {
        "month": str(day.month),
        "num": number,
        "link": "",
        "year": str(day.year),
        "news": "",
        "safe_title": title,
        "transcript": "\n".join(lines) if number <= 1665 else "",
        "alt": sentence(dice, dice.randint(60, 260)),
        "img": f"https://imgs.xkcd.com/comics/synthetic_{number}.png",
        "title": title,
        "day": str(day.day),
    }


def png(dice):
    """A grey PNG of 526 x 350 pixels whose noise compresses to about 41 KB."""
    width, height = 526, 350

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    noise = bytes(dice.randrange(256) for _ in range(width))
    quiet = b"\xff" * width
    lines = b"".join(b"\0" + (bytes(dice.sample(noise, width)) if y % 9 < 2 else quiet) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def make(folder):
    """Writes the archive to `folder` and returns it."""
    xkcd = Path(folder) / "xkcd"
    (xkcd / "images").mkdir(parents=True)
    numbers = [number for number in range(1, LATEST + 1) if number != 404]
    rows = [json.dumps(row(number, random.Random(number))) + "\n" for number in numbers]
    (xkcd / "comics.jsonl").write_text("".join(rows), encoding="utf-8")
    facts = {}
    for number in numbers[:: len(numbers) // PICTURES][:PICTURES]:
        picture = png(random.Random(number))
        name = f"images/synthetic_{number}.png"
        (xkcd / name).write_bytes(picture)
        facts[str(number)] = {
            "file": name,
            "width": 526,
            "height": 350,
            "bytes": len(picture),
            "format": "png",
            "mode": "L",
            "frames": 1,
        }
    (xkcd / "images.json").write_text(json.dumps(facts), encoding="utf-8")
    return Path(folder)
