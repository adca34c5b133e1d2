# Longbox
# SPDX-License-Identifier: MIT
"""A train of thought: one very wide picture."""

import math

from .cast import ODA, PIM, Person
from .ink import Paper, box, oval
from .lettering import block, say, wrap, write

THOUGHTS = ["SOUP NEEDS SPOONS", "WHO MADE THE FIRST SPOON?", "IT WAS A SHELL", "SO SNAILS LIVE IN SPOONS",
            "CAN A SNAIL GET HOMESICK?", "IT IS NEVER NOT HOME"]


def train_of_thought() -> Paper:
    """A question goes in at the left; it comes home at the right."""
    p = Paper(1640, 400, "train-of-thought")
    p.panel(8, 8, 1624, 384)
    ground = 350
    p.line(16, ground, 1624, ground, 2.4)
    p.line(16, ground - 6, 1624, ground - 6, 1.6)
    for k in range(54):
        x = 24 + k * 30
        p.line(x, ground + 2, x - 4, ground + 11, 2.6)
    # Hills behind
    hills = [(236, 250), (330, 196), (430, 226), (560, 150), (700, 214), (840, 164), (980, 216), (1120, 152),
             (1250, 216),
             (1400, 176), (1630, 250)]
    p.stroke(hills, 1.4, ink=120)
    for x, y in ((520, 178), (534, 172), (800, 188), (1088, 172), (1102, 166), (1150, 172), (1330, 200),
                 (660, 204)):
        p.shape([(x - 6, y + 8), (x, y - 14), (x + 6, y + 8)], width=1.1, ink=120, smooth=False)
    oda = Person(p, 66, ground - 7, 150, ODA, 1, "calm", "hip")
    pim = Person(p, 166, ground - 7, 116, PIM, -1, "upwards", "chin")
    say(p, 108, 26, "WHAT SHALL WE HAVE? SOUP?", oda.above, 19, 170)
    for x, y, r in ((196, 208, 5), (214, 196, 7)):
        p.shape(oval(x, y, r, r * 0.85), width=1.6)
    _engine(p, 240, ground - 6)
    for k, text in enumerate(THOUGHTS):
        _carriage(p, 412 + k * 163, ground - 6, text, k)
    _snail(p, 412 + 4 * 163 + 72, ground - 6 - 122, 1)
    _bird(p, 690, 90)
    _bird(p, 730, 74)
    _bird(p, 760, 96)
    oda = Person(p, 1440, ground - 7, 150, ODA, 1, "worried", "out")
    pim = Person(p, 1568, ground - 7, 116, PIM, -1, "worried", "down")
    px, py = pim.head
    p.stroke([(px - 22, py + 2), (px - 24, py + 8)], 2.2)
    p.shape([(px - 26, py + 14), (px - 29, py + 21), (px - 26, py + 24), (px - 23, py + 21)], width=1.2)
    say(p, 1446, 24, "...WELL? SOUP?", oda.above, 19, 110)
    say(p, 1554, 108, "I WANT TO GO HOME.", pim.above, 19, 110)
    return p


def _wheel(p: Paper, x, y, r):
    p.shape(oval(x, y - r, r), width=2.2)
    p.shape(oval(x, y - r, r * 0.3), fill=p.ink, width=1)
    for k in range(6):
        a = k * math.pi / 3 + 0.3
        p.line(x + r * 0.3 * math.cos(a), y - r + r * 0.3 * math.sin(a), x + r * math.cos(a),
               y - r + r * math.sin(a), 1.1)


def _engine(p: Paper, x, y):
    p.shape(box(x + 10, y - 92, 96, 56), width=2.4, hatch={"angle": 0, "gap": 7})
    p.shape(box(x + 98, y - 130, 54, 100), width=2.4, smooth=False)
    p.shape(box(x + 108, y - 118, 32, 30), width=1.8, smooth=False)
    p.shape([(x + 90, y - 132), (x + 160, y - 132), (x + 156, y - 140), (x + 94, y - 140)], fill=p.ink,
            width=1.5, smooth=False)
    p.shape([(x + 22, y - 92), (x + 16, y - 130), (x + 48, y - 130), (x + 42, y - 92)], width=2.2,
            smooth=False)
    p.shape(oval(x + 74, y - 96, 12, 9, 180, 360), fill=p.ink, width=1.5)
    p.shape([(x + 12, y - 36), (x - 12, y - 4), (x + 18, y - 4)], width=2, smooth=False,
            hatch={"angle": 90, "gap": 5})
    p.shape(box(x + 8, y - 38, 146, 12), fill=p.ink, width=1.5, smooth=False)
    p.shape(oval(x + 10, y - 64, 9), width=2)
    for wx, r in ((36, 15), (76, 20), (124, 20)):
        _wheel(p, x + wx, y, r)
    p.line(x + 34, y - 14, x + 126, y - 19, 3.4)
    p.line(x + 152, y - 22, x + 176, y - 22, 3)
    for k, (dx, dy, r) in enumerate(((34, -146, 12), (52, -170, 18), (86, -196, 25), (132, -218, 32))):
        p.shape(oval(x + dx, y + dy, r * 1.25, r * 0.85, steps=11), width=1.9, wobble=1.6)
        if k == 3:
            write(p, x + dx, y + dy, "HMM", 18, "middle")


def _carriage(p: Paper, x, y, text, k):
    p.shape(box(x, y - 106, 146, 84), width=2.4, smooth=False)
    p.shape([(x - 6, y - 106), (x + 8, y - 122), (x + 138, y - 122), (x + 152, y - 106)], width=2.2,
            smooth=False,
            fill=p.ink if k % 2 else 255, hatch=None if k % 2 else {"angle": 90, "gap": 8})
    lines = len(wrap(text, 19, 132))
    block(p, x + 73, y - 64 - lines * 11.6, text, 19, 132, "middle")
    p.shape(box(x + 4, y - 24, 138, 7), fill=p.ink, width=1.2, smooth=False)
    for wx in (30, 116):
        _wheel(p, x + wx, y, 13)
    if k < len(THOUGHTS) - 1:
        p.line(x + 142, y - 20, x + 167, y - 20, 3)


def _snail(p: Paper, x, y, f):
    p.shape([(x - 34, y), (x - 20, y - 9), (x + 20, y - 8), (x + 30, y - 24), (x + 40, y - 24),
             (x + 40, y - 8), (x + 30, y)], width=1.9)
    p.shape(oval(x - 2, y - 19, 19, 17), width=2)
    turns = [(x - 2 + (15 - k * 0.62) * math.cos(k * 0.6), y - 18 + (14 - k * 0.58) * math.sin(k * 0.6))
             for k in range(24)]
    p.stroke(turns, 1.5, wobble=0.2)
    for dx in (33, 40):
        p.line(x + dx, y - 23, x + dx + 3 * f, y - 36, 1.5)
        p.dot(x + dx + 3 * f, y - 37, 2.2)
    p.stroke([(x + 34, y - 13), (x + 37, y - 12), (x + 40, y - 14)], 1.2, wobble=0.1)


def _bird(p: Paper, x, y):
    p.stroke([(x - 9, y - 3), (x - 4, y - 6), (x, y), (x + 4, y - 6), (x + 9, y - 3)], 1.5)
