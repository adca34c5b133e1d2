# Longbox
# SPDX-License-Identifier: MIT
"""Generates a small recording of a made-up comic with the oddities of the real one.

    recording.py FOLDER     writes FOLDER/xkcd/comics.jsonl, images.json and images/, and FOLDER/explainxkcd/pages.jsonl,
                            as longbox-replay reads them, with FOLDER/itunes and FOLDER/wikipedia

409 comics, up to number 410 without 404; words and drawings are this project's own. The output is deterministic, so that tests
can refer to a comic by its number.
"""

import datetime
import json
import random
import sys
from pathlib import Path

from PIL import Image, ImageDraw

SAMPLE_ALBUMS = Path(__file__).resolve().parents[3] / "Sources" / "LongboxCatalog" / "SampleBox" / "albums.tsv"

LATEST = 410
ADDRESS = "https://imgs.xkcd.com/comics/"

# The comics that tests refer to, by their oddity.
PLAIN = 353
TURNED_BY_EXIF = 62
TRANSPARENT = 110
DOUBLE_ENCODED = 124
RIGHT_TO_LEFT = 137
PERCENT_IN_NAME = 146
WIDE = 154
BRACKET = 159
ANIMATED = 161
SCRIPT_IN_ALT = 163
NO_ALT = 193
NO_PICTURE = 208
BROKEN_NEWS = 222
INTERACTIVE = 237
ENTITY_IN_TITLE = 259
MARKUP_IN_TITLE = 272
SCRIPT_LINK = 291
AMPERSAND = 301
ANGLE_BRACKETS = 302
LARGER = 315
TALL = 332

# The comics of each category of the wiki.
CATEGORIES = {
    "Comics featuring Ada Byte": [50, 100, 150, 200],
    "Bread": [100, 200, 300],
    "Comics sharing name": [100],
}

INJECTED = "<script>window.injected = true</script>"

ODD = {
    PLAIN: {
        "title": "Python",
        "alt": "It hugged back, and that was the whole interview.",
        "transcript": "[[Two people stand by a terrarium.]]\nA: Does it bite?\nB: It compiles.\n{{Title text: It hugged back.}}",
    },
    DOUBLE_ENCODED: {"title": "Coffee", "transcript": "[[A cafÃ©.]]\nA: One crÃ¨me brÃ»lÃ©e, please."},
    RIGHT_TO_LEFT: {"title": "\u202eBackwards"},
    BRACKET: {"title": "("},
    SCRIPT_IN_ALT: {"title": "Quoting", "alt": f'A <noun> & a "verb" walk into a bar. {INJECTED}'},
    NO_ALT: {"title": "Speechless", "alt": ""},
    NO_PICTURE: {"title": "The Garden Shed", "extra_parts": {"pre": "", "post": INJECTED, "headerextra": ""}},
    BROKEN_NEWS: {"title": "Guest Strip", "news": '<p>Guest strip by <a href="/about">a <b>friend'},
    INTERACTIVE: {"title": "Press Here", "extra_parts": {"pre": INJECTED, "post": "", "headerextra": INJECTED}},
    ENTITY_IN_TITLE: {"title": "Clich&eacute; Harbour", "safe_title": "Clich Harbour"},
    MARKUP_IN_TITLE: {"title": '<span style="color: #0000ff">Blue</span> Ink', "safe_title": "Blue Ink"},
    SCRIPT_LINK: {"title": "Do Not Click", "link": "javascript:window.injected=true"},
    AMPERSAND: {"title": "D&D in the Attic", "safe_title": "D in the Attic"},
    ANGLE_BRACKETS: {"title": "<Town>-Style Soup", "safe_title": "-Style Soup"},
    LARGER: {"title": "All the Shelves", "link": f"https://xkcd.com/{LARGER}/large/"},
    TALL: {
        "title": "A Line of Descent",
        "transcript": "".join(f"[[Generation {step}.]]\nHeir {step}: Is it my turn?\n" for step in range(1, 61)),
    },
    WIDE: {"title": "The Long Shelf"},
}

ADJECTIVES = "Quiet Spare Broken Borrowed Northern Folded Paper Second Lost Electric Tidal Wooden Honest Small".split()
NOUNS = "Ladder Kettle Proof Map Orbit Ledger Pigeon Compiler Lantern Harbour Index Sandwich Attic Theorem".split()
SENTENCES = (
    "It worked on the first try, so we started looking for what was wrong.",
    "The manual says not to, but it says so in a very small typeface.",
    "We kept the box because the box was the better idea.",
    "It was never opened again, which is how we know it is finished.",
    "The error bars are drawn to scale; the data is not.",
    "My other hobby is alphabetising other people's hobbies.",
)


def day_of(number):
    """The date of a comic. The first ten share a day, like an archive published at once; then one every second day or so."""
    start = datetime.date(2006, 1, 1)
    return start + datetime.timedelta(days=max(0, number - 10) * 7 // 3)


def row(number, dice):
    day = day_of(number)
    comic = {
        "month": str(day.month),
        "num": number,
        "link": "",
        "year": str(day.year),
        "news": "",
        "safe_title": "",
        "transcript": f"[[A drawing of number {number}.]]\nA: {dice.choice(SENTENCES)}" if number <= 300 else "",
        "alt": f"{dice.choice(SENTENCES)} {dice.choice(SENTENCES)}",
        "img": ADDRESS + picture_name(number),
        "title": f"{dice.choice(ADJECTIVES)} {dice.choice(NOUNS)}",
        "day": str(day.day),
    }
    comic |= ODD.get(number, {})
    comic["safe_title"] = comic["safe_title"] or comic["title"]
    return comic


def picture_name(number):
    if number == NO_PICTURE:
        return ""
    if number == PERCENT_IN_NAME:
        return "%3F%3F%3F.png"
    ending = {ANIMATED: "gif", TURNED_BY_EXIF: "jpg"}.get(number, "png")
    return f"drawing_{number}_({number % 7}).{ending}"


def drawing(number, dice):
    """Draws a picture: a frame, a few lines, and the number."""
    width, height = {TALL: (740, 9000), WIDE: (2600, 420)}.get(number, (dice.randint(280, 740), dice.randint(200, 480)))
    paper, ink = (255, 0) if number != TRANSPARENT else ((255, 255, 255, 0), (0, 0, 0, 255))
    image = Image.new("L" if number != TRANSPARENT else "RGBA", (width, height), paper)
    draw = ImageDraw.Draw(image)
    draw.rectangle((4, 4, width - 5, height - 5), outline=ink, width=3)
    for _ in range(max(6, width * height // 60_000)):
        x, y = dice.randrange(20, width - 20), dice.randrange(20, height - 20)
        draw.line((x, y, x + dice.randint(-60, 60), y + dice.randint(-60, 60)), fill=ink, width=3)
        draw.ellipse((x - 14, y - 14, x + 14, y + 14), outline=ink, width=3)
    draw.text((20, 20), f"No. {number}", fill=ink, font_size=36)
    return image


def save_picture(number, folder, dice):
    path = folder / picture_name(number)
    image = drawing(number, dice)
    if number == ANIMATED:
        more = [drawing(number, dice).resize(image.size) for _ in range(3)]
        image.save(path, save_all=True, append_images=more, duration=200, loop=0)
    elif number == TURNED_BY_EXIF:
        exif = Image.Exif()
        exif[0x0112] = 6  # orientation: rotate by 90 degrees clockwise
        image.save(path, exif=exif)
    else:
        image.save(path)
    with Image.open(path) as saved:
        return {
            "file": f"images/{path.name}",
            "width": saved.width,
            "height": saved.height,
            "bytes": path.stat().st_size,
            "format": saved.format.lower(),
            "mode": saved.mode,
            "frames": getattr(saved, "n_frames", 1),
        }


def explanation(number):
    """A wiki page about a comic; that of PLAIN has what is hard to render."""
    text = f"The joke of number {number} is '''old'''. See [[{1 + number % 7}: Another]] and {{{{w|Bread}}}}."
    if number == PLAIN:
        cells = "\n| ".join(f"cell {column} with a few words" for column in range(12))
        text += f"\n\n:An indent.\n\n<blockquote>A quote.</blockquote>\n\n* One\n* Two\n\n{{|\n! Head\n|-\n| {cells}\n|}}\n"
        text += f"\n===A section===\n<pre>code {'x' * 200}</pre>\n{INJECTED}\n"
    incomplete = "{{incomplete}}\n" if number == SCRIPT_IN_ALT else ""
    categories = "".join(f"\n[[Category:{name}]]" for name, numbers in CATEGORIES.items() if number in numbers)
    return f"{incomplete}==Explanation==\n{text}\n\n==Transcript==\n:[A box.]\n{{{{comic discussion}}}}{categories}"


def write_albums(folder):
    """Writes the artists and albums of the sample box as the responses of a store and an encyclopedia."""
    # Each line is a question, such as tracks/9101, and its response.
    lines = SAMPLE_ALBUMS.read_text(encoding="utf-8").splitlines()
    answers = [line.split("\t") for line in lines]
    samples = [(question.split("/")[0], json.loads(response)) for question, response in answers]
    rows = [artist for kind, artist in samples if kind == "artist"]
    rows += [row for kind, response in samples if kind == "tracks" for row in response["results"]]
    pages = [page | {"lastrevid": 1000 + page["pageid"]} for kind, page in samples if kind == "article"]
    for page in pages:
        del page["index"]
    files = {
        "itunes/index.json": [{"file": "rows.json", "request": "https://itunes.apple.com/search"}],
        "itunes/rows.json": {"resultCount": len(rows), "results": rows},
        "wikipedia/pages.json": {"query": {"pages": pages}},
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


def make(folder, latest=LATEST):
    """Writes the recording to `folder` and returns it."""
    xkcd = Path(folder) / "xkcd"
    (xkcd / "images").mkdir(parents=True)
    numbers = [number for number in range(1, latest + 1) if number != 404]
    rows = [row(number, random.Random(f"row {number}")) for number in numbers]
    pictures = {
        str(number): save_picture(number, xkcd / "images", random.Random(f"picture {number}"))
        for number in numbers
        if number != NO_PICTURE
    }
    (xkcd / "comics.jsonl").write_text("".join(json.dumps(comic) + "\n" for comic in rows), encoding="utf-8")
    (xkcd / "images.json").write_text(json.dumps(pictures, indent=1), encoding="utf-8")
    # The latest comic has no explanation yet.
    pages = [{"num": n, "title": f"{n}: Page", "wikitext": explanation(n)} for n in numbers if n != latest]
    (Path(folder) / "explainxkcd").mkdir()
    lines = "".join(json.dumps(page) + "\n" for page in pages)
    (Path(folder) / "explainxkcd" / "pages.jsonl").write_text(lines, encoding="utf-8")
    write_albums(Path(folder))
    return Path(folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(sys.argv[1])
