# Longbox
# SPDX-License-Identifier: MIT
"""Paper and pen: wobbly strokes of varying pressure, filled shapes and hatching.

All lengths are pixels of the finished 1x picture. The paper is drawn larger (`scale` times) and reduced at
the end, which gives soft edges at 1x and 2x from one drawing. Every random choice comes from the seed, so
that a picture comes out the same each time.
"""

import math
import random

from PIL import Image, ImageDraw

Point = tuple[float, float]
Tone = int | tuple[int, int, int]

PAPER = 255
INK = 24


def oval(x, y, rx, ry=None, start=0.0, end=360.0, steps=20) -> list[Point]:
    """Points on an ellipse, from `start` to `end` degrees, clockwise from three o'clock."""
    ry = rx if ry is None else ry
    closed = end - start >= 360
    count = steps if closed else steps + 1
    angles = (math.radians(start + (end - start) * i / steps) for i in range(count))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def box(x, y, width, height) -> list[Point]:
    """The corners of an upright rectangle."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def turned(points, degrees, about: Point) -> list[Point]:
    """The points turned clockwise about a point."""
    a = math.radians(degrees)
    cos, sin, (cx, cy) = math.cos(a), math.sin(a), about
    return [(cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos) for x, y in points]


def _catmull_rom(points, closed) -> list[Point]:
    """A smooth line through the points."""
    if len(points) < 3:
        return list(points)
    if closed:
        p = [points[-1], *points, points[0], points[1]]
    else:
        p = [points[0], *points, points[-1]]
    out = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        for i in range(8):
            t = i / 8
            out.append(tuple(
                0.5 * (2 * b[k] + (c[k] - a[k]) * t + (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t
                       + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t ** 3)
                for k in (0, 1)))
    if not closed:
        out.append(points[-1])
    return out


def _even(points, step, closed) -> list[Point]:
    """The same line, with points at even distances."""
    line = [*points, points[0]] if closed else points
    out, left = [line[0]], step
    for (x0, y0), (x1, y1) in zip(line, line[1:]):
        length = math.hypot(x1 - x0, y1 - y0)
        at = left
        while at <= length and length > 0:
            out.append((x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length))
            at += step
        left = at - length
    if not closed:
        out.append(line[-1])
    return out


class Paper:
    """A sheet to draw on. `mode` is "L" (greys) or "RGB" (colours)."""

    def __init__(self, width, height, seed, mode="L", paper: Tone = PAPER, ink: Tone = INK, scale=6):
        self.width, self.height, self.scale = width, height, scale
        self.random = random.Random(seed)
        self.paper, self.ink = paper, ink
        self.image = Image.new(mode, (width * scale, height * scale), paper)
        self.draw = ImageDraw.Draw(self.image)
        self.taken: list[tuple[str, float, float, float, float]] = []

    # Lines

    def _noise(self, length, closed):
        """A slow, smooth wander along a line: what an unhurried hand does."""
        waves = []
        for wave, size in ((90, 1.0), (37, 0.5), (14, 0.14)):
            wave *= (1.6 if length > 300 else 1.0) * self.random.uniform(0.8, 1.25)
            if closed:
                wave = length / max(1, round(length / wave))
            waves.append((2 * math.pi / wave, self.random.uniform(0, 2 * math.pi), size))
        return lambda s: sum(size * math.sin(k * s + phase) for k, phase, size in waves)

    def trace(self, points, closed=False, smooth=True, wobble=0.7) -> list[Point]:
        """The line that a hand draws when it means these points."""
        line = _catmull_rom(points, closed) if smooth else list(points)
        line = _even(line, 1.0, closed)
        length = float(len(line))
        size = wobble * min(1.0, length / 40)
        dx, dy = self._noise(length, closed), self._noise(length, closed)
        return [(x + size * dx(i), y + size * dy(i)) for i, (x, y) in enumerate(line)]

    def ink_line(self, line, width=2.0, ink: Tone | None = None, closed=False, taper=True):
        """Inks a traced line, pressing harder here and lighter there."""
        ink = self.ink if ink is None else ink
        s, length = self.scale, len(line)
        press = self._noise(float(length), closed)
        if closed:
            line = [*line, line[0]]
        last = None
        for i, (x, y) in enumerate(line):
            r = width / 2 * (1 + 0.17 * press(i))
            if taper and not closed:
                r *= min(1.0, 0.55 + 0.45 * min(i, length - 1 - i) / 7)
            r *= s
            x, y = x * s, y * s
            if last is not None:
                lx, ly = last
                gap = math.hypot(x - lx, y - ly)
                for k in range(1, int(gap / max(1.0, 0.5 * r)) + 1):
                    t = k / (int(gap / max(1.0, 0.5 * r)) + 1)
                    mx, my = lx + (x - lx) * t, ly + (y - ly) * t
                    self.draw.ellipse((mx - r, my - r, mx + r, my + r), fill=ink)
            self.draw.ellipse((x - r, y - r, x + r, y + r), fill=ink)
            last = (x, y)

    def stroke(self, points, width=2.0, ink=None, wobble=0.7, smooth=True, closed=False, taper=True):
        """Draws a line through the points."""
        self.ink_line(self.trace(points, closed, smooth, wobble), width, ink, closed, taper)

    def line(self, x0, y0, x1, y1, width=2.0, ink=None, wobble=0.7):
        """Draws a straight line, as straight as a hand can."""
        self.stroke([(x0, y0), (x1, y1)], width, ink, wobble, smooth=False)

    # Shapes

    def fill(self, points, tone: Tone):
        """Fills an area without an outline."""
        s = self.scale
        self.draw.polygon([(x * s, y * s) for x, y in points], fill=tone)

    def shape(self, points, fill: Tone | None = PAPER, width=2.0, ink=None, wobble=0.6, smooth=True,
              hatch=None):
        """Fills an area and draws its outline. `hatch` is a dictionary of `hatch`'s own options."""
        line = self.trace(points, True, smooth, wobble)
        if fill is not None:
            self.fill(line, self.paper if fill == PAPER else fill)
        if hatch is not None:
            self.hatch(line, **hatch)
        if width > 0:
            self.ink_line(line, width, ink, closed=True)
        return line

    def dot(self, x, y, radius, ink=None):
        """A dot of ink."""
        s, ink = self.scale, self.ink if ink is None else ink
        self.draw.ellipse(((x - radius) * s, (y - radius) * s, (x + radius) * s, (y + radius) * s), fill=ink)

    def hatch(self, area, angle=45.0, gap=5.0, width=1.0, ink=None, cross=False, loose=0.25):
        """Fills an area with parallel pen strokes."""
        a = math.radians(angle)
        cos, sin = math.cos(a), math.sin(a)
        flat = [(x * cos + y * sin, -x * sin + y * cos) for x, y in area]
        y = min(v for _, v in flat) + gap * 0.5
        bottom = max(v for _, v in flat)
        while y < bottom:
            cuts = sorted(
                x0 + (y - y0) * (x1 - x0) / (y1 - y0)
                for (x0, y0), (x1, y1) in zip(flat, flat[1:] + flat[:1]) if (y0 <= y) != (y1 <= y))
            for start, end in zip(cuts[::2], cuts[1::2]):
                if end - start < 2.5:
                    continue
                start += self.random.uniform(0, loose * gap)
                end -= self.random.uniform(0, loose * gap)
                ends = [(x * cos - y * sin, x * sin + y * cos) for x in (start, end)]
                self.stroke(ends, width, ink, wobble=0.35, smooth=False)
            y += gap * self.random.uniform(0.85, 1.15)
        if cross:
            self.hatch(area, angle + 90, gap, width, ink, loose=loose)

    def panel(self, x, y, width, height, weight=2.6):
        """The frame of a panel: four strokes that just overshoot their corners."""
        o = 1.2
        for x0, y0, x1, y1 in ((x - o, y, x + width + o, y), (x + width, y - o, x + width, y + height + o),
                               (x + width + o, y + height, x - o, y + height), (x, y + height + o, x, y - o)):
            self.line(x0, y0, x1, y1, weight, wobble=0.8)

    def claim(self, what, left, top, right, bottom):
        """Notes that a thing stands here, and says so if it covers another or leaves the sheet."""
        if left < 0 or top < 0 or right > self.width or bottom > self.height:
            print(f"  ! {what} leaves the sheet")
        for other, x0, y0, x1, y1 in self.taken:
            if left < x1 and right > x0 and top < y1 and bottom > y0:
                print(f"  ! {what} covers {other}")
        self.taken.append((what, left, top, right, bottom))
