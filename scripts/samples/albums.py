# Longbox
# SPDX-License-Identifier: MIT
"""Three artists who never were: their albums, the covers, and what an encyclopedia would say of them.

Answers are written as the iTunes Store and Wikipedia would give them, a line for each question that the sample box can
be asked; names, words and drawings are this project's own.
"""

import json
import random

from PIL import Image, ImageDraw

SIDE = 600
SMALL = 200

LANTERNS, ODA, TRESKO = 9001, 9002, 9003
ARTISTS = {
    LANTERNS: ("The Paper Lanterns", "Indie Rock"),
    ODA: ("Oda & Pim", "Folk"),
    TRESKO: ("Ólafía Tréskó", "Electronic"),
}

INDEX_CARDS = [
    ("See Also", 201), ("Third Drawer Down", 187), ("Misfiled", 233), ("Dewey, Do We?", 164), ("Ibid.", 92),
    ("A Card for Every Comic", 248), ("Please Return", 209), ("Cross-Reference (feat. Oda)", 276), ("Marginalia", 151),
    ("Overdue", 305),
]

# id, artist, name, date, kind of words, cover, discs of (title, seconds)
ALBUMS = [
    (9101, LANTERNS, "Index Cards", "2014-05-02", "notExplicit", "index-cards", [INDEX_CARDS]),
    (
        9102, LANTERNS, "Index Cards (Deluxe Edition)", "2015-05-01", "notExplicit", "index-cards-deluxe",
        [INDEX_CARDS, [("See Also (Demo)", 178), ("Ibid. (Long Version)", 424), None, ("Overdue (Live)", 331)]],
    ),
    (
        9103, LANTERNS, "Second Drawer - EP", "2016-10-14", "notExplicit", "second-drawer",
        [[("The Handle Came Off", 172), ("Lid", 141), ("What Was In It", 219), ("Nothing Was In It", 198)]],
    ),
    (
        9104, LANTERNS, "Live at the Reading Room", "2018-03-09", "notExplicit", "reading-room",
        [[("Quiet, Please", 41), ("Misfiled", 251), ("Third Drawer Down", 204), ("Overdue", 390), ("Please Return", 262)]],
    ),
    (
        9201, ODA, "Counting Bars", "2019-02-01", "explicit", "counting-bars",
        [[
            ("One", 121), ("Two, Three", 143), ("Rest", 60), ("Rest, Pt. 2", 61), ("Still Resting", 187), ("Now!", 34),
            ("That Was Too Early", 212), ("& Again", 156),
        ]],
    ),
    (
        9202, ODA, "Counting Bars", "2019-02-01", "cleaned", "counting-bars",
        [[
            ("One", 121), ("Two, Three", 143), ("Rest", 60), ("Rest, Pt. 2", 61), ("Still Resting", 187), ("Now!", 34),
            ("That Was Too Early", 212), ("& Again", 156),
        ]],
    ),
    (9203, ODA, "Rests - Single", "2021-08-20", "notExplicit", "rests", [[("Rests", 183), ("Rests (Instrumental)", 183)]]),
    (
        9301, TRESKO, "Étude fyrir skúffu", "2017-11-24", "notExplicit", "etude",
        [[
            ("Opnun", 310), ("Skúffa I", 224), ("Skúffa II", 232), ("Ryk", 415), ("箱の歌 (Song of the Box)", 268),
            ("Lokun", 505),
        ]],
    ),
    (
        9302, TRESKO, "Ólafía Tréskó", "2022-06-03", "notExplicit", "tresko",
        [[("Tré", 251), ("Skór", 199), ("Krókur", 322), ("Snjór & salt", 284), ("Heim", 377)]],
    ),
]

ARTICLES = {
    "Index Cards": (
        "2014 studio album by the Paper Lanterns",
        "Index Cards is the debut studio album by the Paper Lanterns. Its ten songs were written on both sides of the cards of "
        "a library catalogue that nobody used any more, and are in the order in which the cards were found.\n"
        "The band returned the cards in 2016. They had been missed after all.",
    ),
    "Second Drawer": (
        "2016 EP by the Paper Lanterns",
        "Second Drawer is an EP by the Paper Lanterns. It was recorded in one afternoon, most of which went into the handle.",
    ),
    "Counting Bars": (
        "2019 studio album by Oda & Pim",
        "Counting Bars is an album by Oda & Pim, two percussionists who met in the back row of an orchestra. Three of its eight "
        "songs are silent, and one of these is too early.",
    ),
    "Étude fyrir skúffu": (
        "2017 studio album by Ólafía Tréskó",
        "Étude fyrir skúffu (“study for a drawer”) is the first album by Ólafía Tréskó, made of the sounds of one chest of "
        "drawers that she opened 412 times.",
    ),
    "Ólafía Tréskó": (
        "2022 studio album by Ólafía Tréskó",
        "Ólafía Tréskó is the second album by Ólafía Tréskó, and is named after her, since she had lent the title to somebody.",
    ),
}


def write(folder):
    """Writes `albums.tsv` and `covers/` into the folder of the sample box."""
    lines = []
    for artist in ARTISTS:
        lines.append((f"artist/{ARTISTS[artist][0]}", artist_row(artist)))
        albums = [album_row(album) for album in ALBUMS if album[1] == artist]
        lines.append((f"albums/{artist}", answer([artist_row(artist), *albums])))
    for album in ALBUMS:
        lines.append((f"tracks/{album[0]}", answer([album_row(album), *track_rows(album)])))
    for number, (name, (summary, extract)) in enumerate(ARTICLES.items(), start=1):
        page = {"pageid": number, "index": 1, "title": name, "description": summary, "extract": extract, "lastrevid": 1}
        lines.append((f"article/{name}", page))
    text = "".join(f"{question}\t{json.dumps(value, ensure_ascii=False, sort_keys=True)}\n" for question, value in lines)
    (folder / "albums.tsv").write_text(text, encoding="utf-8")
    covers = folder / "covers"
    covers.mkdir(exist_ok=True)
    for slug in sorted({album[5] for album in ALBUMS}):
        cover(slug, covers)


def answer(rows):
    return {"resultCount": len(rows), "results": rows}


def artist_row(artist):
    name, genre = ARTISTS[artist]
    return {"wrapperType": "artist", "artistType": "Artist", "artistName": name, "artistId": artist, "primaryGenreName": genre}


def album_row(album):
    number, artist, name, date, words, slug, discs = album
    return {
        "wrapperType": "collection",
        "collectionType": "Album",
        "artistId": artist,
        "collectionId": number,
        "artistName": ARTISTS[artist][0],
        "collectionName": name,
        "collectionExplicitness": words,
        "artworkUrl100": f"https://is1-ssl.mzstatic.com/samples/{slug}/100x100bb.png",
        "trackCount": sum(map(len, discs)),
        "copyright": "Invented for Longbox",
        "releaseDate": f"{date}T08:00:00Z",
        "primaryGenreName": ARTISTS[artist][1],
    }


def track_rows(album):
    number, artist, _, _, _, _, discs = album
    rows = []
    for disc, songs in enumerate(discs, start=1):
        for place, song in enumerate(songs, start=1):
            # A place without a song is one that is not sold.
            if song is None:
                continue
            rows.append({
                "wrapperType": "track",
                "kind": "song",
                "artistId": artist,
                "collectionId": number,
                "trackId": number * 1000 + disc * 100 + place,
                "artistName": ARTISTS[artist][0],
                "trackName": song[0],
                "trackCensoredName": song[0],
                "trackTimeMillis": song[1] * 1000,
                "discCount": len(discs),
                "discNumber": disc,
                "trackCount": len(songs),
                "trackNumber": place,
            })
    return rows


def cover(slug, folder):
    """A sleeve of flat paper shapes, the same for a name each time."""
    dice = random.Random(slug)
    paper = dice.choice(["#f3ead7", "#20242c", "#e9d8c4", "#2d3b36"])
    inks = dice.sample(["#c8553d", "#588b8b", "#f28f3b", "#ffd5c2", "#8d6a9f", "#5c8001"], 3)
    scale = 2
    sheet = Image.new("RGB", (SIDE * scale, SIDE * scale), paper)
    pen = ImageDraw.Draw(sheet)
    step = SIDE * scale // 6
    for row in range(1, 5):
        for column in range(1, 5):
            x, y = column * step, row * step
            box = (x + step // 10, y + step // 10, x + step - step // 10, y + step - step // 10)
            ink = dice.choice(inks)
            match dice.randrange(5):
                case 0:
                    pen.rectangle(box, fill=ink)
                case 1:
                    pen.ellipse(box, fill=ink)
                case 2:
                    pen.pieslice(box, dice.randrange(4) * 90, dice.randrange(2, 4) * 90 + 180, fill=ink)
                case 3:
                    pen.line((box[0], box[1], box[2], box[3]), fill=ink, width=step // 6)
    whole = sheet.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    for name, side in ((slug, SIDE), (f"{slug}_small", SMALL)):
        image = whole.resize((side, side), Image.Resampling.LANCZOS)
        image.quantize(16, dither=Image.Dither.NONE).save(folder / f"{name}.png", optimize=True)
