# Longbox
# SPDX-License-Identifier: MIT
"""The people of the sample box.

They are round-headed, with large noses, in coats like bells, on short legs.
"""

from dataclasses import dataclass

from .ink import PAPER, Paper, Tone, oval, turned


@dataclass(frozen=True)
class Look:
    """What tells one person from another."""

    name: str
    top: str                    # bobble, bun, bald, cap, curls, plain
    coat: str                   # hatch, stripes, black, dots, plain, check
    scarf: bool = False
    glasses: bool = False
    whiskers: str = ""          # moustache, beard
    build: float = 1.0          # width of the coat
    coat_tone: Tone = PAPER
    hat_tone: Tone = PAPER
    skin: Tone = PAPER


ODA = Look("Oda", "bun", "hatch", scarf=True, glasses=True)

PIM = Look("Pim", "bobble", "stripes", build=1.05)

WREN = Look("Wren", "bald", "black", whiskers="beard", build=1.15)

MARLOW = Look("Marlow", "cap", "check", whiskers="moustache", build=1.25)

TILDA = Look("Tilda", "curls", "dots", build=0.95)

REACH = {
    "down": (0.10, 0.27), "front": (0.27, 0.13), "point": (0.36, -0.02), "up": (0.16, -0.36),
    "high": (0.30, -0.30), "hip": (0.05, 0.22), "chin": (0.14, -0.02), "out": (0.30, 0.10),
    "back": (-0.02, 0.25),
}


class Person:
    """Draws a person standing at (x, ground), `height` tall, looking right (facing 1) or left (-1)."""

    def __init__(self, paper: Paper, x, ground, height, look: Look, facing=1, mood="calm",
                 near="down", far="down", sit=False, tilt=0.0, claim=True):
        self.paper, self.x, self.ground, self.h, self.look, self.f = paper, x, ground, height, look, facing
        self.mood, self.near, self.far, self.sit, self.tilt = mood, near, far, sit, tilt
        self.pen = max(1.3, min(2.2, height / 58))
        self.head = self._at(0.015, 0.79)
        if claim:
            r = height * 0.15
            hx, hy = self.head
            paper.claim(f"{look.name}'s head", hx - r, hy - r * 1.3, hx + r, hy + r)
        if not sit:
            self._legs()
        self._arm(far, -1)
        self._coat()
        self._head()
        self._arm(near, 1)
        self.above = self._at(0.08, {"bun": 1.07, "bobble": 1.14}.get(look.top, 1.04))
        self.mouth = self._at(0.2, 0.72)

    def _at(self, across, up) -> tuple[float, float]:
        """A point in the person's own measure: across towards where they look, up from the ground."""
        point = (self.x + self.f * across * self.h, self.ground - up * self.h)
        return turned([point], self.tilt, (self.x, self.ground))[0] if self.tilt else point

    def _points(self, *pairs):
        return [self._at(*p) for p in pairs]

    def _around(self, across, up, rx, ry=None, start=0.0, end=360.0, steps=16):
        ry = rx if ry is None else ry
        return [self._at(across + dx, up - dy) for dx, dy in oval(0, 0, rx, ry, start, end, steps)]

    def _legs(self):
        for side in (-0.075, 0.075):
            self.paper.stroke(self._points((side, 0.2), (side, 0.03)), self.pen * 1.9, wobble=0.3)
            self.paper.shape(self._around(side + 0.025, 0.025, 0.062, 0.028), fill=self.paper.ink, width=1,
                             wobble=0.2)

    def _coat(self):
        b, p = self.look.build, self.paper
        low = 0.02 if self.sit else 0.15
        outline = self._points(
            (-0.075, 0.635), (0.075, 0.635), (0.12 * b, 0.57), (0.15 * b, 0.40), (0.185 * b, low),
            (0.06, low - 0.018), (-0.06, low - 0.018), (-0.185 * b, low), (-0.15 * b, 0.40),
            (-0.12 * b, 0.57))
        tone = p.ink if self.look.coat == "black" else self.look.coat_tone
        line = p.trace(outline, closed=True, wobble=0.5)
        p.fill(line, p.paper if tone == PAPER else tone)
        gap = max(3.2, self.h * 0.038)
        thin = self.pen * 0.55
        if self.look.coat == "hatch":
            p.hatch(line, 60, gap * 1.05, thin)
        elif self.look.coat == "check":
            p.hatch(line, 88, gap * 1.6, thin, cross=True)
        elif self.look.coat == "stripes":
            for up in (0.52, 0.43, 0.34, 0.25, 0.16):
                wide = (0.125 + (0.55 - up) * 0.13) * b
                p.stroke(self._points((-wide, up), (0, up - 0.02), (wide, up)), self.h * 0.03, wobble=0.3)
        elif self.look.coat == "dots":
            for row, up in enumerate((0.53, 0.45, 0.37, 0.29, 0.21)):
                for k in (-1.5, -0.5, 0.5, 1.5) if row % 2 else (-1, 0, 1):
                    p.dot(*self._at(k * 0.07, up), self.h * 0.013)
        p.ink_line(line, self.pen, closed=True)
        if self.look.coat == "hatch":
            p.stroke(self._points((0.05, 0.62), (0.055, 0.4), (0.05, low)), self.pen * 0.8)
        if self.look.scarf:
            tail = self._points((-0.06, 0.60), (-0.10, 0.44), (-0.03, 0.42), (-0.005, 0.59))
            p.shape(tail, fill=self.look.hat_tone, width=self.pen * 0.9, smooth=False, wobble=0.3)
            for up in (0.455, 0.49, 0.525):
                p.stroke(self._points((-0.09, up), (-0.02, up - 0.005)), self.pen * 0.9, wobble=0.2)
            p.shape(self._around(0.005, 0.625, 0.105, 0.042), fill=self.look.hat_tone, width=self.pen * 0.9,
                    wobble=0.3)
            for k in (-0.06, -0.02, 0.02, 0.06):
                p.stroke(self._points((k, 0.66), (k + 0.012, 0.59)), self.pen * 0.8, wobble=0.2)

    def _arm(self, pose, side):
        if pose == "none":
            return
        p, b = self.paper, self.look.build
        sx, sy = 0.10 * b * side, 0.565
        if isinstance(pose, str):
            dx, dy = REACH[pose]
            if pose in ("down", "hip", "up", "high", "back"):
                dx *= side
            hx, hy = sx + dx, sy - dy
            bend = 0.05 * side if pose in ("down", "hip", "up") else 0.0
        else:
            hx, hy = pose
            bend = 0.0
        mx, my = (sx + hx) / 2 + bend, (sy + hy) / 2 - (0.03 if pose != "up" else 0)
        dx, dy = hx - sx, hy - sy
        norm = max(1e-6, (dx * dx + dy * dy) ** 0.5)
        nx, ny = -dy / norm * 0.034, dx / norm * 0.034
        sleeve = self._points((sx + nx, sy + ny), (mx + nx, my + ny), (hx + nx * 1.1, hy + ny * 1.1),
                              (hx - nx * 1.1, hy - ny * 1.1), (mx - nx, my - ny), (sx - nx, sy - ny))
        tone = p.ink if self.look.coat == "black" else self.look.coat_tone
        hand = self._around(hx + dx / norm * 0.025, hy + dy / norm * 0.025, 0.036)
        p.shape(hand, fill=self.look.skin, width=self.pen * 0.9, wobble=0.2)
        line = p.trace(sleeve, closed=True, smooth=False, wobble=0.3)
        p.fill(line, p.paper if tone == PAPER else tone)
        if self.look.coat == "hatch":
            p.hatch(line, 20, max(3.0, self.h * 0.036), self.pen * 0.5)
        elif self.look.coat == "stripes":
            for t in (0.3, 0.62):
                x, y = sx + dx * t, sy + dy * t
                p.stroke(self._points((x + nx, y + ny), (x - nx, y - ny)), self.h * 0.022, wobble=0.1)
        p.ink_line(line, self.pen * 0.9, ink=p.paper if self.look.coat == "black" else None, closed=True)
        self_hand = self._at(hx + dx / norm * 0.025, hy + dy / norm * 0.025)
        if side == 1:
            self.hand = self_hand
        else:
            self.other_hand = self_hand

    def _head(self):
        p, pen, top, skin = self.paper, self.pen, self.look.top, self.look.skin
        if top == "curls":
            for x, y in ((-0.13, 0.78), (-0.135, 0.86), (-0.09, 0.93), (-0.02, 0.96), (0.06, 0.94),
                         (-0.12, 0.71)):
                self._curl(x, y, 0.052)
        if top == "bun":
            p.shape(self._around(-0.07, 0.975, 0.055, 0.05), fill=p.ink, width=pen, wobble=0.4)
        p.shape(self._around(0.015, 0.79, 0.137, 0.152), fill=skin, width=pen, wobble=0.5)
        if top == "bun":
            hair = self._points((-0.13, 0.80), (-0.125, 0.88), (-0.06, 0.95), (0.03, 0.955), (0.105, 0.915),
                                (0.13, 0.87),
                                (0.04, 0.895), (-0.04, 0.87), (-0.085, 0.80), (-0.10, 0.72))
            p.shape(hair, fill=p.ink, width=1, wobble=0.3)
        elif top == "bobble":
            hat = self._points((-0.14, 0.89), (-0.125, 0.98), (-0.05, 1.035), (0.06, 1.03), (0.135, 0.96),
                               (0.145, 0.89),
                               (0.0, 0.875))
            line = p.trace(hat, closed=True, wobble=0.4)
            p.fill(line, p.paper if self.look.hat_tone == PAPER else self.look.hat_tone)
            p.ink_line(line, pen, closed=True)
            for k in (-0.08, -0.03, 0.02, 0.07):
                p.stroke(self._points((k * 1.1, 0.935), (k * 0.8, 1.01)), pen * 0.6, wobble=0.2)
            brim = self._points((-0.15, 0.875), (-0.145, 0.925), (0.0, 0.917), (0.15, 0.925), (0.16, 0.875),
                                (0.0, 0.862))
            p.shape(brim, fill=self.look.hat_tone, width=pen, wobble=0.3)
            p.shape(self._around(0.0, 1.065, 0.042), fill=p.ink, width=pen, wobble=0.8)
        elif top == "bald":
            for x, s in ((-0.125, 1), (0.145, 0.55)):
                for dx, up in ((-0.02, 0.85), (-0.035, 0.82), (-0.02, 0.78)):
                    p.shape(self._around(x + dx * s, up, 0.03 * s + 0.008), fill=PAPER, width=pen * 0.7,
                            wobble=0.3)
            p.stroke(self._points((-0.01, 0.94), (0.01, 0.98), (0.04, 0.97)), pen * 0.6, wobble=0.2)
        elif top == "cap":
            crown = self._points((-0.15, 0.895), (-0.12, 0.975), (0.0, 1.0), (0.12, 0.97), (0.15, 0.895),
                                 (0.0, 0.88))
            p.shape(crown, fill=p.ink, width=pen, wobble=0.3)
            peak = self._points((0.05, 0.905), (0.16, 0.91), (0.25, 0.88), (0.15, 0.873), (0.05, 0.88))
            p.shape(peak, fill=p.ink, width=pen, wobble=0.2)
        elif top == "curls":
            for x, y in ((-0.085, 0.90), (-0.02, 0.925), (0.05, 0.915), (0.11, 0.885)):
                self._curl(x, y, 0.045)
        self._face()

    def _curl(self, x, y, r):
        p = self.paper
        p.shape(self._around(x, y, r), fill=p.ink if self.look.hat_tone == PAPER else self.look.hat_tone,
                width=self.pen * 0.7, wobble=0.6)
        p.stroke(self._around(x, y, r * 0.55, None, 30, 250, 8), self.pen * 0.5, ink=p.paper, wobble=0.2)

    def _face(self):
        p, pen, mood = self.paper, self.pen, self.mood
        eyes = (0.035, 0.135)
        if self.look.glasses:
            for x in eyes:
                p.shape(self._around(x, 0.822, 0.04), fill=PAPER, width=pen * 0.75, wobble=0.2)
            p.stroke(self._points((-0.003, 0.825), (-0.10, 0.835)), pen * 0.7, wobble=0.2)
        for x in eyes:
            if mood == "asleep":
                p.stroke(self._points((x - 0.022, 0.82), (x, 0.812), (x + 0.022, 0.82)), pen * 0.8,
                         wobble=0.1)
            elif mood in ("startled", "wide"):
                if not self.look.glasses:
                    p.shape(self._around(x, 0.825, 0.033), fill=PAPER, width=pen * 0.7, wobble=0.1)
                p.dot(*self._at(x + 0.006, 0.825), self.h * 0.012)
            elif mood == "glad":
                p.stroke(self._points((x - 0.024, 0.815), (x, 0.836), (x + 0.024, 0.815)), pen * 0.9,
                         wobble=0.1)
            else:
                p.dot(*self._at(x + 0.004, 0.822 + (0.015 if mood == "upwards" else 0)), self.h * 0.0145)
        brow = {"calm": (0, 0), "stern": (0.018, -0.018), "worried": (-0.016, 0.016),
                "startled": (0.01, 0.01),
                "wide": (0.006, 0.006)}.get(mood)
        if brow is not None and self.look.top not in ("bobble", "cap"):
            lift = 0.022 if mood == "startled" else 0.0
            for x, sign in ((eyes[0], 1), (eyes[1], -1)):
                a, b = brow if sign == 1 else (brow[1], brow[0])
                p.stroke(self._points((x - 0.03, 0.878 + lift + a * 0.8), (x + 0.03, 0.878 + lift + b * 0.8)),
                         pen * 0.9,
                         wobble=0.1)
        w = self.look.whiskers
        if w == "beard":
            beard = self._points((-0.11, 0.74), (-0.06, 0.755), (0.05, 0.745), (0.135, 0.755), (0.16, 0.72),
                                 (0.13, 0.62),
                                 (0.06, 0.565), (-0.02, 0.585), (-0.09, 0.65))
            line = p.shape(beard, fill=PAPER, width=pen * 0.9, wobble=0.8)
            p.hatch(line, 80, max(3.2, self.h * 0.034), pen * 0.5)
        nose = self._around(0.10, 0.765, 0.058, 0.05)
        if w == "moustache":
            tash = self._points((0.0, 0.715), (0.05, 0.742), (0.10, 0.735), (0.16, 0.742), (0.20, 0.715),
                                (0.15, 0.70),
                                (0.10, 0.715), (0.05, 0.70))
            p.shape(tash, fill=p.ink, width=pen * 0.6, wobble=0.3)
        else:
            self._mouth()
        p.shape(nose, fill=self.look.skin, width=pen * 0.95, wobble=0.2)
        p.stroke(self._around(0.115, 0.752, 0.02, 0.014, 180, 330, 6), pen * 0.45, wobble=0.1)

    def _mouth(self):
        p, pen, mood = self.paper, self.pen, self.mood
        if mood in ("glad", "upwards"):
            p.stroke(self._points((0.03, 0.70), (0.075, 0.682), (0.12, 0.69), (0.145, 0.708)), pen * 0.9,
                     wobble=0.1)
        elif mood == "startled":
            p.shape(self._around(0.09, 0.685, 0.025, 0.028), fill=p.ink, width=1, wobble=0.1)
        elif mood == "worried":
            p.stroke(self._points((0.04, 0.68), (0.08, 0.697), (0.13, 0.682)), pen * 0.9, wobble=0.1)
        elif mood == "stern":
            p.stroke(self._points((0.04, 0.69), (0.14, 0.687)), pen * 0.9, wobble=0.1)
        else:
            p.stroke(self._points((0.05, 0.693), (0.09, 0.685), (0.13, 0.69)), pen * 0.9, wobble=0.1)
