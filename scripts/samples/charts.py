# Longbox
# SPDX-License-Identifier: MIT
"""Two pictures that explain something: a chart and a diagram."""

import math

from .cast import PIM, TILDA, Person
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
