# Longbox
# SPDX-License-Identifier: MIT
"""A page of a field guide, in colour."""

import math

from .ink import Paper, box, oval, turned
from .lettering import write

CREAM = (251, 246, 233)

INKY = (38, 34, 40)


def wash(p: Paper, points, colour, smooth=True, deep=None, slip=(2.0, 1.6), width=1.9):
    """A patch of watercolour, a little off its ink outline, as colour on a quick drawing is."""
    line = p.trace(points, closed=True, smooth=smooth, wobble=0.6)
    p.fill([(x + slip[0], y + slip[1]) for x, y in p.trace(points, True, smooth, 1.4)], colour)
    if deep is not None:
        p.hatch(line, 55, 5, 1.3, ink=deep)
    if width:
        p.ink_line(line, width, closed=True)
    return line


def field_guide_to_leaves() -> Paper:
    """Nine leaves, of which four are botanical."""
    p = Paper(700, 800, "leaves", mode="RGB", paper=CREAM, ink=INKY)
    write(p, 350, 36, "A FIELD GUIDE TO LEAVES", 31, "middle")
    cells = [(24 + c * 220, 68 + r * 242) for r in range(3) for c in range(3)]
    names = [("OAK", "QUERCUS ROBUR"), ("GINKGO", "GINKGO BILOBA"), ("TEA", "CAMELLIA CUM LACTE"),
             ("LOOSE", "FOLIUM FUGITIVUM"), ("GOLD", "AURUM EXPENSIVUM"), ("TABLE", "MENSA EXTENDENS"),
             ("BINARY TREE", "RADIX NULL NULL"), ("ANNUAL", "OTIUM XXV DIERUM"),
             ("MAPLE", "ACER (DO NOT EAT)")]
    for (x, y), (name, latin), drawing in zip(
            cells, names, (_oak, _ginkgo, _tea, _loose, _gold, _table, _binary, _annual, _maple)):
        p.shape(box(x, y, 210, 228), fill=(255, 253, 247), width=1.8, smooth=False)
        drawing(p, x + 105, y + 88)
        write(p, x + 105, y + 186, name, 21, "middle")
        write(p, x + 105, y + 209, latin, 14.5, "middle", ink=(112, 92, 84))
    return p


def _mirror(half, x, y):
    """A shape that is the same on the right as on the left, from its left half (top to bottom)."""
    return [(x + a, y + b) for a, b in half] + [(x - a, y + b) for a, b in reversed(half)]


def _veins(p: Paper, x, top, bottom, pairs, reach, ink):
    p.line(x, top, x, bottom, 1.8, ink=ink)
    for k in range(pairs):
        y = top + (bottom - top) * (k + 1.2) / (pairs + 1.4)
        r = reach * math.sin(math.pi * (k + 1.2) / (pairs + 1.2))
        for side in (-1, 1):
            p.stroke([(x, y + 8), (x + side * r * 0.6, y - 1), (x + side * r, y - 8)], 1.2, ink=ink)


def _oak(p: Paper, x, y):
    half = [(0, -68), (-16, -64), (-24, -48), (-14, -38), (-34, -36), (-40, -20), (-22, -8), (-44, -4),
            (-46, 16), (-24, 22),
            (-34, 32), (-26, 46), (-8, 44), (-3, 60)]
    wash(p, _mirror(half, x, y), (196, 142, 66), deep=(168, 112, 48))
    _veins(p, x, y - 60, y + 82, 4, 28, (92, 58, 30))
    wash(p, oval(x + 66, y + 52, 12, 17), (172, 180, 84))
    wash(p, oval(x + 66, y + 39, 15, 8), (132, 88, 46))
    p.line(x + 66, y + 31, x + 68, y + 22, 2)


def _ginkgo(p: Paper, x, y):
    fan = [(x, y + 40), (x - 40, y + 16), (x - 72, y - 18), (x - 60, y - 40), (x - 30, y - 58),
           (x - 8, y - 60), (x, y - 34),
           (x + 10, y - 61), (x + 34, y - 57), (x + 62, y - 38), (x + 72, y - 16), (x + 40, y + 16)]
    wash(p, fan, (246, 202, 70))
    for k in range(-5, 6):
        a = math.radians(-90 + k * 11)
        r = 78 if k else 60
        p.stroke([(x + 8 * math.cos(a), y + 32 + 8 * math.sin(a)),
                  (x + r * math.cos(a), y + 34 + r * math.sin(a))], 1.0,
                 ink=(186, 138, 30))
    p.stroke([(x, y + 38), (x + 3, y + 60), (x - 6, y + 80)], 3)


def _tea(p: Paper, x, y):
    wash(p, [(x - 50, y - 2), (x + 42, y - 2), (x + 34, y + 40), (x + 18, y + 58), (x - 26, y + 58),
             (x - 42, y + 40)],
         (120, 172, 196))
    p.stroke([(x + 40, y + 8), (x + 64, y + 10), (x + 62, y + 32), (x + 36, y + 36)], 4)
    wash(p, oval(x - 4, y - 2, 46, 11), (186, 118, 60))
    wash(p, [(x - 70, y + 62), (x + 62, y + 62), (x + 42, y + 74), (x - 50, y + 74)], (120, 172, 196))
    p.stroke([(x - 24, y - 2), (x - 40, y - 22), (x - 52, y - 12), (x - 58, y + 8)], 1.4)
    wash(p, box(x - 72, y + 8, 26, 30), (236, 226, 196), smooth=False)
    wash(p, [(x - 59, y + 12), (x - 52, y + 22), (x - 59, y + 34), (x - 66, y + 22)], (96, 148, 80),
         width=1.2)
    for dx in (-10, 8, 24):
        p.stroke([(x + dx, y - 20), (x + dx + 7, y - 31), (x + dx - 4, y - 44), (x + dx + 5, y - 60)], 1.8,
                 ink=(150, 140, 136))


def _loose(p: Paper, x, y):
    for k, (dx, dy, a) in enumerate(((-10, 4, -14), (8, -4, 9))):
        sheet = turned(box(x - 42 + dx, y - 60 + dy, 84, 118), a, (x + dx, y + dy))
        wash(p, sheet, (238, 242, 250) if k else (252, 250, 226), smooth=False, slip=(3, 3))
        for j in range(8):
            line = turned([(x - 26 + dx, y - 42 + dy + j * 13), (x + 36 + dx, y - 42 + dy + j * 13)], a,
                          (x + dx, y + dy))
            p.line(*line[0], *line[1], 1.1, ink=(128, 160, 208))
        margin = turned([(x - 28 + dx, y - 58 + dy), (x - 28 + dx, y + 56 + dy)], a, (x + dx, y + dy))
        p.line(*margin[0], *margin[1], 1.2, ink=(216, 98, 92))
        for j in (-38, 0, 38):
            (hx, hy), = turned([(x - 35 + dx, y + j + dy)], a, (x + dx, y + dy))
            p.shape(oval(hx, hy, 3.4), fill=(255, 253, 247), width=1.4)
    for dy in (-30, 0, 30):
        p.stroke([(x + 62, y + dy), (x + 76, y + dy - 6), (x + 90, y + dy)], 1.4)


def _gold(p: Paper, x, y):
    wash(p, [(x - 56, y - 40), (x - 10, y - 46), (x + 30, y - 38), (x + 56, y - 44), (x + 50, y + 4),
             (x + 58, y + 48),
             (x + 12, y + 42), (x - 28, y + 50), (x - 58, y + 44), (x - 50, y)], (240, 190, 58), smooth=False)
    p.stroke([(x - 50, y - 30), (x - 20, y - 6), (x - 34, y + 36)], 1.4, ink=(184, 132, 22))
    p.stroke([(x + 44, y - 34), (x + 22, y - 4), (x + 42, y + 34)], 1.4, ink=(184, 132, 22))
    p.fill([(x - 12, y - 32), (x + 4, y - 34), (x - 14, y + 30), (x - 28, y + 32)], (255, 236, 160))
    for sx, sy, r in ((x + 66, y - 52, 11), (x - 66, y + 8, 8), (x + 70, y + 54, 7)):
        p.line(sx - r, sy, sx + r, sy, 1.6)
        p.line(sx, sy - r, sx, sy + r, 1.6)
        p.line(sx - r * 0.5, sy - r * 0.5, sx + r * 0.5, sy + r * 0.5, 1.1)
        p.line(sx - r * 0.5, sy + r * 0.5, sx + r * 0.5, sy - r * 0.5, 1.1)


def _table(p: Paper, x, y):
    for side in (-1, 1):
        top = [(x + side * 24, y - 14), (x + side * 78, y - 14), (x + side * 90, y + 10),
               (x + side * 26, y + 10)]
        wash(p, top, (186, 124, 78), smooth=False, deep=(156, 98, 58))
        p.line(x + side * 82, y + 11, x + side * 84, y + 74, 4)
        p.line(x + side * 32, y + 11, x + side * 32, y + 62, 3)
    wash(p, [(x - 20, y - 44), (x + 20, y - 44), (x + 22, y - 20), (x - 22, y - 20)], (222, 162, 104),
         smooth=False)
    for dx in (-10, 10):
        p.line(x + dx, y - 14, x + dx, y + 2, 1.8)
        p.line(x + dx, y + 2, x + dx - 4, y - 4, 1.8)
        p.line(x + dx, y + 2, x + dx + 4, y - 4, 1.8)
    wash(p, oval(x + 58, y - 22, 11, 9), (214, 72, 62), width=1.6)
    p.line(x + 58, y - 30, x + 61, y - 37, 1.8)


def _binary(p: Paper, x, y):
    levels = [[(x, y - 52)], [(x - 40, y - 8), (x + 40, y - 8)],
              [(x - 64, y + 42), (x - 18, y + 42), (x + 18, y + 42), (x + 64, y + 42)]]
    for k, row in enumerate(levels[1:]):
        for j, (cx, cy) in enumerate(row):
            px, py = levels[k][j // 2]
            p.stroke([(px, py), ((px + cx) / 2 + (4 if cx > px else -4), (py + cy) / 2 - 2), (cx, cy)],
                     4.5 - k, ink=(112, 76, 52))
    for cx, cy in levels[0] + levels[1]:
        p.shape(oval(cx, cy, 11), fill=(214, 196, 168), width=1.9)
    for j, (cx, cy) in enumerate(levels[2]):
        leaf = [(cx, cy - 6), (cx - 13, cy + 8), (cx - 9, cy + 26), (cx, cy + 36), (cx + 9, cy + 26),
                (cx + 13, cy + 8)]
        wash(p, turned(leaf, (10, 4, -4, -10)[j], (cx, cy)), ((112, 164, 84), (142, 180, 74), (112, 164, 84),
                                                              (218, 130, 62))[j])
        p.line(cx, cy, cx, cy + 26, 1.2, ink=(62, 92, 44))


def _annual(p: Paper, x, y):
    wash(p, [(x - 94, y + 62), (x - 40, y + 54), (x + 30, y + 60), (x + 94, y + 58), (x + 90, y + 80),
             (x - 90, y + 80)],
         (240, 216, 150), width=0, slip=(0, 0))
    p.shape(oval(x + 58, y - 46, 20), fill=(250, 200, 80), width=1.8)
    for k in range(10):
        a = k * math.pi / 5
        p.line(x + 58 + 26 * math.cos(a), y - 46 + 26 * math.sin(a), x + 58 + 34 * math.cos(a),
               y - 46 + 34 * math.sin(a), 1.6)
    p.line(x - 60, y + 70, x + 20, y - 8, 3.4)
    p.line(x + 30, y + 70, x - 34, y + 14, 3.4)
    wash(p, [(x - 62, y + 34), (x - 44, y + 54), (x - 8, y + 44), (x + 36, y - 14), (x + 12, y - 32),
             (x - 24, y + 18)], (214, 88, 80))
    for (x0, y0), (x1, y1) in (((-45, 30), (-29, 48)), ((-19, 14), (0, 33)), ((-3, -9), (17, 10))):
        p.line(x + x0, y + y0, x + x1, y + y1, 5, ink=(252, 240, 226))
    p.stroke([(x - 92, y + 44), (x - 76, y + 38), (x - 60, y + 44), (x - 46, y + 40)], 1.6,
             ink=(96, 150, 190))
    p.stroke([(x + 40, y + 40), (x + 58, y + 34), (x + 74, y + 40), (x + 92, y + 36)], 1.6,
             ink=(96, 150, 190))
    wash(p, [(x + 50, y + 46), (x + 68, y + 46), (x + 65, y + 70), (x + 53, y + 70)], (250, 170, 80),
         smooth=False, width=1.6)
    p.line(x + 60, y + 46, x + 68, y + 28, 1.6)


def _maple(p: Paper, x, y):
    half = [(0, -72), (-10, -50), (-24, -56), (-20, -26), (-46, -44), (-44, -28), (-70, -26), (-58, -8),
            (-66, 0), (-34, 22), (-38, 34),
            (-4, 28)]
    wash(p, _mirror(half, x, y), (212, 76, 50), smooth=False, deep=(180, 54, 38))
    p.line(x, y - 60, x, y + 78, 2.2, ink=(110, 30, 24))
    for side in (-1, 1):
        p.line(x, y + 24, x + side * 56, y - 18, 1.6, ink=(110, 30, 24))
        p.line(x, y + 26, x + side * 34, y + 26, 1.4, ink=(110, 30, 24))
    for k, (dx, dy) in enumerate(((58, 40), (68, 48), (60, 56))):
        p.dot(x + dx, y + dy, 1.6)
