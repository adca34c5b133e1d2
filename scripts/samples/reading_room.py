# Longbox
# SPDX-License-Identifier: MIT
"""The reading room: a large scene without words."""

from .cast import MARLOW, ODA, PIM, TILDA, WREN, Person
from .furniture import carton, cat, robot
from .ink import Paper, box, oval, turned


def books(p: Paper, x, base, width, high, keep=()):
    """A row of books on a shelf; `keep` are gaps (left, right) that stay free."""
    at = x
    while at < x + width - 6:
        gap = next(((a, b) for a, b in keep if a - 4 <= at < b), None)
        if gap is not None:
            at = gap[1]
            continue
        limit = min([x + width, *(a for a, _ in keep if a > at)])
        wide = min(p.random.uniform(8, 20), limit - at)
        if wide < 6:
            at = limit
            continue
        tall = high * p.random.uniform(0.62, 0.92)
        kind = p.random.randrange(9)
        spine = box(at, base - tall, wide, tall)
        if kind == 8 and limit - at > 34 and wide > 9:
            wide += tall * 0.2
            spine = [(at + tall * 0.2, base - tall * 0.97), (at + wide, base - tall * 0.94),
                     (at + wide - tall * 0.18, base),
                     (at, base)]
        p.shape(spine, fill=p.ink if kind == 0 else 255, width=1.5, smooth=False, wobble=0.4,
                hatch={"angle": 88 if kind == 1 else 40, "gap": 4.2, "width": 0.8} if kind in (1,
                                                                                               2) else None)
        if kind in (0, 3, 4) and wide < 22:
            for up in (0.2, 0.27) if kind != 4 else (0.5,):
                p.line(at + 2, base - tall * (1 - up), at + wide - 2, base - tall * (1 - up), 1.2,
                       ink=255 if kind == 0 else None)
        if kind == 5:
            p.dot(at + wide / 2, base - tall * 0.75, 2)
        at += wide + 0.6


def _open_book(p: Paper, x, y, s, flap=0.0):
    for side in (-1, 1):
        p.shape([(x, y), (x + side * s * 0.5, y - s * 0.28 - flap), (x + side * s, y - s * 0.12 - flap * 1.6),
                 (x + side * s, y + s * 0.3 - flap * 1.6), (x + side * s * 0.5, y + s * 0.16 - flap),
                 (x, y + s * 0.42)],
                width=1.6, smooth=False, wobble=0.4)
        for k in (0.08, 0.18):
            p.line(x + side * s * 0.2, y - flap * 0.4 + s * k - s * 0.06, x + side * s * 0.85,
                   y - flap * 1.4 + s * k - s * 0.08, 0.8)


def _ladder(p: Paper, x0, y0, x1, y1, wide=24):
    p.fill([(x0 - 4, y0), (x0 + wide + 4, y0), (x1 + wide + 4, y1), (x1 - 4, y1)], p.paper)
    p.line(x0, y0, x1, y1, 3)
    p.line(x0 + wide, y0, x1 + wide, y1, 3)
    rungs = int(abs(y1 - y0) / 17)
    for k in range(1, rungs):
        t = k / rungs
        p.line(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, x0 + (x1 - x0) * t + wide, y0 + (y1 - y0) * t, 2.2)


def reading_room() -> Paper:
    """Nobody says a word; it is a library."""
    p = Paper(740, 760, "reading-room")
    p.panel(8, 8, 724, 744)
    shelves = [124, 230, 336, 442, 548]
    gaps = {
        124: [(296, 352)], 230: [(92, 194), (470, 600)], 336: [(250, 316), (560, 610)],
        442: [(20, 76), (360, 486)],
        548: [(150, 206)],
    }
    for base in shelves:
        books(p, 18, base, 704, 92, gaps[base])
        p.shape(box(12, base, 716, 8), width=1.8, smooth=False)
        p.hatch(box(12, base, 716, 8), 0, 4, 0.8)
    p.line(12, 716, 728, 716, 2.4)
    p.random.seed("carpet")
    _whale(p, 536, 230)
    _sleeper(p, 143, 230)
    robot(p, 283, 336, 84, 1, "asleep", ("down", "down"))
    cat(p, 324, 124, 58, 1, "sit")
    _plant(p, 585, 336)
    _window(p, 422, 442)
    carton(p, 26, 442, 38, 28, "MISC.", size=10)
    cat(p, 45, 412, 36, 1, "peek", tone=255)
    _mouse_house(p, 178, 548)
    # A fisher of books, on the top shelf
    fisher = Person(p, 652, 34 + 90, 92, MARLOW, -1, "calm", (0.4, 0.62), claim=False, sit=False)
    hx, hy = fisher.hand
    p.line(hx + 4, hy + 8, hx - 40, hy - 34, 2.2)
    p.stroke([(hx - 40, hy - 34), (hx - 46, 180), (hx - 44, 380), (hx - 46, 586)], 1.0, wobble=1.2)
    hook = hx - 46
    p.shape(turned(box(hook - 13, 590, 26, 36), 12, (hook, 600)), width=1.8, smooth=False,
            hatch={"angle": 40, "gap": 5})
    for dx in (-24, 24):
        p.line(hook + dx, 602, hook + dx * 1.3, 598, 1.2)
        p.line(hook + dx, 616, hook + dx * 1.3, 618, 1.2)
    # A ladder on a ladder
    _ladder(p, 214, 716, 234, 452)
    _ladder(p, 240, 452, 226, 256, 20)
    Person(p, 244, 300, 104, ODA, 1, "wide", (0.34, 0.66), "up", claim=False)
    # The balloon
    _balloon(p, 418, 150)
    # Flying books
    for k, (x, y, s) in enumerate(((560, 640, 17), (604, 660, 14), (640, 640, 12), (672, 664, 10))):
        _open_book(p, x, y, s, flap=6 if k % 2 else -2)
    # The reader and the tower
    _reader(p)
    return p


def _whale(p: Paper, x, base):
    tail = [(x - 6, base - 6), (x - 9, base - 40), (x - 48, base - 62), (x - 52, base - 84),
            (x - 20, base - 78), (x, base - 60),
            (x + 20, base - 78), (x + 52, base - 84), (x + 48, base - 62), (x + 9, base - 40),
            (x + 12, base - 6)]
    p.shape(tail, fill=p.ink, width=2)
    p.stroke([(x - 38, base - 68), (x - 18, base - 62), (x - 4, base - 48)], 1, ink=255)
    p.stroke([(x + 38, base - 68), (x + 18, base - 62), (x + 6, base - 48)], 1, ink=255)
    for k in range(6):
        left = x - 62 + k * 22
        p.stroke([(left, base - 12), (left + 6, base - 19), (left + 13, base - 17), (left + 15, base - 11),
                  (left + 22, base - 12)], 1.8)
        p.stroke([(left - 4, base - 3), (left + 6, base - 8), (left + 13, base - 3)], 1.2)
    for dx, dy in ((-34, -30), (-26, -40), (34, -28), (42, -38), (26, -34)):
        p.dot(x + dx, base + dy, 2)


def _sleeper(p: Paper, x, base):
    p.shape([(x - 46, base - 2), (x - 44, base - 16), (x - 24, base - 18), (x - 18, base - 2)], width=1.7)
    blanket = p.shape([(x - 20, base - 2), (x - 18, base - 26), (x + 8, base - 36), (x + 40, base - 24),
                       (x + 47, base - 2)], width=1.8)
    p.hatch(blanket, 88, 8, 1.0, cross=True)
    p.shape(oval(x - 26, base - 24, 15, 14), width=1.8)
    p.shape([(x - 40, base - 30), (x - 34, base - 43), (x - 18, base - 40), (x - 14, base - 32),
             (x - 27, base - 33)], width=1.6,
            hatch={"angle": 70, "gap": 4})
    p.shape(oval(x - 41, base - 40, 5), fill=p.ink, width=1)
    p.shape(oval(x - 16, base - 22, 6, 5), width=1.6)
    p.stroke(oval(x - 24, base - 25, 4, 3, 10, 170, 5), 1.4, wobble=0.1)
    for k, (dx, dy, s) in enumerate(((-4, -46, 5), (8, -58, 7), (24, -72, 9))):
        p.stroke([(x + dx, base + dy), (x + dx + s, base + dy), (x + dx, base + dy + s),
                  (x + dx + s, base + dy + s)], 1.6, smooth=False,
                 wobble=0.2)


def _plant(p: Paper, x, base):
    _open_book(p, x, base - 16, 22)
    p.stroke([(x, base - 14), (x + 4, base - 40), (x - 6, base - 62), (x + 2, base - 84)], 2)
    for dx, dy, a in ((10, -40, -20), (-14, -54, 200), (10, -68, -30), (-8, -82, 210), (6, -90, -70)):
        leaf = [(x + dx * 0.2, base + dy), (x + dx * 0.2 + 9, base + dy - 6), (x + dx * 0.2 + 18, base + dy),
                (x + dx * 0.2 + 9, base + dy + 5)]
        p.shape(turned(leaf, a, (x + dx * 0.2, base + dy)), fill=p.ink, width=1)


def _window(p: Paper, x, base):
    """A window among the books, with the moon in it and somebody asleep on the sill."""
    p.shape([(x - 56, base), (x - 56, base - 60), (x - 34, base - 86), (x + 34, base - 86),
             (x + 56, base - 60), (x + 56, base)],
            fill=p.ink, width=2.4, smooth=False)
    p.shape(oval(x + 22, base - 56, 13), width=1)
    p.fill(oval(x + 28, base - 60, 12), p.ink)
    for dx, dy in ((-36, -56), (-14, -70), (-42, -30), (-6, -36), (40, -24), (8, -20), (-24, -22)):
        p.dot(x + dx, base + dy, 1.6, ink=255)
    p.line(x, base - 86, x, base, 2.4, ink=255)
    p.line(x - 56, base - 44, x + 56, base - 44, 2.4, ink=255)
    cat(p, x - 26, base - 1, 44, 1, "sleep", tone=255)


def _mouse_house(p: Paper, x, base):
    p.shape([*oval(x, base - 22, 16, 22, 180, 360, 8), (x + 16, base), (x - 16, base)], fill=p.ink, width=1.6,
            smooth=False)
    p.shape(oval(x + 2, base - 11, 9, 10), width=1.4)
    for dx in (-5, 9):
        p.shape(oval(x + dx, base - 22, 5), width=1.4)
    p.dot(x - 1, base - 14, 1.4)
    p.dot(x + 5, base - 14, 1.4)
    _open_book(p, x + 2, base - 7, 9)
    p.shape(box(x - 27, base - 62, 54, 18), width=1.2, smooth=False)
    for k in range(3):
        p.line(x - 20, base - 58 + k * 5, x + 20, base - 58 + k * 5, 0.9)


def _balloon(p: Paper, x, y):
    p.shape([(x - 16, y + 84), (x - 52, y + 30), (x - 58, y - 14), (x - 34, y - 56), (x, y - 68),
             (x + 34, y - 56), (x + 58, y - 14),
                        (x + 52, y + 30), (x + 16, y + 84)], width=2.4)
    for k in (-0.62, 0.0, 0.62):
        p.stroke([(x, y - 67), (x + k * 56, y - 20), (x + k * 50, y + 26), (x + k * 18, y + 83)], 1.4)
    stripe = [(x - 36, y - 52), (x - 20, y - 62), (x - 36, y - 20), (x - 32, y + 26), (x - 12, y + 82),
              (x - 16, y + 82), (x - 50, y + 30),
              (x - 57, y - 14)]
    p.hatch(stripe, 60, 5, 1.0)
    p.hatch([(x + 2, y - 66), (x + 34, y - 20), (x + 30, y + 26), (x + 12, y + 82), (x + 1, y + 82)], 60, 5,
            1.0)
    for dx in (-15, 15):
        p.line(x + dx, y + 84, x + dx * 1.2, y + 128, 1.4)
    Person(p, x, y + 160, 84, TILDA, 1, "glad", (0.42, 0.72), sit=True, claim=False)
    basket = p.shape([(x - 24, y + 128), (x + 24, y + 128), (x + 20, y + 162), (x - 20, y + 162)], width=2.2,
                     smooth=False)
    p.hatch(basket, 45, 6, 1.0, cross=True)


def _reader(p: Paper):
    p.shape(box(392, 650, 126, 8), width=2, smooth=False)
    p.line(402, 658, 398, 716, 3)
    p.line(508, 658, 512, 716, 3)
    p.line(494, 650, 494, 610, 2.2)
    p.shape([(474, 610), (514, 610), (504, 588), (484, 588)], fill=p.ink, width=1.6, smooth=False)
    for k in (-1, 0, 1):
        p.line(494 + k * 14, 616, 494 + k * 20, 628, 1.2)
    person = Person(p, 358, 714, 128, WREN, 1, "calm", (0.3, 0.5), (0.24, 0.46), claim=False)
    hx, hy = person.hand
    _open_book(p, hx + 6, hy - 12, 17)
    top = 716
    p.random.seed("tower")
    for k in range(13):
        wide, high = p.random.uniform(46, 70), p.random.uniform(9, 14)
        left = 96 - wide / 2 + p.random.uniform(-7, 7) + (4 if k % 2 else -4)
        p.shape(box(left, top - high, wide, high), fill=p.ink if k % 5 == 2 else 255, width=1.6, smooth=False,
                hatch={"angle": 88, "gap": 5} if k % 3 == 0 else None)
        top -= high
    Person(p, 96, top + 16, 74, PIM, 1, "glad", (0.24, 0.5), (0.2, 0.46), sit=True, claim=False)
    _open_book(p, 96 + 22, top - 24, 12)
    cat(p, 548, 715, 46, -1, "loaf")
    # A globe, and a lot of water on it
    p.stroke(oval(664, 690, 31, None, 40, 250), 2)
    p.shape(oval(664, 690, 26), width=2.2)
    p.shape([(650, 672), (664, 668), (668, 680), (658, 690), (650, 686)], fill=p.ink, width=1)
    p.shape([(672, 690), (684, 688), (682, 702), (672, 708), (668, 698)], fill=p.ink, width=1)
    p.line(664, 716, 664, 721, 3)
    p.shape([(646, 716), (682, 716), (688, 722), (640, 722)], fill=p.ink, width=1.2, smooth=False)
