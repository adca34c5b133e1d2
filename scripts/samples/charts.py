# Longbox
# SPDX-License-Identifier: MIT
"""Single pictures that explain something: a chart, a map, a diagram, a night sky, a cabinet."""

import math

from .cast import ODA, PIM, TILDA, Person, cat, robot
from .ink import Paper, box, oval
from .lettering import block, say, write


def arrow(p: Paper, points, width=2.4, head=9.0):
    """A curved arrow through the points."""
    line = p.trace(points, wobble=0.5)
    p.ink_line(line, width)
    (x0, y0), (x1, y1) = line[-int(min(len(line), 8))], line[-1]
    a = math.atan2(y1 - y0, x1 - x0)
    for turn in (2.6, -2.6):
        p.line(x1, y1, x1 + head * math.cos(a + turn), y1 + head * math.sin(a + turn), width)


def rests() -> Paper:
    """The pulse of a triangle player, bar by bar."""
    p = Paper(720, 500, "rests")
    left, base, right, top = 74, 420, 700, 84
    write(p, 360, 30, "CONCERTO FOR TRIANGLE: THE SOLOIST'S PULSE", 22, "middle")
    p.line(left, base + 4, left, top, 2.4)
    p.line(left - 4, base, right, base, 2.4)
    for y, text in ((390, "ASLEEP"), (300, "CALM"), (210, "STAIRS"), (120, "LION")):
        p.line(left - 5, y, left + 5, y, 1.8)
        write(p, left - 9, y, text, 14, "right")
    for x, text in ((96, "1"), (230, "100"), (372, "211"), (452, "327"), (560, "END"), (664, "3 A.M.")):
        p.line(x, base - 5, x, base + 5, 1.8)
        write(p, x, base + 20, text, 15, "middle")
    write(p, 230, base + 50, "BAR", 17, "middle")
    arrow(p, [(254, base + 50), (330, base + 50)], 1.8, 7)
    curve = [(96, 250), (122, 286), (160, 304), (210, 318), (258, 352), (300, 384), (338, 392), (362, 388),
             (374, 300),
             (390, 214), (412, 176), (436, 150), (448, 108), (456, 92), (464, 140), (482, 250), (504, 306),
             (524, 296),
             (552, 250), (590, 226), (632, 200), (684, 176)]
    p.stroke(curve, 3.6, wobble=0.5)
    notes = [
        (166, 190, 150, "WALKS ON. NODS.", (104, 246)), (202, 250, 130, "COUNTING NICELY", (206, 310)),
        (290, 324, 120, "LUNCH", (300, 374)), (300, 148, 130, "WAS THAT 211 OR 212?", (380, 236)),
        (590, 104, 190, "<<TING>>", (464, 102)), (505, 352, 100, "BLISS", (507, 316)),
        (622, 262, 150, "WAS IT TOO LOUD?", (640, 204)),
    ]
    for x, y, width, text, (tx, ty) in notes:
        big = text == "<<TING>>"
        bottom = block(p, x, y - 10, "TING" if big else text, 30 if big else 16, width, "middle")
        if big:
            p.line(x - 48, y + 6, tx, ty, 1.3)
        elif ty > y:
            p.line(x + (tx - x) * 0.2, bottom + 2, tx, ty, 1.3)
        else:
            p.line(x, y - 14, tx, ty + 6, 1.3)
    for k in range(9):
        a = math.radians(200 + k * 35)
        if not 230 < (200 + k * 35) % 360 < 250:
            p.line(456 + 12 * math.cos(a), 84 + 12 * math.sin(a), 456 + 20 * math.cos(a),
                   84 + 20 * math.sin(a), 1.6)
    player = Person(p, 660, 418, 116, TILDA, -1, "worried", (0.3, 0.66), (0.3, 0.42))
    hx, hy = player.hand
    p.line(hx, hy, hx - 4, hy + 8, 1)
    p.stroke([(hx - 4, hy + 8), (hx - 19, hy + 34), (hx + 11, hy + 34), (hx - 3, hy + 10)], 2.6, smooth=False,
             wobble=0.3)
    ox, oy = player.other_hand
    p.line(ox, oy, ox - 14, oy - 10, 2.2)
    return p


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


def pen(p: Paper, x, y, angle, length=30):
    """A ball-point pen."""
    a = math.radians(angle)
    c, s = math.cos(a), math.sin(a)

    def at(u, v):
        return (x + u * length * c - v * s, y + u * length * s + v * c)

    p.shape([at(-0.5, -2.6), at(0.34, -2.6), at(0.34, 2.6), at(-0.5, 2.6)], width=1.5, smooth=False,
            wobble=0.2)
    p.shape([at(0.34, -2.4), at(0.55, 0), at(0.34, 2.4)], fill=p.ink, width=1, smooth=False, wobble=0.1)
    p.fill([at(-0.5, -2.6), at(-0.36, -2.6), at(-0.36, 2.6), at(-0.5, 2.6)], p.ink)
    p.stroke([at(-0.44, -2.6), at(-0.42, -5.4), at(-0.08, -5.4)], 1.3, wobble=0.1, smooth=False)


def pen_cycle() -> Paper:
    """Where pens go: a diagram after every school's water cycle."""
    p = Paper(740, 560, "pen-cycle")
    p.panel(8, 8, 724, 544)
    write(p, 128, 42, "THE PEN CYCLE", 27, "middle")
    land = [(10, 352), (120, 350), (206, 352), (260, 420), (330, 438), (400, 430), (440, 360), (486, 300),
            (540, 262),
            (596, 252), (650, 262), (700, 300), (731, 316)]
    p.stroke(land, 2.8)
    p.hatch([*land, (731, 470), (10, 470)], 25, 9, 0.8)
    p.fill([(10, 472), (731, 472), (731, 551), (10, 551)], 255)
    p.stroke([(10, 472), (200, 476), (420, 470), (731, 474)], 2.2)
    # Desks
    for x in (48, 132):
        p.shape(box(x, 306, 66, 6), width=1.8, smooth=False)
        p.line(x + 6, 312, x + 5, 350, 2)
        p.line(x + 60, 312, x + 61, 350, 2)
    person = Person(p, 222, 352, 100, PIM, -1, "worried", "out")
    say(p, 196, 170, "HAS ANYONE SEEN MY PEN?", person.above, 15, 120)
    p.random.seed("rising")
    for k, (x, y) in enumerate(((66, 288), (94, 254), (60, 222), (100, 188), (76, 156))):
        pen(p, x, y, -70 + (k % 2) * 40 - k * 12)
        p.stroke([(x - 17, y + 12), (x - 20, y + 5), (x - 16, y - 2), (x - 20, y - 9)], 1.1)
    p.fill(box(28, 362, 150, 26), 255)
    write(p, 102, 375, "EVAPORATION", 18, "middle")
    # The cloud of pockets
    cloud = []
    for x, y, rx, ry in ((300, 118, 52, 34), (350, 88, 56, 34), (420, 80, 60, 34), (484, 100, 52, 36),
                         (440, 132, 60, 30), (360, 138, 56, 28)):
        cloud.append(oval(x, y, rx, ry))
    for lobe in cloud:
        p.stroke(lobe, 2.4, closed=True, wobble=1.2)
    p.fill(oval(396, 108, 110, 44), 255)
    for lobe in cloud:
        p.fill([(396 + (a - 396) * 0.985, 108 + (b - 108) * 0.96) for a, b in lobe], 255)
    write(p, 394, 92, "CONDENSATION", 19, "middle")
    block(p, 394, 104, "IN OTHER PEOPLE'S POCKETS", 15, 200, "middle")
    arrow(p, [(112, 136), (150, 104), (232, 104)], 3)
    arrow(p, [(546, 90), (600, 92), (628, 122)], 3)
    # Rain on the sofa
    for k, (x, y) in enumerate(((562, 158), (610, 168), (662, 156), (586, 202), (638, 200))):
        pen(p, x, y, 78 + k * 7)
        p.line(x + 10, y - 20, x + 9, y - 10, 1.1)
        p.line(x - 9, y - 22, x - 10, y - 12, 1.1)
    _sofa(p, 606, 258)
    p.fill(box(520, 312, 178, 50), 255)
    write(p, 609, 326, "PRECIPITATION", 18, "middle")
    write(p, 609, 348, "INTO SOFAS", 15, "middle")
    # The lake
    p.shape([(268, 424), (300, 416), (340, 420), (384, 416), (408, 422), (384, 452), (330, 458), (290, 450)],
            width=2)
    for k, (x, y) in enumerate(((300, 430), (330, 440), (362, 430), (382, 436), (346, 426))):
        pen(p, x, y, k * 47, 20)
    p.fill(box(262, 374, 150, 24), 255)
    write(p, 337, 386, "MEETING ROOM", 16, "middle")
    p.fill(box(446, 388, 92, 24), 255)
    arrow(p, [(486, 330), (446, 372), (428, 410)], 3)
    write(p, 492, 400, "RUN-OFF", 17, "middle")
    # Ground water
    for k in range(26):
        pen(p, 36 + k * 26.6 + (k % 3) * 4, 524 + 8 * math.sin(k * 1.7), k * 71, 22)
    write(p, 210, 492, "GROUNDWATER: THE BOTTOM OF EVERY BAG", 16, "middle")
    for x in (420, 560):
        arrow(p, [(x, 436 if x == 420 else 420), (x + 4, 470), (x, 498)], 2.6)
    return p


def _sofa(p: Paper, x, y):
    p.shape([(x - 64, y - 38), (x + 64, y - 38), (x + 66, y - 12), (x - 66, y - 12)], width=2)
    for side in (-1, 1):
        p.shape([(x + side * 60, y - 26), (x + side * 80, y - 26), (x + side * 80, y), (x + side * 60, y)],
                width=2, smooth=True)
    p.shape(box(x - 60, y - 18, 60, 13), width=1.8)
    p.shape(box(x, y - 18, 60, 13), width=1.8)
    p.line(x - 62, y - 4, x + 62, y - 4, 2)
    pen(p, x + 2, y - 24, 80, 20)
    pen(p, x - 40, y - 24, 110, 18)


def new_constellations() -> Paper:
    """The night sky, brought up to date."""
    p = Paper(740, 640, "new-constellations", paper=20, ink=236)
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
    p.fill([*ridge, *hill[6:]], 44)
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
    cat(p, 216, 524, 44, 1, "loaf", tone=20)
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
