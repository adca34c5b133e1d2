# Longbox
# SPDX-License-Identifier: MIT
"""The depths of a kitchen drawer: one very tall picture."""

import math

from .cast import ODA, PIM, Person
from .charts import pen
from .ink import Paper, box, oval, turned
from .lettering import block, say, write

# Where each layer begins, and its grey: steps of a palette of twelve.
BANDS = [(0, 255), (760, 255), (1120, 232), (1460, 209), (1800, 185), (2140, 162), (2480, 139), (2800, 93),
         (3140, 70), (3480, 46), (3820, 23), (4200, 23)]

DEPTHS = [(770, "10 CM"), (1080, "25 CM"), (1390, "1 M"), (1700, "3 M"), (2010, "10 M"), (2320, "40 M"),
          (2640, "90 M"), (2960, "200 M"), (3280, "500 M"), (3600, "1 KM"), (3920, "DEEPER")]

DUSK = 2480


def the_drawer() -> Paper:
    """A dive for the scissors."""
    p = Paper(740, 4200, "the-drawer", scale=4)
    for (y, _), (_, tone) in zip(BANDS[1:], BANDS[2:]):
        edge = p.trace([(0, y), (120, y + 14), (260, y - 12), (420, y + 12), (580, y - 10), (740, y + 6)],
                       wobble=2)
        p.fill([*edge, (740, 4200), (0, 4200)], tone)
    _kitchen(p)
    rope = [(470, 470), (486, 620)]
    rope += [(480 + 34 * math.sin(y / 170) - (y - 620) * 0.006, y) for y in range(700, 3960, 70)]
    line = p.trace(rope, wobble=1)
    split = next(i for i, (_, y) in enumerate(line) if y > DUSK)
    p.ink_line(line[:split], 2.2)
    p.ink_line(line[split:], 2.2, ink=225)
    for y, text in DEPTHS:
        ink = p.ink if y < DUSK else 225
        p.line(0, y, 34, y, 2.4, ink=ink)
        write(p, 42, y, text, 19, ink=ink)
        for k in range(1, 4):
            p.line(0, y + k * 77, 16, y + k * 77, 1.6, ink=ink)
    _shallows(p)
    _twilight(p)
    p.ink, p.paper = 232, 46
    _deep(p)
    _floor(p)
    return p


def _kitchen(p: Paper):
    p.line(0, 300, 740, 300, 2.6)
    p.line(0, 316, 740, 316, 2.0)
    oda = Person(p, 150, 299, 156, ODA, 1, "calm", "out")
    pim = Person(p, 300, 299, 122, PIM, 1, "wide", "down")
    _helmet(p, *pim.head, 26)
    say(p, 176, 28, "THE SCISSORS ARE IN THE DRAWER.", oda.above, 21, 220)
    say(p, 382, 64, "HOW FAR IN?", (312, 138), 21, 200)
    # The drawer, pulled out: its sides run down out of sight
    p.shape([(0, 318), (740, 318), (740, 372), (0, 372)], width=2.2, smooth=False,
            hatch={"angle": 0, "gap": 9})
    p.shape([(60, 372), (680, 372), (700, 470), (40, 470)], width=2.6, smooth=False)
    p.shape(box(300, 398, 140, 46), width=2.2)
    write(p, 370, 421, "MISC.", 24, "middle")
    p.stroke([(40, 470), (14, 560), (8, 700)], 2.2)
    p.stroke([(700, 470), (726, 560), (733, 700)], 2.2)
    p.line(560, 299, 560, 252, 2)
    p.shape([(520, 252), (600, 252), (592, 299), (528, 299)], width=2.2, smooth=False)
    p.stroke([(600, 262), (616, 268), (612, 284), (595, 288)], 2.4)
    for k in range(3):
        x = 546 + k * 14
        p.stroke([(x, 244), (x + 4, 236), (x - 2, 226), (x + 3, 216)], 1.3)


def _helmet(p: Paper, x, y, r):
    p.stroke(oval(x, y - 3, r * 1.15, r * 1.2), 2.4, closed=True)
    p.stroke(oval(x, y - 3, r * 1.0, r * 1.05, 200, 265), 1.4)
    p.shape([(x - r * 0.8, y + r * 0.95), (x + r * 0.8, y + r * 0.95), (x + r * 0.7, y + r * 1.2),
             (x - r * 0.7, y + r * 1.2)],
            width=2, smooth=False)


def _note(p: Paper, x, y, title, text, width=230, align="middle"):
    bottom = block(p, x, y, title, 23, width, align)
    block(p, x, bottom + 2, text, 18, width, align)


def _shallows(p: Paper):
    p.random.seed("shallows")
    for k in range(3):
        x, y, lean = 96 + k * 66, 540 + k * 12, (-14, 6, -4)[k]
        p.shape([(x, y), (x + 74, y + lean), (x + 74 - lean, y + 92 + lean), (x - lean, y + 92)], width=2,
                smooth=False)
        write(p, x + 36 - lean * 0.5, y + 18 + lean * 0.5, ("NOODLES", "PIZZA", "MENU")[k], 14, "middle",
              angle=math.degrees(math.atan(lean / 74)))
        for j in range(4):
            p.line(x + 12, y + 36 + j * 12 + lean * 0.3, x + 58, y + 36 + j * 12 + lean * 0.8, 1.2)
    _note(p, 210, 664, "MENUS", "RESTAURANTS CLOSED IN 2011", 260)
    # Batteries
    for k, (x, y, a) in enumerate(((590, 560, 20), (640, 600, -30), (570, 630, 75), (646, 656, 10))):
        _battery(p, x, y, a)
    _note(p, 600, 700, "BATTERIES", "FULL OR EMPTY: SCIENCE CANNOT SAY", 220)
    # Keys
    for k, (x, y) in enumerate(((150, 850), (206, 880), (262, 846), (178, 930), (244, 934), (306, 900))):
        _key(p, x, y, k * 53)
    _note(p, 226, 968, "KEYS: 41", "KNOWN LOCKS: 0", 260)
    # A shoal of paper clips
    for k in range(9):
        _clip_fish(p, 560 + (k % 3) * 52 + (k // 3) * 18, 860 + (k // 3) * 40 + (k % 3) * 9)
    _note(p, 620, 994, "PAPER CLIPS", "THEY SWIM IN SHOALS", 200)
    # Candles
    for k, x in enumerate((160, 190, 220, 250)):
        p.shape(box(x, 1150 + k % 2 * 8, 12, 54), width=1.8, smooth=False, hatch={"angle": 30, "gap": 8})
        p.stroke([(x + 6, 1150 + k % 2 * 8), (x + 5, 1143), (x + 8, 1138)], 1.6)
    _note(p, 214, 1224, "BIRTHDAY CANDLES", "USED ONCE. NOBODY IS THAT AGE NOW.", 260)
    # Kelp of cables
    for k, x in enumerate((560, 596, 632, 668, 700)):
        top = 1140 + (k * 37) % 70
        p.stroke([(x + 12 * math.sin(j * 1.3 + k), 1440 - j * (1440 - top) / 7) for j in range(8)], 3.4)
        plug = x + 12 * math.sin(7 * 1.3 + k)
        p.shape(box(plug - 8, top - 26, 16, 24), width=1.9, smooth=False)
        p.shape(box(plug - 5, top - 36, 10, 11), width=1.6, smooth=False)
    p.fill(box(536, 1452, 190, 4), 209)
    _note(p, 622, 1456, "CABLE KELP", "EVERY END FITS NOTHING", 210)


def _battery(p: Paper, x, y, a):
    body = turned(box(x - 26, y - 10, 46, 20), a, (x, y))
    p.shape(body, width=2, smooth=False)
    p.fill(turned(box(x - 26, y - 10, 14, 20), a, (x, y)), p.ink)
    p.shape(turned(box(x + 20, y - 4, 6, 8), a, (x, y)), fill=p.ink, width=1, smooth=False)


def _key(p: Paper, x, y, a):
    p.stroke(turned([(x + 10, y), (x + 46, y)], a, (x, y)), 3.2)
    for d in (34, 42):
        p.stroke(turned([(x + d, y), (x + d, y + 9)], a, (x, y)), 2.6)
    p.shape(oval(x, y, 11), width=2.6)
    p.shape(oval(x, y, 4), width=1.6)


def _clip_fish(p: Paper, x, y):
    p.stroke([(x + 22, y - 5), (x - 14, y - 7), (x - 20, y), (x - 14, y + 7), (x + 18, y + 6),
              (x + 22, y + 1), (x + 16, y - 2),
              (x - 8, y - 2)], 1.9, wobble=0.3)
    p.stroke([(x + 22, y - 5), (x + 32, y - 10), (x + 32, y + 8), (x + 20, y + 4)], 1.7, wobble=0.3)
    p.dot(x - 12, y - 1, 1.8)


def _twilight(p: Paper):
    # Jellyfish chargers
    for x, y, s in ((130, 1500, 34), (220, 1560, 42), (312, 1506, 30)):
        p.shape([*oval(x, y, s, s * 0.8, 180, 360, 10), (x + s * 0.8, y + 8), (x - s * 0.8, y + 8)],
                width=2.2)
        p.line(x - 6, y - s * 0.8, x - 6, y - s * 0.8 - 11, 3)
        p.line(x + 6, y - s * 0.8, x + 6, y - s * 0.8 - 11, 3)
        p.dot(x - 9, y - 10, 2.4)
        p.dot(x + 9, y - 10, 2.4)
        for k in (-0.6, -0.2, 0.2, 0.6):
            p.stroke([(x + k * s, y + 10), (x + k * s + 7, y + 30), (x + k * s - 6, y + 52),
                      (x + k * s + 5, y + 74)], 1.7)
    _note(p, 232, 1652, "JELLY CHARGERS", "PHONES EXTINCT SINCE 2006", 280)
    # Instructions
    p.shape([(560, 1600), (690, 1590), (696, 1720), (566, 1730)], width=2.2, smooth=False)
    write(p, 628, 1620, "INSTRUCTIONS", 14, "middle", angle=-4)
    p.shape(oval(628, 1668, 22, 17), width=1.8)
    p.line(606, 1668, 590, 1690, 1.8)
    p.stroke([(646, 1690), (668, 1700), (672, 1680), (684, 1690)], 1.8)
    write(p, 628, 1668, "?", 24, "middle")
    _note(p, 626, 1744, "INSTRUCTIONS", "THE THING WAS NEVER FOUND", 220)
    # Hex keys
    for k in range(12):
        x, y = 96 + (k % 4) * 62 + (k // 4) * 20, 1850 + (k // 4) * 46 + (k % 2) * 10
        p.stroke([(x, y), (x + 36, y), (x + 38, y - 17)], 3.6, smooth=False, wobble=0.3)
    _note(p, 220, 1990, "HEX KEYS", "THIS IS WHERE THEY SPAWN", 280)
    # Half-way diver
    pim = Person(p, 560, 2140, 122, PIM, -1, "wide", "up", "out")
    _helmet(p, *pim.head, 26)
    for k, (x, y, r) in enumerate(((600, 1990, 5), (612, 1960, 8), (598, 1926, 6), (614, 1896, 10))):
        p.shape(oval(x, y, r), width=1.6)
    say(p, 634, 2206, "I CAN SEE MY HOUSE FROM HERE.", (576, 2146), 19, 170)
    # Last daylight
    p.line(110, 2330, 700, 2330, 1.6)
    write(p, 310, 2358, "END OF DAYLIGHT", 24, "middle")
    write(p, 310, 2388, "(PEOPLE STOP LOOKING HERE)", 19, "middle")
    # Paper boat wreck
    p.shape([(120, 2170), (206, 2196), (290, 2160), (262, 2216), (142, 2224)], width=2.2, smooth=False)
    p.shape([(206, 2196), (196, 2128), (250, 2180)], width=2.2, smooth=False)
    write(p, 200, 2209, "OPEN SOON", 14, "middle", angle=-3)
    _note(p, 212, 2240, "THE WRECK OF THE", "'IMPORTANT LETTER'", 280)


def _deep(p: Paper):
    # Angler fish with a torch
    p.paper = 93
    p.shape([(120, 2640), (150, 2576), (220, 2560), (290, 2590), (318, 2630), (356, 2600), (354, 2680),
             (316, 2656), (270, 2700),
             (190, 2710), (136, 2680)], width=2.6)
    p.stroke([(186, 2566), (176, 2520), (126, 2504), (92, 2530)], 2.2)
    p.shape([(78, 2526), (104, 2520), (108, 2540), (82, 2546)], width=1.9, smooth=False)
    p.fill([(76, 2547), (110, 2541), (140, 2604), (46, 2612)], 196)
    p.shape(oval(176, 2606, 13), width=2)
    p.dot(172, 2608, 5)
    p.stroke([(124, 2650), (160, 2662), (204, 2652)], 2)
    for k in range(5):
        x = 132 + k * 15
        p.shape([(x, 2653 + k % 2 * 3), (x + 5, 2668 + k % 2 * 3), (x + 10, 2656)], width=1.3, smooth=False,
                fill=232)
    _note(p, 226, 2726, "KEY-RING TORCH", "STILL WORKS. STILL HUNTING.", 290)
    # Coins
    for k in range(11):
        x, y = 570 + (k * 53) % 140, 2610 + (k * 37) % 90
        p.shape(oval(x, y, 13, 11), width=1.9)
        p.line(x - 3, y - 4, x - 3, y + 4, 1.6)
    _note(p, 632, 2728, "COINS", "OF COUNTRIES THAT ARE NOT THERE ANY MORE", 200)
    # Eyes
    for x, y in ((600, 2930), (660, 2990), (560, 3020)):
        for d in (-9, 9):
            p.shape(oval(x + d, y, 6, 8), fill=232, width=1)
            p.dot(x + d - 1, y + 1, 2.6, ink=20)
    _note(p, 620, 3050, "GLOVES", "ALL LEFT", 200)
    # Rubber band kraken
    p.paper = 70
    cx, cy = 226, 3090
    for k in range(8):
        a = math.radians(20 + k * 20)
        side = math.cos(a)
        points = [(cx + side * 60, cy + 40), (cx + side * 120, cy + 90 + 20 * math.sin(k)),
                  (cx + side * 150, cy + 150),
                  (cx + side * 120 + 20, cy + 196 - k % 3 * 14),
                  (cx + side * 146 + 10, cy + 232 - k % 2 * 20)]
        p.stroke(points, 6)
        p.stroke(points, 2.6, ink=70)
    p.shape(oval(cx, cy, 84, 78), width=2.6)
    for k in range(9):
        band = []
        for t in range(0, 181, 30):
            a, across = math.radians(20 * k + t), math.radians(t - 90)
            reach = 84 * (1 - abs(t - 90) / 400)
            band.append((cx + reach * math.cos(a), cy + 38 * math.sin(a) * math.cos(across)))
        p.stroke(band, 1.3)
    for d in (-26, 26):
        p.shape(oval(cx + d, cy - 6, 15, 17), fill=232, width=1.5)
        p.dot(cx + d + 5, cy - 4, 6, ink=20)
    _note(p, 226, 3340, "RUBBER BAND BALL", "DO NOT FEED", 280)
    # A lone pen lid, and a postcard from a fish
    p.paper = 46
    for k in range(4):
        pen(p, 590 + k * 34, 3230 + (k % 2) * 26, 60 + k * 20)
    _note(p, 636, 3280, "PENS", "SEE: THE PEN CYCLE", 200)
    _drift(p)


def _drift(p: Paper):
    p.random.seed("drift")
    for _ in range(150):
        x, y = p.random.uniform(60, 730), p.random.uniform(2560, 3900)
        p.dot(x, y, p.random.choice((0.8, 1.0, 1.4)), ink=120)
    p.stroke([(560, 3560), (610, 3530), (660, 3560), (706, 3536)], 2)
    for k in range(5):
        p.line(572 + k * 30, 3552 - (k % 2) * 10, 572 + k * 30, 3576 - (k % 2) * 10, 1.4)
    _note(p, 630, 3590, "HALF A ZIP", "IT HAS LEARNT TO SWIM", 220)
    p.shape([(120, 3560), (170, 3548), (230, 3552), (262, 3570), (230, 3588), (168, 3590)], width=2)
    p.shape([(262, 3570), (290, 3552), (288, 3590)], width=2, smooth=False)
    p.dot(146, 3566, 3)
    for k in range(3):
        p.line(178 + k * 22, 3552, 176 + k * 22, 3588, 1.4)
    _note(p, 200, 3604, "TUNA", "BEST BEFORE: IT WAS A TIN", 280)


def _floor(p: Paper):
    p.ink, p.paper = 236, 23
    sand = p.trace([(0, 4076), (120, 4064), (300, 4078), (470, 4066), (620, 4078), (740, 4068)], wobble=1.4)
    p.fill([*sand, (740, 4200), (0, 4200)], 70)
    p.ink_line(sand, 2.4, taper=False)
    pim = Person(p, 420, 4070, 134, PIM, -1, "glad", "up", "out")
    _helmet(p, *pim.head, 29)
    hx, hy = pim.hand
    _scissors(p, hx, hy - 12)
    say(p, 232, 3862, "GOT THEM!", (366, 3956), 22, 160)
    say(p, 610, 3712, "LOVELY. AND THE TAPE?", (492, 3700), 21, 140)
    p.shape([(96, 4092), (300, 4092), (322, 4150), (74, 4150)], width=2.6, smooth=False)
    p.shape(box(130, 4104, 136, 32), width=2, smooth=False)
    write(p, 198, 4120, "MISC. (2)", 20, "middle")
    p.stroke([(180, 4146), (198, 4156), (216, 4146)], 2.4)
    for x, y in ((560, 4110), (640, 4140), (480, 4160), (690, 4106), (400, 4130)):
        p.line(x, y, x + 18, y, 1.4)


def _scissors(p: Paper, x, y):
    p.shape(oval(x - 12, y + 8, 9, 12), width=3)
    p.shape(oval(x + 12, y + 8, 9, 12), width=3)
    p.stroke([(x - 7, y - 3), (x + 9, y - 52)], 4.2, smooth=False)
    p.stroke([(x + 7, y - 3), (x - 9, y - 52)], 4.2, smooth=False)
    p.dot(x, y - 24, 2.2, ink=23)
    for k in range(7):
        a = math.radians(195 + k * 25)
        p.line(x + 46 * math.cos(a), y - 22 + 46 * math.sin(a), x + 60 * math.cos(a),
               y - 22 + 60 * math.sin(a), 1.8)
