# Longbox
# SPDX-License-Identifier: MIT
"""What people live with: Ibid the robot, Ampersand the cat, and cardboard boxes."""

import math

from . import lettering
from .cast import REACH
from .ink import PAPER, Paper, Tone, box, oval


def robot(paper: Paper, x, ground, height, facing=1, mood="calm", arms=("down", "down"), hatch=True):
    """Ibid, the archive's robot: a filing cabinet on one wheel. Returns a point above its head."""
    h, f, pen = height, facing, max(1.3, min(2.2, height / 58))

    def at(a, u):
        return (x + f * a * h, ground - u * h)

    def pts(*pairs):
        return [at(*q) for q in pairs]

    hx, hy = at(0, 0.78)
    paper.claim("Ibid's head", hx - h * 0.15, hy - h * 0.13, hx + h * 0.15, hy + h * 0.12)
    paper.shape(oval(*at(0, 0.085), 0.085 * h), width=pen, wobble=0.3)
    paper.shape(oval(*at(0, 0.085), 0.03 * h), fill=paper.ink, width=1, wobble=0.2)
    paper.stroke(pts((-0.1, 0.19), (-0.06, 0.085)), pen)
    paper.stroke(pts((0.1, 0.19), (0.06, 0.085)), pen)
    for side, pose in ((-1, arms[0]), (1, arms[1])):
        dx, dy = REACH[pose]
        if pose in ("down", "up", "high", "hip"):
            dx *= side
        sx, sy = 0.17 * side, 0.54
        elbow = (sx + dx * 0.5 + 0.05 * side, sy - dy * 0.5 - 0.03)
        paper.stroke(pts((sx, sy), elbow, (sx + dx, sy - dy)), pen * 1.3, smooth=True)
        gx, gy = at(sx + dx, sy - dy)
        paper.shape(oval(gx, gy, 0.035 * h), width=pen * 0.9, wobble=0.2)
        paper.dot(gx, gy, 0.012 * h)
    body = paper.shape(pts((-0.17, 0.62), (0.17, 0.62), (0.18, 0.18), (-0.18, 0.18)), width=pen, smooth=False,
                       wobble=0.6)
    if hatch:
        edge = pts((-0.17 * f, 0.61), (-0.11 * f, 0.61), (-0.11 * f, 0.19), (-0.18 * f, 0.19)) if f else body
        paper.hatch(edge, 50, max(3.0, h * 0.03), pen * 0.5)
    for up in (0.475, 0.335):
        paper.stroke(pts((-0.17, up), (0.17, up)), pen * 0.8)
    for up in (0.545, 0.405, 0.26):
        paper.shape(pts((-0.05, up + 0.035), (0.05, up + 0.035), (0.05, up - 0.005), (-0.05, up - 0.005)),
                    width=pen * 0.7, smooth=False, wobble=0.2)
        paper.stroke(pts((-0.03, up - 0.03), (0, up - 0.04), (0.03, up - 0.03)), pen * 0.9, wobble=0.1)
    paper.stroke(pts((0, 0.67), (0, 0.62)), pen * 2.4)
    head = pts((-0.14, 0.9), (0.14, 0.9), (0.145, 0.67), (-0.145, 0.67))
    paper.shape(head, width=pen, smooth=False, wobble=0.5)
    paper.stroke(pts((-0.05, 0.9), (-0.06, 0.99)), pen)
    paper.shape(oval(*at(-0.06, 1.01), 0.025 * h), fill=paper.ink, width=1, wobble=0.2)
    for a in (-0.03, 0.085):
        if mood == "asleep":
            paper.stroke(pts((a - 0.04, 0.815), (a + 0.04, 0.815)), pen)
            continue
        paper.shape(oval(*at(a, 0.815), 0.044 * h), width=pen * 0.8, wobble=0.2)
        if mood == "busy":
            ex, ey = at(a, 0.815)
            turns = [(i / 24 * 0.036 * h, i / 24 * 13) for i in range(25)]
            paper.stroke([(ex + r * math.cos(t), ey + r * math.sin(t)) for r, t in turns], pen * 0.6,
                         wobble=0.1)
        else:
            paper.dot(*at(a + 0.012, 0.812), 0.015 * h)
    paper.stroke(pts((-0.04, 0.72), (0.1, 0.72)), pen * 1.5, wobble=0.2)
    return at(-0.02, 1.09)


def cat(paper: Paper, x, ground, size, facing=1, pose="sit", tone: Tone | None = None, eyes="open"):
    """Ampersand the cat, `size` tall when sitting. Poses: sit, loaf, sleep, peek (head and paws only)."""
    s, f, pen = size, facing, max(1.2, min(2.0, size / 28))
    tone = paper.ink if tone is None else tone
    light = paper.paper

    def at(a, u):
        return (x + f * a * s, ground - u * s)

    def pts(*pairs):
        return [at(*q) for q in pairs]

    hx, hu = (0.12, 0.74)
    if pose == "sit":
        paper.stroke(pts((-0.25, 0.06), (-0.55, 0.05), (-0.62, 0.3), (-0.42, 0.42), (-0.38, 0.28)), s * 0.085,
                     ink=paper.ink)
        paper.shape(pts((-0.02, 0.66), (0.2, 0.6), (0.25, 0.3), (0.3, 0.02), (0.0, -0.01), (-0.3, 0.02),
                        (-0.34, 0.2),
                        (-0.2, 0.48)), fill=tone, width=pen, wobble=0.4)
        if tone != light:
            paper.shape(pts((0.13, 0.52), (0.2, 0.4), (0.16, 0.27), (0.08, 0.4)), fill=light, width=0,
                        wobble=0.2)
        paper.stroke(pts((0.16, 0.02), (0.17, 0.2)), pen * 0.7, ink=light if tone != light else None)
    elif pose in ("loaf", "sleep"):
        hx, hu = 0.36, 0.42 if pose == "loaf" else 0.28
        paper.shape(pts((-0.55, 0.02), (-0.62, 0.22), (-0.4, 0.44), (0.0, 0.5), (0.36, 0.36), (0.56, 0.12),
                        (0.5, 0.0),
                        (0.0, -0.02)), fill=tone, width=pen, wobble=0.4)
        paper.stroke(pts((-0.58, 0.06), (-0.3, -0.03), (0.05, 0.03)), s * 0.085, ink=paper.ink)
        if tone != light:
            paper.stroke(pts((-0.58, 0.1), (-0.3, 0.02), (0.05, 0.085)), pen * 0.6, ink=light)
    elif pose == "peek":
        hx, hu = 0.0, 0.22
    for side in (-1, 1):
        ear = pts((hx + side * 0.06, hu + 0.14), (hx + side * 0.19, hu + 0.33), (hx + side * 0.23, hu + 0.05))
        paper.shape(ear, fill=tone, width=pen, smooth=False, wobble=0.2, ink=paper.ink)
    paper.shape(oval(*at(hx, hu), 0.245 * s, 0.2 * s), fill=tone, width=pen, wobble=0.3)
    if pose == "sleep" and tone != light:
        paper.stroke(oval(*at(hx, hu), 0.245 * s, 0.2 * s, 150, 330), pen * 0.6, ink=light, wobble=0.2)
    face = light if tone != light else paper.ink
    for side in (-1, 1):
        ex, ey = at(hx + side * 0.09 + 0.02, hu + 0.03)
        if pose == "sleep" or eyes == "shut":
            paper.stroke(oval(ex, ey - 0.02 * s, 0.045 * s, 0.035 * s, 20, 160, 6), pen * 0.7, ink=face,
                         wobble=0.1)
        else:
            paper.shape(oval(ex, ey, 0.05 * s, 0.055 * s), fill=light, width=pen * 0.5, ink=face, wobble=0.1)
            paper.dot(ex + f * 0.012 * s, ey, 0.024 * s, ink=paper.ink)
        for k in (0.0, 0.05):
            paper.stroke([at(hx + side * 0.16, hu - 0.05 - k), at(hx + side * 0.36, hu - 0.03 - k * 1.9)],
                         pen * 0.45,
                         ink=paper.ink, wobble=0.2)
    paper.shape([at(hx - 0.015, hu - 0.035), at(hx + 0.055, hu - 0.035), at(hx + 0.02, hu - 0.075)],
                fill=face, width=0.6,
                ink=face, smooth=False, wobble=0.1)
    smile = ((-0.05, -0.085), (-0.015, -0.115), (0.02, -0.085), (0.055, -0.115), (0.09, -0.085))
    paper.stroke([at(hx + a, hu + b) for a, b in smile], pen * 0.55, ink=face, wobble=0.05)
    if pose == "peek":
        for side in (-1, 1):
            paper.shape(oval(*at(hx + side * 0.3, 0.0), 0.085 * s, 0.07 * s), fill=tone, width=pen,
                        wobble=0.2)


def carton(paper: Paper, x, ground, width, height, label="", depth=0.22, size=None, lid=True,
           tone: Tone = PAPER):
    """A cardboard box with its front's bottom left corner at (x, ground)."""
    w, h, d = width, height, width * depth
    front = box(x, ground - h, w, h)
    side = [(x + w, ground - h), (x + w + d, ground - h - d * 0.55), (x + w + d, ground - d * 0.55),
            (x + w, ground)]
    top = [(x, ground - h), (x + d, ground - h - d * 0.55), (x + w + d, ground - h - d * 0.55),
           (x + w, ground - h)]
    paper.shape(top, fill=tone, width=1.9, smooth=False, wobble=0.5)
    paper.shape(side, fill=tone, width=1.9, smooth=False, wobble=0.5,
                hatch={"angle": 62, "gap": 5, "width": 0.9})
    paper.shape(front, fill=tone, width=1.9, smooth=False, wobble=0.5)
    if lid:
        paper.line(x + w / 2, ground - h, x + w / 2 + d, ground - h - d * 0.55, 1.3)
    if label:
        size = size or min(17, w * 0.8 / max(1, lettering.measure(label, 1)))
        wide = lettering.measure(label, size) + 10
        mid = (x + w / 2, ground - h * 0.52)
        paper.shape(box(mid[0] - wide / 2, mid[1] - size * 0.75, wide, size * 1.5), width=1.2, smooth=False,
                    wobble=0.3)
        lettering.write(paper, mid[0], mid[1], label, size, "middle")
