# Longbox
# SPDX-License-Identifier: MIT
"""The strips: people (and a robot, and a cat) who talk in panels."""

from .cast import MARLOW, ODA, PIM, TILDA, WREN, Person, carton, cat, robot
from .ink import Paper, box, oval
from .lettering import block, caption, measure, say, write


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
                p.line(at + 9, base - tall * 0.72 + size * 0.7, at + wide - 10, base - tall * 0.72 + size * 0.7, 0.9)
            p.dot(at + wide / 2, base - tall * 0.2, 2.2)
            at += wide + p.random.uniform(2, 5)


def miscellaneous() -> Paper:
    """The box for things that fit in no box: the paradox of every archive."""
    p = Paper(640, 700, "miscellaneous")
    frames = [(8, 8), (324, 8), (8, 354), (324, 354)]
    w, h = 308, 338
    for x, y in frames:
        p.panel(x, y, w, h)
    # 1: the rule
    x, y = frames[0]
    shelf(p, x + 14, y + 140, 112, 152, 3, ["MAPS", "SONGS", "BONES", "SPOONS", "OWLS", "FORMS"])
    floor(p, x, y + 306, w)
    oda = Person(p, x + 176, y + 304, 138, ODA, 1, "glad", "point", "down")
    pim = Person(p, x + 264, y + 304, 106, PIM, -1, "calm", "down", "down")
    say(p, x + 154, y + 14, "THIS IS THE BOX FOR THINGS THAT DON'T FIT IN ANY OTHER BOX.", oda.above, width=240)
    carton(p, x + 196, y + 325, 46, 30, "MISC.", size=12)
    # 2: the question
    x, y = frames[1]
    floor(p, x, y + 306, w)
    carton(p, x + 122, y + 306, 64, 46, "MISC.", size=15)
    pim = Person(p, x + 250, y + 304, 106, PIM, -1, "upwards", "point", "down")
    oda = Person(p, x + 62, y + 304, 138, ODA, 1, "calm", "down", "hip")
    say(p, x + 184, y + 16, "AND WHICH BOX IS THE BOX IN?", pim.above, width=190)
    say(p, x + 92, y + 92, "NONE. IT'S A BOX.", oda.above, width=120)
    # 3: the trap shuts
    x, y = frames[2]
    floor(p, x, y + 306, w)
    carton(p, x + 122, y + 306, 64, 46, "MISC.", size=15)
    pim = Person(p, x + 246, y + 304, 106, PIM, -1, "glad", "up", "down")
    oda = Person(p, x + 62, y + 304, 138, ODA, 1, "startled", "chin", "down")
    say(p, x + 166, y + 14, "SO IT DOESN'T FIT IN ANY OTHER BOX. SO IT GOES IN THE BOX.", pim.above, width=230)
    say(p, x + 50, y + 108, "...", oda.above, width=60)
    # 4: the consequence
    x, y = frames[3]
    floor(p, x, y + 306, w)
    bot = robot(p, x + 62, y + 306, 128, 1, "busy", ("down", "front"))
    for k, (dx, dy, r) in enumerate(((-2, -12, 5), (7, -27, 8), (-5, -46, 11))):
        p.shape(oval(bot[0] + dx, bot[1] + dy, r, r * 0.8, steps=9), width=1.3, wobble=1.2)
    carton(p, x + 122, y + 306, 64, 46, "MISC.", size=15, lid=False)
    cat(p, x + 160, y + 262, 62, -1, "peek")
    oda = Person(p, x + 216, y + 304, 138, ODA, -1, "worried", "hip", "down")
    pim = Person(p, x + 274, y + 304, 106, PIM, -1, "calm", "down", "down")
    caption(p, x + 10, y + 10, "TUESDAY.", 15)
    say(p, x + 206, y + 14, "IBID HAS BEEN ON IT SINCE NOON.", oda.above, width=150)
    say(p, x + 104, y + 100, "THE CAT FITS.", (x + 150, y + 222), width=110)
    return p


def deja_vu() -> Paper:
    """A conversation that is answered from the cache, even when asked about the cache."""
    p = Paper(640, 560, "deja-vu")
    frames = [(8, 8), (324, 8), (8, 284), (324, 284)]
    w, h = 308, 268
    asks = ["HAVE WE HAD THIS CONVERSATION BEFORE?", "HAVE WE HAD THIS CONVERSATION BEFORE?",
            "WHAT IF THE ANSWER HAS CHANGED SINCE?", "HAVE WE HAD THIS CONVERSATION BEFORE?"]
    for k, ((x, y), ask) in enumerate(zip(frames, asks)):
        p.panel(x, y, w, h)
        if k != 2:
            p.random.seed("deja-vu")
        floor(p, x, y + 244, w)
        p.shape(box(x + 128, y + 182, 56, 6), width=1.6, smooth=False)
        p.line(x + 134, y + 188, x + 130, y + 243, 1.8)
        p.line(x + 178, y + 188, x + 182, y + 243, 1.8)
        _teapot(p, x + 152, y + 181, steam=k == 0)
        wren = Person(p, x + 64, y + 242, 126, WREN, 1, "worried" if k == 2 else "calm", "chin" if k == 2 else "front")
        tilda = Person(p, x + 246, y + 242, 122, TILDA, -1, "stern" if k == 2 else "glad", "hip" if k == 2 else "out")
        say(p, x + 118, y + 12, ask, wren.above, width=190, size=16)
        say(p, x + 232, y + 70, "..." if k == 2 else "YES. IT'S CACHED.", tilda.above, width=130, size=16)
    return p


def _teapot(p: Paper, x, y, steam):
    p.shape(oval(x, y - 11, 15, 11), width=1.6, wobble=0.4)
    p.stroke([(x + 13, y - 9), (x + 22, y - 14), (x + 25, y - 20)], 2.6)
    p.stroke(oval(x - 15, y - 11, 8, 7, 90, 280), 1.8)
    p.dot(x, y - 23, 2.4)
    if steam:
        for dx in (-4, 4):
            p.stroke([(x + dx, y - 30), (x + dx + 4, y - 36), (x + dx - 2, y - 42), (x + dx + 3, y - 49)], 1.1)


def dear_firstname() -> Paper:
    """Mail merge, answered in kind."""
    p = Paper(740, 330, "dear-firstname")
    frames = [(8, 236), (252, 236), (496, 236)]
    for x, w in frames:
        p.panel(x, 8, w, 314)
    x = 8
    floor(p, x, 300, 236)
    marlow = Person(p, x + 70, 298, 134, MARLOW, 1, "glad", (0.28, 0.52))
    hx, hy = marlow.hand
    p.shape([(hx - 4, hy - 20), (hx + 24, hy - 24), (hx + 28, hy + 10), (hx + 2, hy + 12)], width=1.5, smooth=False)
    for k in range(4):
        p.line(hx + 3, hy - 14 + k * 6, hx + 21, hy - 16 + k * 6, 0.9)
    tilda = Person(p, x + 184, 298, 126, TILDA, -1, "calm", "down")
    say(p, x + 118, 18, "A LETTER! 'DEAR <FIRSTNAME>, YOU ARE NOT JUST A NUMBER TO US.'", marlow.above, 16, 200)
    x = 252
    floor(p, x, 300, 236)
    marlow = Person(p, x + 62, 298, 134, MARLOW, 1, "worried", "hip")
    tilda = Person(p, x + 178, 298, 126, TILDA, -1, "worried", "out")
    say(p, x + 156, 18, "OH DEAR. ARE YOU HURT?", tilda.above, 16, 130)
    say(p, x + 92, 96, "NOT AT ALL. I'M WRITING BACK.", marlow.above, 16, 150)
    x = 496
    _letter(p, x + 18, 26, 200, 196)
    p.shape([(x + 130, 224), (x + 196, 208), (x + 240 - 6, 236), (x + 234, 320), (x + 150, 320)], fill=255, width=0)
    _hand(p, x + 118, 214)
    return p


def _letter(p: Paper, x, y, w, h):
    p.shape([(x, y + 6), (x + w, y), (x + w + 2, y + h), (x + 4, y + h + 6)], width=1.8, smooth=False)
    lines = ["DEAR <COMPANY>,", "", "I OFTEN LIE AWAKE", "THINKING OF", "<YOUR PRODUCT>.", "", "FOREVER YOURS,", "<LASTNAM"]
    for k, line in enumerate(lines):
        write(p, x + 18, y + 26 + k * 22.5, line, 16.5)


def _hand(p: Paper, x, y):
    """A large mitten hand with a pen; (x, y) is the nib."""
    p.shape([(x, y), (x + 12, y + 3), (x + 76, y + 56), (x + 66, y + 66), (x + 5, y + 12)], width=1.8, smooth=False)
    p.fill([(x, y), (x + 12, y + 3), (x + 5, y + 12)], p.ink)
    p.shape([(x + 30, y + 44), (x + 24, y + 34), (x + 34, y + 24), (x + 52, y + 30), (x + 84, y + 36), (x + 98, y + 58),
             (x + 84, y + 82), (x + 52, y + 76), (x + 36, y + 60)], width=2.0)
    p.stroke([(x + 26, y + 36), (x + 42, y + 44), (x + 56, y + 44)], 1.6)
    p.stroke([(x + 33, y + 54), (x + 48, y + 58), (x + 60, y + 56)], 1.6)
    cuff = p.shape([(x + 92, y + 40), (x + 112, y + 62), (x + 112, y + 100), (x + 70, y + 88)], width=2.0, smooth=False)
    p.hatch(cuff, 88, 8, 1.0, cross=True)


def question_and_answer() -> Paper:
    """A talk, a comment, and lunch."""
    p = Paper(740, 340, "q-and-a")
    for x, w in ((8, 236), (252, 236), (496, 236)):
        p.panel(x, 8, w, 324)
    for k, x in enumerate((8, 252)):
        p.shape(box(x + 100, 116, 122, 74), fill=p.ink, width=2, smooth=False)
        for line, text in enumerate(("X = Y", "Y = Z", "Q.E.D.") if k == 0 else ("THANK", "YOU")):
            write(p, x + 161, 132 + line * 21 + k * 9, text, 15, "middle", ink=255)
        _audience(p, x, 322, 236)
    wren = Person(p, 62, 262, 122, WREN, 1, "glad", "point", claim=True)
    say(p, 126, 18, "WE HAVE TIME FOR ONE QUESTION.", wren.above, 16, 190)
    wren = Person(p, 252 + 62, 262, 122, WREN, 1, "calm", "down")
    say(p, 252 + 150, 18, "THIS IS LESS OF A QUESTION AND MORE OF A COMMENT.", (252 + 190, 252), 16, 200)
    x = 496
    floor(p, x, 310, 236)
    p.shape([(x + 150, 130), (x + 222, 130), (x + 222, 309), (x + 150, 309)], width=2, smooth=False)
    p.shape([(x + 150, 130), (x + 180, 142), (x + 180, 322), (x + 150, 309)], width=1.8, smooth=False, hatch={"angle": 80})
    p.shape(box(x + 158, 108, 56, 19), width=1.5, smooth=False)
    write(p, x + 186, 117.5, "EXIT", 13, "middle")
    wren = Person(p, x + 110, 308, 128, WREN, 1, "glad", "out", "back", tilt=7)
    hx, hy = wren.hand
    p.shape([(hx - 2, hy + 2), (hx + 24, hy - 4), (hx + 24, hy + 8), (hx - 1, hy + 12)], width=1.5, smooth=False)
    p.stroke([(hx + 3, hy + 6), (hx + 20, hy + 2)], 2.4)
    for dy in (0, 22, 44):
        p.line(x + 34 - dy * 0.2, 214 + dy, x + 62 - dy * 0.4, 214 + dy, 1.3)
    say(p, x + 118, 18, "THEN MY ANSWER IS LESS OF AN ANSWER AND MORE OF A SANDWICH.", (x + 104, 172), 16, 205)
    return p


def _audience(p: Paper, x, y, width):
    """The backs of heads, and one raised hand."""
    p.shape([(x + 185, y - 2), (x + 182, y - 56), (x + 196, y - 56), (x + 199, y - 2)], width=1.7, smooth=False)
    p.shape(oval(x + 189, y - 62, 8), width=1.7)
    for k, (at, r) in enumerate(((26, 17), (70, 16), (112, 18), (160, 18), (212, 16))):
        cx, cy = x + at, y - 24
        p.shape(oval(cx, cy, r, r * 1.1), fill=p.ink if k in (1, 3) else 255, width=1.8,
                hatch={"angle": 70, "gap": 4.5} if k in (0, 4) else None)
        if k == 1:
            p.shape(oval(cx, cy - r - 4, 6), fill=p.ink, width=1)
        p.shape([(cx - r - 6, y), (cx - r + 2, cy + r - 1), (cx + r - 2, cy + r - 1), (cx + r + 6, y)], width=1.8, smooth=False)


def transparency() -> Paper:
    """A painting of whatever is behind it. The picture's own ground is transparent."""
    p = Paper(560, 400, "transparency")
    p.line(20, 372, 540, 372, 1.6)
    for x0, x1 in ((282, 256), (392, 420)):
        p.line(x0, 300, x1, 371, 3)
    p.line(337, 96, 337, 118, 3)
    p.shape(box(238, 118, 198, 180), width=2.6, smooth=False, fill=None)
    p.shape(box(250, 130, 174, 156), width=1.8, smooth=False, fill=None)
    for a, b in (((238, 118), (250, 130)), ((436, 118), (424, 130)), ((238, 298), (250, 286)), ((436, 298), (424, 286))):
        p.line(*a, *b, 1.5)
    p.line(230, 304, 444, 304, 3)
    oda = Person(p, 118, 370, 168, ODA, 1, "glad", "point")
    pim = Person(p, 500, 370, 128, PIM, -1, "wide", "chin")
    cat(p, 190, 371, 52, 1)
    say(p, 132, 20, "I CALL IT 'WHATEVER IS BEHIND IT'.", oda.above, 18, 200)
    say(p, 466, 46, "IT GOES WITH EVERYTHING.", (508, 214), 18, 130)
    return p


def this_way_up() -> Paper:
    """The arrow on the box is right; so the room must be wrong."""
    p = Paper(420, 460, "this-way-up")
    p.panel(8, 8, 404, 444)
    floor(p, 8, 424, 404)
    front = box(150, 296, 130, 122)
    p.shape([(150, 296), (176, 280), (306, 280), (280, 296)], width=2, smooth=False)
    p.shape([(280, 296), (306, 280), (306, 404), (280, 418)], width=2, smooth=False, hatch={"angle": 65})
    p.shape(front, width=2.2, smooth=False)
    p.shape([(166, 344), (226, 344), (226, 328), (264, 357), (226, 386), (226, 370), (166, 370)], fill=p.ink, width=1.5,
            smooth=False)
    for k, word in enumerate(("THIS", "WAY UP")):
        write(p, 246 - k * 82 + 21, 318 if k else 318, word, 15, "middle", angle=90)
    pim = Person(p, 76, 424, 118, PIM, 1, "worried", "point")
    oda = Person(p, 356, 424, 158, ODA, -1, "stern", "hip", "down")
    say(p, 128, 24, "IT'S LYING ON ITS SIDE.", pim.above, 18, 170)
    say(p, 268, 116, "THE BOX WAS PACKED BY EXPERTS. TURN THE ROOM.", oda.above, 18, 210)
    return p


def steady_state() -> list[Paper]:
    """Ninety-nine per cent: as much is poured in as the cat laps up. Eight frames."""
    frames = []
    for k in range(8):
        p = Paper(480, 330, "steady-state", scale=4)
        p.panel(6, 6, 468, 318)
        floor(p, 6, 296, 468)
        write(p, 240, 44, "LOADING" + "." * (k // 2 % 4), 26, "middle")
        write(p, 240, 78, "99 %", 22, "middle")
        level = 232 + (2, 1, 0, 1, 2, 1, 0, 1)[k]
        p.shape([(132, 206), (356, 206), (356, 294), (132, 294)], width=2.4, smooth=False)
        p.shape([(136, level), (180, level - 2), (230, level + 1.5), (290, level - 1), (352, level), (352, 291), (136, 291)],
                fill=196, width=1.2, smooth=False, wobble=0.8)
        p.random.seed(f"ripple {k}")
        for _ in range(4):
            x, y = p.random.uniform(150, 330), p.random.uniform(level + 10, 284)
            p.stroke([(x, y), (x + 7, y - 2), (x + 14, y)], 1.2)
        p.random.seed("people")
        p.shape(box(30, 254, 70, 42), width=1.8, smooth=False, hatch={"angle": 88, "gap": 9})
        pim = Person(p, 62, 254, 118, PIM, 1, "calm", (0.36, 0.63), (0.2, 0.5))
        hx, hy = pim.hand
        p.shape([(hx - 4, hy - 16), (hx + 30, hy - 6), (hx + 20, hy + 18), (hx - 8, hy + 8)], width=1.9, smooth=False)
        p.stroke([(hx + 29, hy - 5), (hx + 44, hy + 12), (150, 196), (152, level)], 5.5, ink=196, wobble=0.3)
        for j in range(3):
            y = (hy + 20 + (k * 9 + j * 27) % 78)
            p.line(151 + j, y, 152 + j, min(level, y + 9), 1.4)
        down = (0, 1, 2, 1)[k % 4]
        p.shape(box(376, 236, 66, 60), width=1.8, smooth=False, hatch={"angle": 88, "gap": 9})
        cat(p, 398, 236, 66, -1, "sit", eyes="shut" if k % 4 == 2 else "open")
        p.stroke([(386, 197), (366, 199 + down * 4), (349, level - 1 - (2 - down) * 5)], 4.2, wobble=0.3)
        if k % 4 == 0:
            write(p, 420, 150, "LAP", 16, "middle")
        if k % 4 == 2:
            write(p, 436, 126, "LAP", 16, "middle")
        frames.append(p)
    return frames


__all__ = ["block", "deja_vu", "dear_firstname", "miscellaneous", "question_and_answer", "steady_state", "this_way_up",
           "transparency"]
