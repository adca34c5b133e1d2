# Longbox
# SPDX-License-Identifier: MIT
"""Touch input through Chromium's DevTools protocol, which a page can't tell from real touches."""

import time


class Gestures:
    """Touch gestures on a page. Points are in CSS pixels of the window."""

    def __init__(self, page):
        self.page = page
        self._tools = page.context.new_cdp_session(page)

    def touch(self, kind, *points, at=None):
        """Sends a touch event. `at` is its time in seconds, if not now: a busy machine then changes no velocity."""
        event = {"type": kind, "touchPoints": [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]}
        self._tools.send("Input.dispatchTouchEvent", event | ({} if at is None else {"timestamp": at}))

    def _along(self, starts, ends, steps, pause, at=None):
        """Moves fingers in steps that are `pause` milliseconds apart by the events' own times."""
        now = time.time() if at is None else at
        self.touch("touchStart", *starts, at=now)
        for step in range(1, steps + 1):
            share = step / steps
            points = [(x + (to_x - x) * share, y + (to_y - y) * share) for (x, y), (to_x, to_y) in zip(starts, ends, strict=True)]
            now += pause / 1_000
            self.touch("touchMove", *points, at=now)
        self.touch("touchEnd", at=now)

    def drag(self, start, end, steps=8, pause=16, at=None):
        """Drags one finger, beginning at the time `at` in seconds."""
        self._along([start], [end], steps, pause, at)

    def pinch(self, middle, before, after, steps=10, pause=16):
        """Moves two fingers from a distance of `before` to `after`."""
        x, y = middle
        starts = [(x - before / 2, y), (x + before / 2, y)]
        ends = [(x - after / 2, y), (x + after / 2, y)]
        self._along(starts, ends, steps, pause)

    def tap(self, point, at=None):
        self.touch("touchStart", point, at=at)
        self.touch("touchEnd", at=at)

    def double_tap(self, point, later=0):
        """Taps twice, 100 milliseconds apart by the events' own times; `later` is how far they lie ahead, in seconds."""
        now = time.time() + later
        self.tap(point, at=now)
        self.tap(point, at=now + 0.1)

    def double_tap_with_pen(self, point):
        """Double taps with a pen, which sends mouse events of another pointer type."""
        now = time.time()
        for number, kind in enumerate(("mousePressed", "mouseReleased") * 2):
            event = {"type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": 1, "pointerType": "pen"}
            self._tools.send("Input.dispatchMouseEvent", event | {"timestamp": now + 0.02 * number})

    def double_tap_and_drag(self, start, end, steps=8):
        """Taps, then taps, holds and drags."""
        now = time.time()
        self.tap(start, at=now)
        self.drag(start, end, steps, at=now + 0.06)
