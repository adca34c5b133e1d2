# Longbox
# SPDX-License-Identifier: MIT
"""Single pictures that explain something: a chart, a map, a diagram, a sky, a cabinet, a page of a field guide."""

import math

from .cast import ODA, PIM, TILDA, WREN, Person, cat
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
    curve = [(96, 250), (122, 286), (160, 304), (210, 318), (258, 352), (300, 384), (338, 392), (362, 388), (374, 300),
             (390, 214), (412, 176), (436, 150), (448, 108), (456, 92), (464, 140), (482, 250), (504, 306), (524, 296),
             (552, 250), (590, 226), (632, 200), (684, 176)]
    p.stroke(curve, 3.6, wobble=0.5)
    notes = [
        (122, 184, 150, "WALKS ON. NODS.", (100, 240)), (202, 250, 130, "COUNTING NICELY", (206, 310)),
        (290, 324, 120, "LUNCH", (300, 374)), (300, 148, 130, "WAS THAT 211 OR 212?", (380, 236)),
        (590, 104, 190, "<<TING>>", (464, 102)), (505, 352, 100, "BLISS", (507, 316)), (622, 262, 150, "WAS IT TOO LOUD?", (640, 204)),
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
            p.line(456 + 12 * math.cos(a), 84 + 12 * math.sin(a), 456 + 20 * math.cos(a), 84 + 20 * math.sin(a), 1.6)
    player = Person(p, 660, 418, 116, TILDA, -1, "worried", (0.3, 0.66), (0.3, 0.42))
    hx, hy = player.hand
    p.line(hx, hy, hx - 4, hy + 8, 1)
    p.stroke([(hx - 4, hy + 8), (hx - 19, hy + 34), (hx + 11, hy + 34), (hx - 3, hy + 10)], 2.6, smooth=False, wobble=0.3)
    ox, oy = player.other_hand
    p.line(ox, oy, ox - 14, oy - 10, 2.2)
    return p


def terra_legacia() -> Paper:
    """A map of an old program, by those who left."""
    p = Paper(740, 600, "terra-legacia")
    p.panel(8, 8, 724, 584)
    p.panel(15, 15, 710, 570, 1.2)
    _sea(p)
    coast = [(196, 176), (236, 128), (300, 120), (352, 92), (430, 98), (482, 74), (548, 96), (596, 140), (584, 190), (632, 232),
             (622, 300), (578, 340), (590, 396), (548, 446), (474, 452), (420, 492), (350, 478), (318, 436), (246, 442),
             (196, 404), (206, 344), (160, 306), (176, 246)]
    for grow, width in ((1.075, 0.9), (1.04, 1.1)):
        ring = [(395 + (x - 395) * grow, 283 + (y - 283) * (grow + 0.015)) for x, y in coast]
        p.stroke(ring, width, closed=True, wobble=1.4)
    p.shape(coast, width=2.8, wobble=1.6)
    for x, y, s in ((300, 178, 30), (334, 160, 40), (372, 172, 32), (404, 158, 26), (352, 190, 24)):
        p.shape([(x - s * 0.7, y), (x - s * 0.15, y - s * 0.8), (x, y - s), (x + s * 0.2, y - s * 0.75), (x + s * 0.75, y)],
                width=2, smooth=False, wobble=0.8)
        p.hatch([(x, y - s), (x + s * 0.2, y - s * 0.75), (x + s * 0.72, y), (x + s * 0.12, y)], 70, 4, 0.9)
    write(p, 352, 208, "MT. REFACTOR", 16, "middle")
    write(p, 352, 226, "(TALLER THAN IT LOOKS)", 13, "middle")
    p.random.seed("trees")
    for _ in range(34):
        x, y = p.random.uniform(222, 322), p.random.uniform(290, 350)
        p.line(x, y + 6, x, y + 11, 1.2)
        p.shape([(x - 6, y + 7), (x, y - 9), (x + 6, y + 7)], width=1.3, smooth=False, wobble=0.5)
    write(p, 272, 376, "TODO FOREST", 16, "middle")
    write(p, 272, 394, "(PLANTED 2009)", 13, "middle")
    for x, y in ((460, 330), (500, 318), (540, 338), (478, 352), (520, 362), (446, 352), (556, 318)):
        p.line(x - 13, y, x + 13, y, 1.2)
        for dx, lean in ((-5, -3), (0, 0), (5, 3)):
            p.line(x + dx, y - 1, x + dx + lean, y - 11, 1.2)
    write(p, 500, 386, "CONFIG SWAMP", 16, "middle")
    write(p, 500, 404, "(NOBODY HAS COME BACK)", 13, "middle")
    p.shape(oval(556, 214, 34, 17), width=1.8, hatch={"angle": 0, "gap": 6})
    write(p, 530, 178, "MEMORY LEAK", 16, "middle")
    p.stroke([(587, 218), (606, 230), (616, 250), (640, 258)], 2)
    p.stroke([(585, 226), (600, 236), (610, 258), (640, 266)], 2)
    for k in range(22):
        t = k / 22
        x, y = 210 + 300 * t, 262 + 34 * math.sin(t * 9)
        if k < 20:
            p.line(x, y, x + 8, y + 2 * math.cos(t * 9), 1.8)
    p.line(508, 256, 520, 270, 3)
    p.line(520, 256, 508, 270, 3)
    write(p, 450, 246, "THE WORKAROUND", 14, "middle", angle=-4)
    _lighthouse(p, 398, 470)
    write(p, 420, 516, "TESTS", 16, "middle")
    write(p, 420, 534, "(LIT ON WEEKDAYS)", 13, "middle")
    _serpent(p, 70, 330)
    write(p, 96, 376, "HERE BE", 15, "middle")
    write(p, 96, 394, "GLOBALS", 15, "middle")
    for x, y, r in ((640, 382, 8), (662, 398, 11), (688, 388, 6), (676, 420, 7), (650, 424, 5), (700, 410, 8), (634, 406, 4)):
        p.shape(oval(x, y, r, r * 0.7, steps=9), width=1.6, wobble=1.0)
    write(p, 662, 448, "ISLES OF", 14, "middle")
    write(p, 662, 466, "LEFTPAD", 14, "middle")
    _compass(p, 660, 528)
    _ship(p, 668, 168)
    write(p, 664, 202, "NEW HIRE", 14, "middle")
    p.shape([(30, 474), (268, 466), (272, 568), (34, 574)], width=2.2, smooth=False, wobble=1)
    p.stroke([(30, 474), (20, 482), (24, 494), (34, 490)], 1.8)
    p.stroke([(272, 568), (283, 560), (280, 548), (271, 550)], 1.8)
    write(p, 151, 494, "TERRA LEGACIA", 25, "middle")
    block(p, 151, 510, "SURVEYED BY PERSONS WHO HAVE SINCE LEFT", 15, 210, "middle")
    return p


def _sea(p: Paper):
    p.random.seed("sea")
    for row in range(15):
        for col in range(11):
            x, y = 34 + col * 66 + (row % 2) * 32 + p.random.uniform(-9, 9), 36 + row * 38 + p.random.uniform(-6, 6)
            if x < 700:
                p.stroke([(x, y), (x + 5, y - 3), (x + 10, y), (x + 15, y - 3), (x + 20, y)], 0.9, ink=130)
    for area in (box(28, 460, 262, 118), box(52, 296, 96, 112), box(616, 366, 104, 112), box(618, 480, 90, 96),
                 box(612, 130, 106, 84), box(336, 506, 170, 40)):
        p.fill(area, 255)


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
    p.shape([(x - 2, y + 15), (x - 6, y - 14), (x - 22, y - 12), (x - 24, y - 22), (x - 8, y - 30), (x + 6, y - 22), (x + 10, y + 15)],
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
    p.shape([(x - 2, y - 28), (x - 16, y - 10), (x - 2, y - 4)], width=1.7, smooth=False, hatch={"angle": 80, "gap": 4})
    p.shape([(x - 28, y + 2), (x + 28, y + 2), (x + 18, y + 16), (x - 18, y + 16)], width=2, smooth=False)
    p.stroke([(x - 36, y + 18), (x - 18, y + 15), (x, y + 19), (x + 18, y + 15), (x + 36, y + 18)], 1.6)


def pen(p: Paper, x, y, angle, length=26):
    """A ball-point pen."""
    a = math.radians(angle)
    c, s = math.cos(a), math.sin(a)

    def at(u, v):
        return (x + u * length * c - v * s, y + u * length * s + v * c)

    p.shape([at(-0.5, -3), at(0.3, -3), at(0.3, 3), at(-0.5, 3)], width=1.5, smooth=False, wobble=0.2)
    p.shape([at(0.3, -3), at(0.5, 0), at(0.3, 3)], fill=p.ink, width=1, smooth=False, wobble=0.1)
    p.line(*at(-0.42, -5), *at(-0.1, -5), 1.3)


def pen_cycle() -> Paper:
    """Where pens go: a diagram after every school's water cycle."""
    p = Paper(740, 560, "pen-cycle")
    p.panel(8, 8, 724, 544)
    write(p, 370, 38, "THE PEN CYCLE", 27, "middle")
    land = [(10, 352), (120, 350), (206, 352), (260, 420), (330, 438), (400, 430), (440, 360), (486, 300), (540, 262),
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
    for x, y, rx, ry in ((300, 118, 52, 34), (350, 88, 56, 34), (420, 80, 60, 34), (484, 100, 52, 36), (440, 132, 60, 30), (360, 138, 56, 28)):
        cloud.append(oval(x, y, rx, ry))
    for lobe in cloud:
        p.stroke(lobe, 2.4, closed=True, wobble=1.2)
    for lobe in cloud:
        p.fill([(396 + (a - 396) * 0.985, 108 + (b - 108) * 0.96) for a, b in lobe], 255)
    write(p, 394, 92, "CONDENSATION", 19, "middle")
    block(p, 394, 104, "IN OTHER PEOPLE'S POCKETS", 15, 200, "middle")
    arrow(p, [(120, 130), (160, 92), (226, 88)], 3)
    arrow(p, [(540, 96), (600, 102), (636, 136)], 3)
    # Rain on the sofa
    for k, (x, y) in enumerate(((560, 150), (606, 164), (652, 158), (582, 196), (634, 198))):
        pen(p, x, y, 78 + k * 7)
        p.line(x + 10, y - 20, x + 9, y - 10, 1.1)
        p.line(x - 9, y - 22, x - 10, y - 12, 1.1)
    _sofa(p, 606, 258)
    p.fill(box(520, 312, 178, 50), 255)
    write(p, 609, 326, "PRECIPITATION", 18, "middle")
    write(p, 609, 348, "INTO SOFAS", 15, "middle")
    # The lake
    p.shape([(268, 424), (300, 416), (340, 420), (384, 416), (408, 422), (384, 452), (330, 458), (290, 450)], width=2)
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
        p.shape([(x + side * 60, y - 26), (x + side * 80, y - 26), (x + side * 80, y), (x + side * 60, y)], width=2, smooth=True)
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
        ("THE CURSOR", (78, 158), [(60, 40), (60, 122), (80, 104), (94, 134), (106, 128), (92, 100), (116, 98), (60, 40)]),
        ("THE GREAT PAPERCLIP", (258, 176), [(200, 120), (212, 60), (250, 40), (276, 66), (258, 138), (234, 144), (226, 118),
                                             (242, 72)]),
        ("THE LESSER CHARGER", (448, 196), [(366, 150), (390, 170), (420, 140), (450, 158), (476, 116), (476, 92), (462, 92),
                                            (462, 70), (500, 70), (500, 92), (476, 92)]),
        ("THE ODD SOCK", (640, 172), [(610, 42), (648, 40), (650, 92), (690, 118), (684, 140), (634, 132), (612, 102), (610, 42)]),
        ("THE OPEN TAB", (96, 336), [(36, 312), (36, 252), (60, 252), (70, 230), (110, 230), (120, 252), (164, 252), (164, 312),
                                     (36, 312)]),
        ("THE LOST BRACKET", (292, 356), [(306, 236), (280, 248), (274, 290), (282, 324), (308, 336)]),
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
    _star(p, 452, 268, 6.5)
    hill = [(0, 560), (110, 540), (240, 520), (400, 516), (560, 536), (740, 572), (740, 640), (0, 640)]
    p.fill(p.trace(hill, True), 44)
    p.stroke(hill[:6], 2.2)
    p.random.seed("grass")
    for _ in range(46):
        x, y = p.random.uniform(10, 730), p.random.uniform(584, 634)
        p.line(x, y, x + p.random.uniform(-3, 3), y - 8, 1.0, ink=130)
    p.line(352, 524, 378, 470, 3)
    p.line(404, 526, 378, 470, 3)
    p.line(378, 524, 378, 470, 2.4)
    p.shape([(340, 488), (334, 474), (432, 408), (444, 428)], width=2.2, smooth=False)
    p.line(420, 414, 434, 436, 2)
    pim = Person(p, 316, 524, 104, PIM, 1, "wide", "out")
    oda = Person(p, 560, 540, 136, ODA, -1, "calm", "down")
    cat(p, 216, 524, 44, 1, "loaf", tone=20)
    say(p, 208, 388, "WHAT'S THE BRIGHT ONE?", pim.above, 17, 160)
    say(p, 596, 270, "A SATELLITE. IT SELLS SHOES.", oda.above, 17, 170)
    return p


def _star(p: Paper, x, y, r):
    for k in range(4):
        a = math.radians(45 * k + 22)
        reach = r * (1.7 if k % 2 == 0 else 1.1)
        p.line(x - reach * math.cos(a), y - reach * math.sin(a), x + reach * math.cos(a), y + reach * math.sin(a), 1.0, wobble=0.1)
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
    p.shape([(left - 24, top - 32), (left + wide * 4 + 24, top - 32), (left + wide * 4 + 16, top - 14), (left - 16, top - 14)],
            width=2.6, smooth=False, hatch={"angle": 0, "gap": 5})
    for x in (left, left + wide * 4 - 26):
        p.shape([(x, top + high * 5 + 14), (x + 26, top + high * 5 + 14), (x + 20, 598), (x + 6, 598)], width=2.4, smooth=False,
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
    for k in range(6):
        p.shape([(x + 10 + k * 3, y + 28 - k * 0.5), (x + 128 - k * 2, y + 28 - k), (x + 130 - k * 2, y + 56), (x + 8 + k * 3, y + 56)],
                width=1.0, smooth=False)
    cat(p, x + 66, y + 50, 78, 1, "sleep")
    p.shape([(x - 4, y + 46), (x + wide + 4, y + 46), (x + wide + 8, y + 126), (x - 8, y + 126)], width=2.4, smooth=False)
    _label(p, x + wide / 2, y + 74, CARDS[17], wide)
    p.shape(oval(x + wide / 2, y + 109, 8, 7), width=1.9)
    Person(p, 646, 598, 148, ODA, -1, "glad", (0.2, 0.66), "hip")
    p.fill([], 0) if False else None
    write(p, x + 124, y + 6, "z", 13, ink=236)
    write(p, x + 112, y + 14, "z", 10, ink=236)
    return p


def _label(p: Paper, x, y, text, wide):
    lines = text.split("\n")
    p.shape(box(x - wide / 2 + 10, y - 20, wide - 20, 40), width=1.3, smooth=False, wobble=0.3)
    for k, line in enumerate(lines):
        write(p, x, y + (k - (len(lines) - 1) / 2) * 17, line, 13.5, "middle")


__all__ = ["WREN", "card_catalogue", "new_constellations", "pen_cycle", "rests", "terra_legacia"]
