# Longbox
# SPDX-License-Identifier: MIT
"""The strips: people (and a robot, and a cat) who talk in panels."""

from .cast import MARLOW, ODA, PIM, TILDA, WREN, Person
from .furniture import carton, cat, robot
from .ink import Paper, box, oval
from .lettering import caption, measure, say, write


def floor(p: Paper, x, y, width):
    """The line that everybody stands on, with a few specks."""
    p.line(x + 6, y, x + width - 6, y, 1.4)
    for _ in range(int(width / 45)):
        sx, sy = x + p.random.uniform(10, width - 24), y + p.random.uniform(6, 14)
        p.line(sx, sy, sx + p.random.uniform(4, 12), sy, 1.0)


def shelf(p: Paper, x, y, width, height, rows, labels=(), size=11):
    """A rack of archive boxes, seen from the front."""
    p.shape(box(x, y, width, height), width=1.8, smooth=False)
    high = height / rows
    names = iter(labels)
    for row in range(rows):
        base = y + (row + 1) * high
        p.line(x, base, x + width, base, 1.8)
        at = x + 5
        while at < x + width - 30:
            wide = min(p.random.uniform(40, 54), x + width - 5 - at)
            tall = high * p.random.uniform(0.68, 0.82)
            p.shape(box(at, base - tall, wide, tall), width=1.4, smooth=False, wobble=0.4)
            name = next(names, "")
            label = box(at + 4, base - tall * 0.72, wide - 8, size * 1.35)
            p.shape(label, width=0.9, smooth=False, wobble=0.2)
            if name:
                write(p, at + wide / 2, base - tall * 0.72 + size * 0.68, name,
                      min(size, (wide - 11) / measure(name, 1)), "middle")
            else:
                p.line(at + 9, base - tall * 0.72 + size * 0.7, at + wide - 10,
                       base - tall * 0.72 + size * 0.7, 0.9)
            p.dot(at + wide / 2, base - tall * 0.2, 2.2)
            at += wide + p.random.uniform(2, 5)


def miscellaneous() -> Paper:
    """The box for things that fit in no box: the paradox of every archive."""
    p = Paper(640, 700, "miscellaneous")
    frames = [(8, 8), (324, 8), (8, 354), (324, 354)]
    w, h, ground = 308, 338, 304
    for x, y in frames:
        p.panel(x, y, w, h)
        floor(p, x, y + ground + 2, w)

    x, y = frames[0]
    shelf(p, x + 12, y + 142, 100, 163, 3, ["MAPS", "SONGS", "BONES", "SPOONS", "OWLS", "FORMS"])
    carton(p, x + 196, y + ground + 2, 50, 34, "MISC.", size=13)
    oda = Person(p, x + 154, y + ground, 146, ODA, 1, "glad", (0.3, 0.42))
    Person(p, x + 280, y + ground, 112, PIM, -1, "calm")
    say(p, x + 158, y + 18, "THIS IS THE BOX FOR THINGS THAT DON'T FIT IN ANY OTHER BOX.", oda.above,
        width=250)

    x, y = frames[1]
    carton(p, x + 112, y + ground + 2, 70, 50, "MISC.", size=16)
    pim = Person(p, x + 258, y + ground, 112, PIM, -1, "wide", (0.4, 0.46))
    oda = Person(p, x + 58, y + ground, 146, ODA, 1, "calm", "down", "hip")
    say(p, x + 200, y + 16, "AND WHICH BOX IS THAT BOX IN?", pim.above, width=190)
    say(p, x + 86, y + 84, "NONE. IT'S A BOX.", oda.above, width=120)

    x, y = frames[2]
    carton(p, x + 112, y + ground + 2, 70, 50, "MISC.", size=16)
    pim = Person(p, x + 256, y + ground, 112, PIM, -1, "glad", "up")
    oda = Person(p, x + 58, y + ground, 146, ODA, 1, "startled", "chin")
    say(p, x + 164, y + 14, "SO IT DOESN'T FIT IN ANY OTHER BOX. SO IT GOES IN THE BOX.", pim.above,
        width=230)
    say(p, x + 42, y + 92, "...", oda.above, size=24, width=60)

    x, y = frames[3]
    bot = robot(p, x + 50, y + ground + 2, 128, 1, "busy", ("down", "front"))
    for dx, dy, r in ((-2, -12, 5), (8, -28, 8), (-6, -50, 12)):
        p.shape(oval(bot[0] + dx, bot[1] + dy, r, r * 0.8, steps=9), width=1.3, wobble=1.2)
    carton(p, x + 96, y + ground + 2, 66, 50, "MISC.", size=16, lid=False)
    cat(p, x + 134, y + ground - 48, 62, 1, "peek")
    oda = Person(p, x + 206, y + ground, 146, ODA, -1, "worried", "chin")
    pim = Person(p, x + 278, y + ground, 112, PIM, -1, "glad", "none", "down")
    caption(p, x + 10, y + 12, "TUESDAY.", 15)
    say(p, x + 190, y + 12, "IBID HAS BEEN ON IT SINCE NOON.", oda.above, width=160)
    say(p, x + 254, y + 90, "THE CAT FITS.", pim.above, size=16, width=80)
    return p


def deja_vu() -> Paper:
    """A conversation that is answered from the cache, even when asked about the cache."""
    p = Paper(640, 640, "deja-vu")
    frames = [(8, 8), (324, 8), (8, 324), (324, 324)]
    w, h, ground = 308, 308, 282
    first, doubt = "HAVE WE HAD THIS CONVERSATION BEFORE?", "BUT WHAT IF THE ANSWER HAS CHANGED SINCE?"
    for k, (x, y) in enumerate(frames):
        asks = k == 2
        p.random.seed("the same again")
        p.panel(x, y, w, h)
        floor(p, x, y + ground + 2, w)
        p.shape(box(x + 128, y + ground - 62, 56, 6), width=1.6, smooth=False)
        p.line(x + 134, y + ground - 55, x + 130, y + ground, 1.8)
        p.line(x + 178, y + ground - 55, x + 182, y + ground, 1.8)
        _teapot(p, x + 152, y + ground - 62, steam=k == 0)
        wren = Person(p, x + 62, y + ground, 140, WREN, 1, "worried" if asks else "calm",
                      "chin" if asks else "front")
        tilda = Person(p, x + 250, y + ground, 134, TILDA, -1, "stern" if asks else "glad",
                       "hip" if asks else "out")
        say(p, x + 122, y + 16, doubt if asks else first, wren.above, width=200)
        say(p, x + 230, y + 78, "..." if asks else "YES. IT'S CACHED.", tilda.above, 24 if asks else 17,
            width=110)
    return p


def _teapot(p: Paper, x, y, steam):
    p.shape(oval(x, y - 11, 15, 11), width=1.6, wobble=0.4)
    p.stroke([(x + 13, y - 9), (x + 22, y - 14), (x + 25, y - 20)], 2.6)
    p.stroke(oval(x - 15, y - 11, 8, 7, 90, 280), 1.8)
    p.dot(x, y - 23, 2.4)
    if steam:
        for dx in (-4, 4):
            p.stroke([(x + dx, y - 30), (x + dx + 4, y - 36), (x + dx - 2, y - 42), (x + dx + 3, y - 49)],
                     1.1)


def dear_firstname() -> Paper:
    """Mail merge, answered in kind."""
    p = Paper(740, 336, "dear-firstname")
    x = 8
    floor(p, x, 304, 236)
    marlow = Person(p, x + 66, 302, 142, MARLOW, 1, "wide", (0.26, 0.52))
    hx, hy = marlow.hand
    p.shape([(hx - 4, hy - 20), (hx + 24, hy - 24), (hx + 28, hy + 10), (hx + 2, hy + 12)], width=1.5,
            smooth=False)
    for k in range(4):
        p.line(hx + 3, hy - 14 + k * 6, hx + 21, hy - 16 + k * 6, 0.9)
    tilda = Person(p, x + 190, 302, 134, TILDA, -1, "calm")
    say(p, x + 116, 18, "A LETTER! 'DEAR <FIRSTNAME>, YOU ARE NOT JUST A NUMBER TO US.'", marlow.above, 17,
        205)
    x = 252
    floor(p, x, 304, 236)
    tilda = Person(p, x + 184, 302, 134, TILDA, -1, "worried", "out")
    marlow = Person(p, x + 60, 302, 142, MARLOW, 1, "calm", "hip")
    say(p, x + 158, 18, "OH DEAR. ARE YOU HURT?", tilda.above, 17, 130)
    say(p, x + 82, 88, "NO. I'M WRITING BACK.", marlow.above, 17, 120)
    x = 496
    _letter(p, x + 18, 26, 198, 200)
    _hand(p, x + 119, 218)
    for x in (8, 252, 496):
        p.panel(x, 8, 236, 320)
    return p


def _letter(p: Paper, x, y, w, h):
    p.shape([(x, y + 6), (x + w, y), (x + w + 2, y + h), (x + 4, y + h + 6)], width=1.8, smooth=False)
    lines = ["DEAR <COMPANY>,", "", "I OFTEN LIE AWAKE", "THINKING OF", "<YOUR PRODUCT>.", "",
             "FOREVER YOURS,", "<LASTNAM"]
    for k, line in enumerate(lines):
        write(p, x + 18, y + 26 + k * 22.5, line, 16.5)


def _hand(p: Paper, x, y):
    """A large mitten hand with a pen; (x, y) is the nib."""
    p.shape([(x, y), (x + 12, y + 3), (x + 76, y + 56), (x + 66, y + 66), (x + 5, y + 12)], width=1.8,
            smooth=False)
    p.fill([(x, y), (x + 12, y + 3), (x + 5, y + 12)], p.ink)
    p.shape([(x + 30, y + 44), (x + 24, y + 34), (x + 34, y + 24), (x + 52, y + 30), (x + 84, y + 36),
             (x + 98, y + 58),
             (x + 84, y + 82), (x + 52, y + 76), (x + 36, y + 60)], width=2.0)
    p.stroke([(x + 26, y + 36), (x + 42, y + 44), (x + 56, y + 44)], 1.6)
    p.stroke([(x + 33, y + 54), (x + 48, y + 58), (x + 60, y + 56)], 1.6)
    cuff = p.shape([(x + 92, y + 40), (x + 112, y + 62), (x + 112, y + 100), (x + 70, y + 88)], width=2.0,
                   smooth=False)
    p.hatch(cuff, 88, 8, 1.0, cross=True)


def question_and_answer() -> Paper:
    """A talk, a comment, and a sandwich."""
    p = Paper(740, 346, "q-and-a")
    for x in (8, 252):
        p.panel(x, 8, 236, 330)
        p.shape(box(x + 8, 268, 220, 8), width=1.8, smooth=False, hatch={"angle": 60, "gap": 6})
        _audience(p, x, 332, 236, raised=x > 8)
    p.shape(box(124, 124, 106, 88), fill=p.ink, width=2, smooth=False)
    for line, text in enumerate(("A = B", "B = C", "Q.E.D.")):
        write(p, 177, 144 + line * 24, text, 18, "middle", ink=255)
    wren = Person(p, 66, 267, 136, WREN, 1, "glad", (0.36, 0.6))
    say(p, 126, 18, "WE HAVE TIME FOR ONE QUESTION.", wren.above, 17, 190)
    Person(p, 252 + 60, 267, 136, WREN, 1, "calm", "hip", "hip")
    say(p, 252 + 130, 18, "THIS IS LESS OF A QUESTION AND MORE OF A COMMENT.", (252 + 186, 252), 17, 180)
    x = 496
    p.panel(x, 8, 236, 330)
    floor(p, x, 314, 236)
    p.shape(box(x + 152, 150, 70, 164), width=2, smooth=False)
    p.shape([(x + 152, 150), (x + 182, 160), (x + 182, 328), (x + 152, 314)], width=1.8, smooth=False,
            hatch={"angle": 80})
    p.shape(box(x + 158, 126, 58, 20), width=1.5, smooth=False)
    write(p, x + 187, 136, "EXIT", 14, "middle")
    wren = Person(p, x + 104, 312, 136, WREN, 1, "glad", (0.3, 0.5), "back", tilt=7)
    hx, hy = wren.hand
    p.shape([(hx - 8, hy + 3), (hx + 8, hy - 15), (hx + 27, hy - 3)], width=1.7, smooth=False)
    p.shape([(hx - 8, hy + 3), (hx + 27, hy - 3), (hx + 28, hy + 4), (hx - 6, hy + 10)], width=1.7,
            smooth=False)
    for dy in (0, 22, 44):
        p.line(x + 26 - dy * 0.2, 226 + dy, x + 54 - dy * 0.4, 226 + dy, 1.3)
    say(p, x + 118, 18, "THEN MY ANSWER IS LESS OF AN ANSWER AND MORE OF A SANDWICH.", (x + 100, 172), 17,
        200)
    return p


def _audience(p: Paper, x, y, width, raised):
    """The backs of heads, and one raised hand."""
    if raised:
        p.shape([(x + 182, y - 2), (x + 180, y - 62), (x + 193, y - 62), (x + 196, y - 2)], width=1.7,
                smooth=False)
        p.shape(oval(x + 186, y - 67, 8), width=1.7)
    for k, (at, r) in enumerate(((26, 17), (70, 16), (112, 18), (160, 18), (212, 16))):
        cx, cy = x + at, y - 24
        p.shape(oval(cx, cy, r, r * 1.1), fill=p.ink if k in (1, 3) else 255, width=1.8,
                hatch={"angle": 70, "gap": 4.5} if k in (0, 4) else None)
        if k == 1:
            p.shape(oval(cx, cy - r - 4, 6), fill=p.ink, width=1)
        p.shape([(cx - r - 6, y), (cx - r + 2, cy + r - 1), (cx + r - 2, cy + r - 1), (cx + r + 6, y)],
                width=1.8, smooth=False)


def transparency() -> Paper:
    """A painting of whatever is behind it. The picture's own ground is transparent."""
    p = Paper(560, 400, "transparency")
    p.line(20, 372, 540, 372, 1.6)
    for x0, x1 in ((282, 256), (392, 420)):
        p.line(x0, 300, x1, 371, 3)
    p.line(337, 96, 337, 118, 3)
    p.shape(box(238, 118, 198, 180), width=2.6, smooth=False, fill=None)
    p.shape(box(250, 130, 174, 156), width=1.8, smooth=False, fill=None)
    for a, b in (((238, 118), (250, 130)), ((436, 118), (424, 130)), ((238, 298), (250, 286)),
                 ((436, 298), (424, 286))):
        p.line(*a, *b, 1.5)
    p.line(230, 304, 444, 304, 3)
    oda = Person(p, 118, 370, 168, ODA, 1, "glad", "point")
    pim = Person(p, 500, 370, 128, PIM, -1, "wide", "chin")
    cat(p, 190, 371, 52, 1)
    say(p, 132, 50, "I CALL IT 'WHATEVER IS BEHIND IT'.", oda.above, 18, 200)
    say(p, 480, 30, "IT GOES WITH EVERYTHING.", pim.above, 18, 130)
    return p


def this_way_up() -> Paper:
    """The arrow on the box is right; so the room must be wrong."""
    p = Paper(430, 440, "this-way-up")
    p.panel(8, 8, 414, 424)
    floor(p, 8, 405, 414)
    p.shape([(146, 282), (174, 266), (306, 266), (278, 282)], width=2, smooth=False)
    p.shape([(278, 282), (306, 266), (306, 390), (278, 405)], width=2, smooth=False, hatch={"angle": 65})
    p.shape(box(146, 282, 132, 123), width=2.2, smooth=False)
    arrow = [(184, 332), (226, 332), (226, 314), (266, 345), (226, 376), (226, 358), (184, 358)]
    p.shape(arrow, fill=p.ink, width=1.5, smooth=False)
    write(p, 164, 345, "THIS WAY UP", 15, "middle", angle=90)
    pim = Person(p, 76, 404, 122, PIM, 1, "worried", "point")
    oda = Person(p, 358, 404, 160, ODA, -1, "stern", "hip")
    say(p, 118, 24, "IT'S LYING ON ITS SIDE.", pim.above, 19, 160)
    say(p, 262, 104, "THE BOX WAS PACKED BY EXPERTS. TURN THE ROOM.", oda.above, 19, 210)
    return p


def steady_state() -> list[Paper]:
    """Ninety-nine per cent: as much is poured in as the cat laps up. Eight frames."""
    frames = []
    for k in range(8):
        p = Paper(480, 330, "steady-state", scale=4)
        p.panel(6, 6, 468, 318)
        floor(p, 6, 296, 468)
        write(p, 240, 44, "LOADING" + "." * (k // 2 % 4), 26, "middle")
        write(p, 240, 80, "99 PER CENT", 20, "middle")
        level = 232 + (2, 1, 0, 1, 2, 1, 0, 1)[k]
        p.shape([(132, 206), (356, 206), (356, 294), (132, 294)], width=2.4, smooth=False)
        p.shape([(136, level), (180, level - 2), (230, level + 1.5), (290, level - 1), (352, level),
                 (352, 291), (136, 291)],
                fill=196, width=1.2, smooth=False, wobble=0.8)
        p.random.seed(f"ripple {k}")
        for _ in range(4):
            x, y = p.random.uniform(150, 330), p.random.uniform(level + 10, 284)
            p.stroke([(x, y), (x + 7, y - 2), (x + 14, y)], 1.2)
        p.random.seed("people")
        p.shape(box(30, 254, 70, 42), width=1.8, smooth=False, hatch={"angle": 88, "gap": 9})
        pim = Person(p, 62, 254, 118, PIM, 1, "calm", (0.36, 0.63), (0.2, 0.5))
        hx, hy = pim.hand
        p.shape([(hx - 4, hy - 16), (hx + 30, hy - 6), (hx + 20, hy + 18), (hx - 8, hy + 8)], width=1.9,
                smooth=False)
        p.stroke([(hx + 29, hy - 5), (hx + 44, hy + 12), (150, 196), (152, level)], 5.5, ink=196, wobble=0.3)
        for j in range(3):
            y = (hy + 20 + (k * 9 + j * 27) % 78)
            p.line(151 + j, y, 152 + j, min(level, y + 9), 1.4)
        p.shape(box(376, 240, 66, 56), width=1.8, smooth=False, hatch={"angle": 88, "gap": 9})
        cat(p, 402, 240, 70, -1, "sit", eyes="shut" if k % 4 < 2 else "open")
        straw = [(390, 197), (366, 188), (352, 206), (330, level + 34)]
        p.stroke(straw, 7.5, wobble=0.2, smooth=False)
        p.stroke(straw, 4.2, ink=255, wobble=0.2, smooth=False)
        for j in range(3):
            t = ((j * 0.33 + (7 - k) / 8 * 0.33) % 1)
            p.dot(352 - 22 * t, 206 + (level + 28 - 206) * t, 1.8, ink=120)
        if k % 4 < 2:
            write(p, 398, 150, "SLURP", 16 + k % 4, "middle")
        frames.append(p)
    return frames
