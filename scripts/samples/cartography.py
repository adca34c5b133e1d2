# Longbox
# SPDX-License-Identifier: MIT
"""A map of an old program."""

import math

from .ink import Paper, box, oval
from .lettering import block, write


def terra_legacia() -> Paper:
    """A map of an old program, by those who left."""
    p = Paper(740, 600, "terra-legacia")
    p.panel(8, 8, 724, 584)
    p.panel(15, 15, 710, 570, 1.2)
    coast = [(176, 196), (214, 168), (226, 128), (276, 122), (318, 132), (352, 92), (400, 78), (436, 96),
             (470, 66), (540, 62),
             (574, 92), (560, 124), (604, 140), (612, 186), (580, 208), (622, 232), (634, 296), (592, 330),
             (606, 372),
             (584, 416), (540, 420), (516, 456), (460, 444), (444, 500), (398, 520), (356, 500), (352, 452),
             (300, 436),
             (252, 446), (196, 420), (206, 370), (168, 344), (152, 300), (196, 276), (190, 248), (158, 236)]
    _sea(p, [(393 + (x - 393) * 1.13, 290 + (y - 290) * 1.15) for x, y in coast])
    line = p.trace(coast, closed=True, wobble=1.8)
    for k in range(0, len(line), 7):
        x, y = line[k]
        way = 1 if x > 393 else -1
        p.line(x, y, x + way * p.random.uniform(7, 15), y, 0.9)
    p.shape(line, width=2.8, wobble=0.2)
    for x, y, s in ((284, 198, 32), (322, 180, 44), (364, 194, 36), (398, 178, 26), (342, 212, 24)):
        p.shape([(x - s * 0.7, y), (x - s * 0.15, y - s * 0.8), (x, y - s), (x + s * 0.2, y - s * 0.75),
                 (x + s * 0.75, y)],
                width=2, smooth=False, wobble=0.8)
        p.hatch([(x, y - s), (x + s * 0.2, y - s * 0.75), (x + s * 0.72, y), (x + s * 0.12, y)], 70, 4, 0.9)
    write(p, 350, 228, "MT. REFACTOR", 17, "middle")
    write(p, 366, 246, "(TALLER THAN IT LOOKS)", 14, "middle")
    p.random.seed("trees")
    trees = sorted(((228 + c * 17 + (r % 2) * 8 + p.random.uniform(-4, 4),
                     322 + r * 14 + p.random.uniform(-3, 3))
                    for r in range(4) for c in range(6)), key=lambda at: at[1])
    for x, y in trees:
        p.line(x, y + 6, x, y + 11, 1.2)
        p.shape([(x - 7, y + 7), (x, y - 12), (x + 7, y + 7)], width=1.4, smooth=False, wobble=0.5)
        p.line(x + 2, y + 4, x + 4, y + 4, 0.8)
    write(p, 278, 392, "TODO FOREST", 17, "middle")
    write(p, 278, 410, "(PLANTED 2009)", 14, "middle")
    for x, y in ((460, 336), (500, 326), (540, 342), (478, 356), (522, 362), (436, 354), (560, 324)):
        p.line(x - 13, y, x + 13, y, 1.2)
        for dx, lean in ((-5, -3), (0, 0), (5, 3)):
            p.line(x + dx, y - 1, x + dx + lean, y - 11, 1.2)
    write(p, 484, 382, "CONFIG SWAMP", 17, "middle")
    write(p, 484, 400, "(NOBODY EVER RETURNS)", 14, "middle")
    p.shape(oval(530, 228, 32, 15), width=1.8, hatch={"angle": 0, "gap": 6})
    write(p, 516, 198, "MEMORY LEAK", 16, "middle")
    p.stroke([(560, 231), (582, 242), (600, 250), (626, 254)], 2)
    p.stroke([(557, 238), (580, 251), (600, 259), (626, 263)], 2)
    for x, y in ((456, 108), (482, 98), (508, 106), (534, 96), (470, 120), (522, 118)):
        _house(p, x, y)
    write(p, 498, 140, "DEPRECATED LANDS", 16, "middle")
    write(p, 498, 158, "(STILL INHABITED)", 14, "middle")
    for x, y in ((204, 206), (228, 196), (226, 218)):
        _house(p, x, y)
    write(p, 232, 244, "PORT 8080", 15, "middle")
    road = p.trace([(218, 264), (256, 284), (318, 276), (372, 270), (430, 286), (486, 292), (540, 282),
                    (580, 290)], wobble=1)
    for k in range(0, len(road) - 9, 15):
        p.ink_line(road[k:k + 9], 1.9)
    p.line(586, 284, 600, 300, 3)
    p.line(600, 284, 586, 300, 3)
    write(p, 408, 304, "THE WORKAROUND", 16, "middle")
    _lighthouse(p, 400, 500)
    write(p, 404, 546, "TESTS", 17, "middle")
    write(p, 404, 564, "(LIT ON WEEKDAYS)", 14, "middle")
    _serpent(p, 62, 350)
    write(p, 88, 390, "HERE BE", 16, "middle")
    write(p, 88, 409, "GLOBALS", 16, "middle")
    for x, y, r in ((640, 382, 8), (662, 398, 11), (688, 388, 6), (676, 420, 7), (650, 424, 5), (700, 410, 8),
                    (634, 406, 4)):
        p.shape(oval(x, y, r, r * 0.7, steps=9), width=1.6, wobble=1.0)
    write(p, 656, 446, "ISLES OF LEFTPAD", 14, "middle")
    _compass(p, 640, 526)
    _ship(p, 674, 158)
    write(p, 670, 192, "NEW HIRE", 15, "middle")
    p.shape([(30, 474), (268, 466), (272, 568), (34, 574)], width=2.2, smooth=False, wobble=1)
    p.stroke([(30, 474), (20, 482), (24, 494), (34, 490)], 1.8)
    p.stroke([(272, 568), (283, 560), (280, 548), (271, 550)], 1.8)
    write(p, 151, 494, "TERRA LEGACIA", 25, "middle")
    block(p, 151, 510, "SURVEYED BY PERSONS WHO HAVE SINCE LEFT", 15, 210, "middle")
    return p


def _sea(p: Paper, shore):
    """Small waves, but not where the coast or a name is."""
    p.random.seed("sea")
    names = [box(20, 452, 272, 130), box(34, 300, 112, 124), box(600, 360, 124, 100), box(556, 462, 170, 120),
             box(620, 96, 110, 110), box(318, 512, 176, 70)]
    for row in range(15):
        for col in range(11):
            x, y = 34 + col * 66 + (row % 2) * 32 + p.random.uniform(-9,
                                                                     9), 40 + row * 37 + p.random.uniform(-6,
                                                                                                          6)
            spots = ((x, y), (x + 20, y))
            if x < 696 and not any(_inside(spot, area) for area in (shore, *names) for spot in spots):
                p.stroke([(x, y), (x + 5, y - 3), (x + 10, y), (x + 15, y - 3), (x + 20, y)], 1.1, ink=110)


def _inside(point, area) -> bool:
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in zip(area, area[1:] + area[:1]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside


def _house(p: Paper, x, y):
    p.shape([(x - 7, y), (x - 7, y - 8), (x + 7, y - 8), (x + 7, y)], width=1.4, smooth=False, wobble=0.3)
    p.shape([(x - 9, y - 8), (x, y - 17), (x + 9, y - 8)], fill=p.ink, width=1.2, smooth=False, wobble=0.3)


def _lighthouse(p: Paper, x, y):
    p.shape([(x - 9, y), (x - 6, y - 42), (x + 6, y - 42), (x + 9, y)], width=1.8, smooth=False)
    for k in (8, 24):
        p.fill([(x - 8.5, y - k), (x - 7.5, y - k - 9), (x + 7.5, y - k - 9), (x + 8.5, y - k)], p.ink)
    p.shape(box(x - 5, y - 53, 10, 11), width=1.6, smooth=False)
    p.shape([(x - 8, y - 53), (x, y - 62), (x + 8, y - 53)], fill=p.ink, width=1.4, smooth=False)
    for dx, dy in ((18, -6), (20, 0), (18, 6), (-18, -6), (-20, 0), (-18, 6)):
        p.line(x + dx * 0.5, y - 48 + dy * 0.5, x + dx * 1.3, y - 48 + dy * 1.3, 1.2)


def _serpent(p: Paper, x, y):
    for k, (w, h) in enumerate(((26, 24), (22, 17), (14, 10))):
        left = x + 22 + (0, 30, 54)[k]
        p.shape([*oval(left, y + 14, w / 2, h, 180, 360, 10)], width=1.9, hatch={"angle": 90, "gap": 5})
        p.line(left - w / 2 - 5, y + 15, left + w / 2 + 5, y + 15, 1.3)
    p.shape([(x - 2, y + 15), (x - 6, y - 14), (x - 22, y - 12), (x - 24, y - 22), (x - 8, y - 30),
             (x + 6, y - 22), (x + 10, y + 15)],
            width=1.9)
    p.dot(x - 8, y - 21, 1.8)
    p.line(x - 4, y + 15, x + 14, y + 15, 1.3)
    p.line(x - 24, y - 17, x - 33, y - 15, 1.2)


def _compass(p: Paper, x, y):
    p.stroke(oval(x, y, 30), 1.8, closed=True)
    for k in range(8):
        a, r = math.radians(k * 45), (26 if k % 2 == 0 else 13)
        tip = (x + r * math.sin(a), y - r * math.cos(a))
        side = [(x + 6 * math.sin(a + t), y - 6 * math.cos(a + t)) for t in (0.8, -0.8)]
        p.shape([side[0], tip, side[1]], width=1.1, smooth=False, wobble=0.2)
        p.fill([(x, y), tip, side[0]], p.ink)
    for dx, dy, text in ((0, -40, "MAIN"), (52, 0, "DEV"), (-52, 0, "OLD")):
        write(p, x + dx, y + dy, text, 13, "middle")
    write(p, x, y + 40, "OLD2", 13, "middle")


def _ship(p: Paper, x, y):
    p.line(x, y + 6, x, y - 36, 2)
    p.shape([(x + 2, y - 34), (x + 24, y - 14), (x + 2, y - 4)], width=1.7, smooth=False)
    p.shape([(x - 2, y - 28), (x - 16, y - 10), (x - 2, y - 4)], width=1.7, smooth=False,
            hatch={"angle": 80, "gap": 4})
    p.shape([(x - 28, y + 2), (x + 28, y + 2), (x + 18, y + 16), (x - 18, y + 16)], width=2, smooth=False)
    p.stroke([(x - 36, y + 18), (x - 18, y + 15), (x, y + 19), (x + 18, y + 15), (x + 36, y + 18)], 1.6)
