# Longbox
# SPDX-License-Identifier: MIT
"""Two quiet pictures: a night sky and a cabinet of cards."""

import math

from .cast import ODA, PIM, Person
from .furniture import cat, robot
from .ink import Paper, box, oval
from .lettering import say, write


def new_constellations() -> Paper:
    """The night sky, brought up to date."""
    p = Paper(740, 640, "new-constellations", paper=36, ink=236)
    p.random.seed("stars")
    for _ in range(230):
        x, y = p.random.uniform(6, 734), p.random.uniform(6, 520)
        p.dot(x, y, p.random.choice((0.6, 0.6, 0.8, 1.0)), ink=150)
    figures = [
        ("THE CURSOR", (78, 158), [(60, 40), (60, 122), (80, 104), (94, 134), (106, 128), (92, 100),
                                   (116, 98), (60, 40)]),
        ("THE GREAT PAPERCLIP", (258, 176), [(200, 120), (212, 60), (250, 40), (276, 66), (258, 138),
                                             (234, 144), (226, 118),
                                             (242, 72)]),
        ("THE LESSER CHARGER", (448, 196), [(366, 150), (390, 170), (420, 140), (450, 158), (476, 116),
                                            (476, 92), (462, 92),
                                            (462, 70), (500, 70), (500, 92), (476, 92)]),
        ("THE ODD SOCK", (640, 172), [(610, 42), (648, 40), (650, 92), (690, 118), (684, 140), (634, 132),
                                      (612, 102), (610, 42)]),
        ("THE OPEN TAB", (96, 336), [(36, 312), (36, 252), (60, 252), (70, 230), (110, 230), (120, 252),
                                     (164, 252), (164, 312),
                                     (36, 312)]),
        ("THE LOST BRACKET", (330, 346), [(352, 228), (324, 240), (314, 276), (324, 312), (354, 324)]),
    ]
    for name, (x, y), points in figures:
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            length = math.hypot(x1 - x0, y1 - y0)
            ux, uy = (x1 - x0) / length, (y1 - y0) / length
            if length > 16:
                p.line(x0 + ux * 7, y0 + uy * 7, x1 - ux * 7, y1 - uy * 7, 1.0, ink=150, wobble=0.3)
        for k, (px, py) in enumerate(dict.fromkeys(points)):
            _star(p, px, py, 3.4 if k % 3 == 0 else 2.4)
        write(p, x, y, name, 15, "middle", ink=205)
    _star(p, 508, 262, 7)
    hill = [(0, 560), (110, 540), (240, 520), (400, 516), (560, 536), (740, 572), (740, 640), (0, 640)]
    ridge = p.trace(hill[:6], wobble=0.8)
    p.fill([*ridge, *hill[6:]], 73)
    p.ink_line(ridge, 2.2, taper=False)
    p.random.seed("grass")
    for _ in range(46):
        x, y = p.random.uniform(10, 730), p.random.uniform(584, 634)
        p.line(x, y, x + p.random.uniform(-3, 3), y - 8, 1.0, ink=130)
    p.line(352, 524, 378, 470, 3)
    p.line(404, 526, 378, 470, 3)
    p.line(378, 524, 378, 470, 2.4)
    p.shape([(340, 488), (334, 474), (432, 408), (444, 428)], width=2.2, smooth=False)
    p.line(420, 414, 434, 436, 2)
    Person(p, 316, 524, 104, PIM, 1, "wide", "out")
    oda = Person(p, 560, 540, 136, ODA, -1, "calm", "down")
    cat(p, 216, 524, 44, 1, "loaf", tone=36)
    say(p, 190, 352, "WHAT'S THE BRIGHT ONE?", (294, 410), 17, 130)
    say(p, 612, 304, "A SATELLITE. IT SELLS SHOES.", oda.above, 17, 170)
    return p


def _star(p: Paper, x, y, r):
    for k in range(4):
        a = math.radians(45 * k + 22)
        reach = r * (1.7 if k % 2 == 0 else 1.1)
        p.line(x - reach * math.cos(a), y - reach * math.sin(a), x + reach * math.cos(a),
               y + reach * math.sin(a), 1.0, wobble=0.1)
    p.dot(x, y, r * 0.62)


CARDS = [
    "A - AARDVARK", "AARDVARK\n(MORE)", "B - BEES", "BEES, CONT'D",
    "CATS, SEE:\nWARM PLACES", "D - DUST", "DRAFTS,\nFINAL", "DRAFTS, FINAL\n(NEW) (2)",
    "IBID.", "IBID.", "JOKES\n(IN ORDER)", "MAC, MC, MAK\n& OTHER WARS",
    "NULL", "OP. CIT.", "QUIET\nPLEASE", "RECURSION,\nSEE: THIS",
    "SPOONS", "WARM PLACES,\nSEE: CATS", "X (UNUSED)", "ZZZ",
]


def card_catalogue() -> Paper:
    """A cabinet of twenty drawers, one of them warm."""
    p = Paper(700, 620, "card-catalogue")
    left, top, wide, high = 32, 56, 140, 84
    p.shape(box(left - 14, top - 14, wide * 4 + 28, high * 5 + 28), width=2.8, smooth=False)
    p.shape([(left - 24, top - 32), (left + wide * 4 + 24, top - 32), (left + wide * 4 + 16, top - 14),
             (left - 16, top - 14)],
            width=2.6, smooth=False, hatch={"angle": 0, "gap": 5})
    for x in (left, left + wide * 4 - 26):
        p.shape([(x, top + high * 5 + 14), (x + 26, top + high * 5 + 14), (x + 20, 598), (x + 6, 598)],
                width=2.4, smooth=False,
                hatch={"angle": 85, "gap": 5})
    p.line(10, 598, 690, 598, 1.6)
    for k, text in enumerate(CARDS):
        x, y = left + k % 4 * wide, top + k // 4 * high
        if k == 17:
            continue
        p.shape(box(x + 3, y + 3, wide - 6, high - 6), width=1.9, smooth=False)
        p.stroke([(x + 8, y + high - 10), (x + wide - 9, y + high - 10)], 0.9)
        _label(p, x + wide / 2, y + 30, text, wide)
        p.shape(oval(x + wide / 2, y + 64, 7, 6), width=1.8)
        p.stroke(oval(x + wide / 2, y + 63, 3, 2.6, 180, 300), 1)
    x, y = left + wide, top + 4 * high
    p.shape(box(x + 3, y + 3, wide - 6, high - 6), fill=p.ink, width=1.9, smooth=False)
    cat(p, x + 64, y + 54, 86, 1, "sleep", tone=255)
    p.shape([(x - 4, y + 50), (x + wide + 4, y + 50), (x + wide + 8, y + 126), (x - 8, y + 126)], width=2.4,
            smooth=False)
    _label(p, x + wide / 2, y + 74, CARDS[17], wide)
    p.shape(oval(x + wide / 2, y + 109, 8, 7), width=1.9)
    Person(p, 646, 598, 148, ODA, -1, "glad", (0.2, 0.66), "hip")
    robot(p, 452, 598, 88, 1, "calm", ("down", "up"))
    write(p, x + 124, y + 6, "z", 13, ink=236)
    write(p, x + 112, y + 14, "z", 10, ink=236)
    return p


def _label(p: Paper, x, y, text, wide):
    lines = text.split("\n")
    p.shape(box(x - wide / 2 + 10, y - 20, wide - 20, 40), width=1.3, smooth=False, wobble=0.3)
    for k, line in enumerate(lines):
        write(p, x, y + (k - (len(lines) - 1) / 2) * 17, line, 13.5, "middle")
