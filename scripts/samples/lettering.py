# Longbox
# SPDX-License-Identifier: MIT
"""Hand lettering: measured, wrapped and balanced text, captions and speech balloons.

The face is Humor Sans (SIL Open Font License; Debian's package fonts-humor-sans). It holds ASCII only.
"""

import functools
import math

from PIL import ImageFont

from .ink import Paper

FACE = "/usr/share/fonts/truetype/humor-sans/Humor-Sans.ttf"
LEADING = 1.22


@functools.cache
def _font(size) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FACE, size)


def measure(text, size) -> float:
    """The width of one line, in pixels of the 1x picture."""
    return _font(240).getlength(text) * size / 240


def _greedy(words, size, width) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if measure(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def wrap(text, size, width) -> list[str]:
    """Breaks text into lines of nearly equal length that are no wider than `width`; a newline breaks too."""
    lines = []
    for part in text.split("\n"):
        words = part.split()
        best = _greedy(words, size, width)
        narrow = width
        while narrow > 20:
            narrow -= 4
            tighter = _greedy(words, size, narrow)
            if len(tighter) > len(best) or max(measure(t, size) for t in tighter) > narrow:
                break
            best = tighter
        lines += best
    return lines


def write(paper: Paper, x, y, text, size=17, align="left", ink=None, angle=0.0):
    """Letters one line; `y` is the middle of the capitals. Each word sits a hair off the line."""
    ink = paper.ink if ink is None else ink
    s, font = paper.scale, _font(round(size * paper.scale))
    width = measure(text, size)
    left = {"left": x, "middle": x - width / 2, "right": x - width}[align]
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    inside = left >= 2 and left + width <= paper.width - 2 and size * 0.4 <= y <= paper.height - size * 0.4
    if angle == 0 and not inside:
        print(f"  ! text leaves the sheet: {text}")
    at = 0.0
    for word in text.split(" "):
        off = paper.random.uniform(-0.025, 0.025) * size
        along = left - x + at
        px, py = x + along * cos - off * sin, y + along * sin + off * cos
        if angle:
            _write_turned(paper, px, py, word, font, ink, angle)
        else:
            paper.draw.text((px * s, py * s), word, fill=ink, font=font, anchor="lm")
        at += measure(word + " ", size)


def _write_turned(paper, x, y, word, font, ink, angle):
    from PIL import Image, ImageDraw
    reach = int(font.getlength(word)) + font.size
    mask = Image.new("L", (2 * reach, 2 * reach), 0)
    ImageDraw.Draw(mask).text((reach, reach), word, fill=255, font=font, anchor="lm")
    mask = mask.rotate(-angle, Image.Resampling.BICUBIC)
    paper.image.paste(ink, (round(x * paper.scale) - reach, round(y * paper.scale) - reach), mask)


def block(paper: Paper, x, y, text, size=17, width=300, align="left", ink=None) -> float:
    """Letters wrapped text downwards from the top edge `y`, and returns its bottom edge."""
    for line in wrap(text, size, width):
        write(paper, x, y + size * LEADING / 2, line, size, align, ink)
        y += size * LEADING
    return y


def caption(paper: Paper, x, y, text, size=16, width=200, pad=6):
    """A caption in a box whose top left corner is given."""
    lines = wrap(text, size, width)
    wide, high = max(measure(t, size) for t in lines) + 2 * pad + 4, len(lines) * size * LEADING + 2 * pad - 2
    paper.claim(text[:20], x, y, x + wide, y + high)
    paper.shape([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], width=1.7, smooth=False)
    block(paper, x + pad + 2, y + pad - 1, text, size, width)


def say(paper: Paper, x, y, text, tail=None, size=17, width=200, thought=False, ink=None):
    """A speech balloon: `x` is its middle, `y` its top edge, `tail` the point near the speaker's mouth.

    Returns the bottom edge.
    """
    lines = wrap(text, size, width)
    wide = max(measure(t, size) for t in lines)
    high = len(lines) * size * LEADING
    rx, ry = wide / 2 + size * 0.75, high / 2 + size * 0.5
    cx, cy = x, y + ry
    paper.claim(text[:24], cx - rx, cy - ry, cx + rx, cy + ry)
    outline = []
    for i in range(40):
        a = 2 * math.pi * i / 40
        c, d = math.cos(a), math.sin(a)
        outline.append((cx + rx * math.copysign(abs(c) ** 0.5, c), cy + ry * math.copysign(abs(d) ** 0.5, d)))
    paper.shape(outline, width=1.9, wobble=0.8, ink=ink)
    if tail is not None:
        (_thought if thought else _tail)(paper, cx, cy, rx, ry, tail, ink)
    top = cy - high / 2
    for line in lines:
        write(paper, cx, top + size * LEADING / 2, line, size, "middle", ink)
        top += size * LEADING
    return cy + ry


def _root(cx, cy, rx, ry, tip):
    """Where a balloon's tail leaves it: on its lower or upper edge, towards the tip."""
    tx, ty = tip
    side = 1 if ty > cy else -1
    if abs(ty - cy) < ry:
        return (cx + math.copysign(rx, tx - cx), max(cy - ry * 0.4, min(cy + ry * 0.4, ty))), False
    reach = rx * 0.62
    return (cx + max(-reach, min(reach, (tx - cx) * 0.6)), cy + side * ry), True


def _tail(paper, cx, cy, rx, ry, tip, ink):
    (bx, by), level = _root(cx, cy, rx, ry, tip)
    half = 6.0
    if level:
        inward = -2.5 if by > cy else 2.5
        a, b = (bx - half, by + inward), (bx + half, by + inward)
    else:
        inward = -2.5 if bx > cx else 2.5
        a, b = (bx + inward, by - half), (bx + inward, by + half)
    tx, ty = tip
    bend = ((bx * 0.6 + tx * 0.4), (by * 0.45 + ty * 0.55))
    left = [a, (bend[0] - 2.5, bend[1]), tip]
    right = [b, (bend[0] + 2.5, bend[1]), tip]
    one, two = paper.trace(left, wobble=0.3), paper.trace(right, wobble=0.3)
    paper.fill([*one, *reversed(two)], paper.paper)
    paper.ink_line(one, 1.8, ink, taper=False)
    paper.ink_line(two, 1.8, ink, taper=False)


def _thought(paper, cx, cy, rx, ry, tip, ink):
    (bx, by), _ = _root(cx, cy, rx, ry, tip)
    for t, r in ((0.2, 5.0), (0.52, 3.6), (0.8, 2.4)):
        x, y = bx + (tip[0] - bx) * t, by + (tip[1] - by) * t
        paper.shape([(x + r * math.cos(a), y + r * math.sin(a)) for a in (0, 1.05, 2.1, 3.14, 4.2, 5.25)],
                    width=1.6, wobble=0.2, ink=ink)
