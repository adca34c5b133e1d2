# Longbox
# SPDX-License-Identifier: MIT
"""One way to use a page in every engine: what a person does there by role and name, and what a person sees.

A `Page` is a window of one engine. `playwright_page.py` drives Chromium and Firefox, `webkit_page.py` WebKit. They only pass on
scripts, keys and the mouse; all else is here, so that a test does the same in each engine.
"""

import re
from abc import ABC, abstractmethod
from pathlib import Path

from waiting import until

ALL = ("chromium", "firefox", "webkit")
LOOKUP = Path(__file__).with_name("lookup.js").read_text(encoding="utf-8").partition("(steps)")[2]
# In seconds. Only so that a failure is found at all: a busy machine needs seconds for what otherwise takes milliseconds.
TIME_LIMIT = 30
PHONE, DESKTOP = (390, 844), (1280, 800)

# Where to press an element: its middle, in sight, and what lies over that point, if anything does. `frame` is another number at
# another frame.
PLACE = """([element]) => {
  // WebKit says that a transition has ended up to a frame before it draws and measures that. A page without scripts has none
  // that scripts begin, and in Firefox it calls nothing at the next frame.
  const frame = matchMedia("(scripting: none)").matches ? performance.now() : (window.framesSeen ?? 0)
  requestAnimationFrame(() => { window.framesSeen = frame + 1 })
  if (!element) return null
  // Firefox shows nothing before the style sheets in the body have loaded, but measures without them.
  if ([...document.querySelectorAll("link[rel=stylesheet]")].some(({ sheet }) => !sheet)) return null
  const rect = () => [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0) ?? null
  const now = rect()
  const isMoving = document.getAnimations().some(({ playState, effect }) =>
    playState === "running" && effect.target?.contains(element) && effect.getComputedTiming().endTime < 5_000)
  if (!now || isMoving) return null
  if (now.top < 70 || now.bottom > innerHeight - 150 || now.left < 0 || now.right > innerWidth)
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" })
  const at = rect()
  const [x, y] = [at.left + at.width / 2, at.top + at.height / 2].map(Math.floor)
  const hit = document.elementFromPoint(x, y)
  const controlOf = (part) => part?.closest("label")?.control ?? part
  const isOwn = element.contains(hit) || controlOf(hit) === controlOf(element)
  return { x, y, frame, over: isOwn ? null : (hit?.outerHTML ?? "nothing of the window").slice(0, 200) }
}"""


def pattern(text):
    """A text, or a regular expression, as lookup.js takes it."""
    if isinstance(text, re.Pattern):
        return {"source": text.pattern, "flags": "i" if text.flags & re.IGNORECASE else ""}
    return text


class Found:
    """The shown elements that a description leads to, looked for again each time; what acts on one waits for it."""

    def __init__(self, page, steps):
        self.page = page
        self.steps = steps

    def _step(self, **step):
        return Found(self.page, [*self.steps, step])

    def by_role(self, role, name=None):
        """Those with an ARIA role; `name` is their whole accessible name, or a regular expression that it contains."""
        return self._step(role=role, name=pattern(name)) if name is not None else self._step(role=role)

    def by_text(self, text):
        """The innermost ones with this whole text, or with text that has a match."""
        return self._step(text=pattern(text))

    def by_selector(self, selector):
        """Those that have no role to find them by."""
        return self._step(selector=selector)

    def nth(self, place):
        return self._step(nth=place)

    def evaluate(self, script, given=None):
        """Calls a JavaScript function with the elements and `given`."""
        found = f"((steps) {LOOKUP})(given.steps)"
        return self.page.evaluate(f"(given) => ({script})({found}, given.value)", {"steps": self.steps, "value": given})

    def count(self):
        return self.evaluate("(elements) => elements.length")

    def texts(self):
        return self.evaluate("(elements) => elements.map((element) => element.innerText.trim())")

    def attribute(self, name):
        """An attribute of the first one, for which it waits."""
        self.wait()
        return self.evaluate("([element], name) => element?.getAttribute(name)", name)

    def property(self, name):
        """A property of the first one, for which it waits."""
        self.wait()
        return self.evaluate("([element], name) => element?.[name]", name)

    def is_focused(self):
        return self.evaluate("([element]) => element !== undefined && element === document.activeElement")

    def box(self):
        """The place of the first one in the window: x, y, width, height."""
        self.wait()
        return self.evaluate("([element]) => { const { x, y, width, height } = element.getBoundingClientRect(); "
                             "return { x, y, width, height } }")  # fmt: skip

    def wait(self, count=None):
        """Waits until there is one, or just `count`."""
        number = "one" if count is None else str(count)
        self.page.until(lambda: self.count() == count if count is not None else self.count(), f"there is {number} of {self}")
        return self

    def wait_gone(self):
        return self.wait(count=0)

    def wait_property(self, name, value):
        """Waits until the first one has this value."""
        self.page.until(lambda: self.count() and self.property(name) == value, f"{name} of {self} is {value!r}")

    def wait_attribute(self, name, value):
        self.page.until(lambda: self.count() and self.attribute(name) == value, f"{name} of {self} is {value!r}")

    def wait_text(self, text):
        """Waits until the first one contains this text, or a match."""
        wanted = text if isinstance(text, re.Pattern) else re.compile(re.escape(text))
        self.page.until(lambda: self.count() and wanted.search(self.texts()[0]), f"{self} says {wanted.pattern!r}")

    def wait_focused(self):
        self.page.until(self.is_focused, f"{self} has the focus")

    def place(self):
        """The middle of the first one, once it is at rest and nothing lies over it."""
        seen = []

        def look():
            seen.append(self.evaluate(PLACE))
            before, now = seen[-2:] if len(seen) > 1 else (None, None)
            if not before or not now or now["over"] is not None or now["frame"] == before["frame"]:
                return None
            return all(now[key] == before[key] for key in ("x", "y", "over"))

        try:
            self.page.until(look, f"the middle of {self} can be pressed")
        except AssertionError as error:
            raise AssertionError(f"{error} Seen there: {seen[-1:]}") from None
        return seen[-1]["x"], seen[-1]["y"]

    def click(self):
        """Clicks its middle."""
        self.page.click_at(*self.place())

    def type(self, text):
        """Clicks it, and types."""
        self.click()
        self.page.type(text)

    def fill(self, text):
        """Replaces what is in a field by typing."""
        self.click()
        self.evaluate("([field]) => field.select()")
        self.page.type(text) if text else self.page.press("Backspace")
        self.wait_property("value", text)

    def __str__(self):
        return " > ".join(" ".join(f"{key} {value!r}" for key, value in step.items()) for step in self.steps)


class Page(Found, ABC):
    """A window of an engine, with a new profile; `site` is the address below which its paths are."""

    engine = ""
    # What the driver raises while a page is replaced by the next.
    failures = ()

    def __init__(self, site):
        super().__init__(self, [])
        self.site = site
        # What the engine or its driver writes by itself, as a regular expression; at first nothing.
        self.noise = "(?!)"
        # Regular expressions of console messages that a test asks for.
        self.expected = []

    def __str__(self):
        return "page"

    @abstractmethod
    def load(self, address):
        """Opens an address."""

    @abstractmethod
    def evaluate(self, script, given=None):
        """The value of a JavaScript expression, or what its function returns for `given`; promises are waited for."""

    @abstractmethod
    def move_to(self, x, y):
        """Moves the mouse to a point of the window, in CSS pixels."""

    @abstractmethod
    def click_at(self, x, y):
        """Clicks at a point of the window, in CSS pixels."""

    @abstractmethod
    def drag(self, start, end):
        """Presses the mouse at a point, moves it to another in steps, and lets go."""

    @abstractmethod
    def press(self, key):
        """Presses a key by its name in the DOM, such as ArrowLeft; `Shift+` may precede it."""

    @abstractmethod
    def type(self, text):
        """Types letter by letter where the focus is."""

    @abstractmethod
    def picture(self):
        """What the window shows, as a picture of Pillow."""

    @abstractmethod
    def cookies(self):
        """The cookies of the page, as dictionaries of the driver."""

    @abstractmethod
    def errors(self):
        """Errors that the engine wrote to the page's console, with exceptions and violations of the content security policy."""

    @abstractmethod
    def restart(self):
        """Quits the browser, and starts it with the same profile; the window needs `is_kept`."""

    @abstractmethod
    def close(self):
        """Closes the window, and forgets its profile."""

    def until(self, condition, what):
        """Waits until `condition()` is true, and returns it; while a page is replaced it isn't."""
        failed = []

        def look():
            try:
                return condition()
            except self.failures as error:
                failed[:] = [str(error)[:500]]
                return None

        try:
            return until(look, what, timeout=TIME_LIMIT)
        except AssertionError as error:
            seen = failed[0] if failed else self.evaluate("document.body?.innerText.slice(0, 300)")
            raise AssertionError(f"{error} In {self.engine}, at {self.path()}: {seen}") from None

    def go(self, path):
        """Opens a path of the site."""
        self.load(self.site + path)
        return self

    def path(self):
        """Where the page is: path, query and fragment."""
        return self.evaluate("location.pathname + location.search + location.hash")

    def wait_path(self, path):
        wanted = path if isinstance(path, re.Pattern) else re.compile(re.escape(path) + "$")
        self.until(lambda: wanted.match(self.path()), f"the page is at {wanted.pattern}")
        return self

    def reload(self):
        self.load(self.evaluate("location.href"))

    def back(self):
        """Goes back in the history, as a reader does; a test waits for what it expects there."""
        # A driver's own way back may wait for a load event, which a page from the back/forward cache doesn't have.
        self.evaluate("() => { setTimeout(() => history.back()) }")

    def install(self, path="/"):
        """Opens a page, and waits until the service worker is in control."""
        self.go(path)
        self.until(
            lambda: self.evaluate("navigator.serviceWorker?.controller?.state === 'activated'"),
            "the service worker controls the page",
        )
        return self

    def complaints(self):
        """The errors without the noise."""
        return [one for one in self.errors() if not re.search(self.noise, one)]

    def unexpected(self):
        """The complaints that no test asked for."""
        return [one for one in self.complaints() if not any(re.search(known, one) for known in self.expected)]
