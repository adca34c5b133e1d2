# Longbox
# SPDX-License-Identifier: MIT
"""What many tests in three engines do and look at."""

import re

BANNER = "Offline. You can read what is saved on this device."

# Fingers on an element, as a touch screen reports them: a trail for each, after taps at the points in `taps`. WebKit's driver
# turns touch into a mouse, so no driver is asked: the page gets the events themselves, and can't capture pointers that the
# browser doesn't know.
FINGERS = """async ([element], { trails = [], taps = [] }) => {
  element.setPointerCapture = () => {}
  const send = (type, pointerId, [clientX, clientY]) => {
    const target = document.elementFromPoint(clientX, clientY) ?? element
    const all = { bubbles: true, cancelable: true, composed: true, pointerType: "touch", isPrimary: pointerId === 11, button: 0 }
    target.dispatchEvent(new PointerEvent(type, { ...all, pointerId, clientX, clientY, buttons: type === "pointerup" ? 0 : 1 }))
  }
  for (const point of taps) for (const type of ["pointerdown", "pointerup"]) send(type, 11, point)
  trails.forEach((trail, finger) => send("pointerdown", finger + 11, trail[0]))
  for (let step = 1; step < (trails[0]?.length ?? 0); step += 1) {
    await new Promise((resolve) => { requestAnimationFrame(resolve) })
    trails.forEach((trail, finger) => send("pointermove", finger + 11, trail[step]))
  }
  trails.forEach((trail, finger) => send("pointerup", finger + 11, trail.at(-1)))
}"""

# Keeps the next file that the page saves, in place of the browser's own folder.
CATCH = """() => {
  const make = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (file) => { window.caught = { file }; return make(file) }
  HTMLAnchorElement.prototype.click = function () { window.caught.name = this.download }
}"""


def trail(start, end, steps=10):
    return [[start[side] + (end[side] - start[side]) * step / steps for side in (0, 1)] for step in range(steps + 1)]


def picture(page):
    """The picture of the comic shown."""
    return page.by_role("img", re.compile(r"^Comic \d+: "))


def is_shown(found):
    """Whether a picture is there; a missing one is replaced by a picture of one pixel."""
    return found.evaluate("([image]) => Boolean(image?.complete && image.naturalWidth > 1)")


def wait_shown(page, number):
    """Waits until a comic and its picture are shown."""
    image = page.by_role("img", re.compile(rf"^Comic {number}: "))
    page.until(lambda: is_shown(image), f"the picture of {number} is shown")
    return image


def ready(page):
    """Waits until the page handles gestures and keys."""
    page.by_selector("html.gestures").wait()
    page.until(lambda: is_shown(picture(page)), "the picture is shown")
    return page


def heart(page):
    return page.by_role("button", "Favorite")


def favorites(page):
    return page.by_role("list", "Favorites").by_role("listitem")


def link(page, name):
    return page.by_role("link", name)


def press_pager(page, name, number):
    """Follows a link of the pager to a comic."""
    link(page, name).click()
    page.wait_path(f"/{number}/")
    wait_shown(page, number)


def tab(page, name):
    return page.by_role("navigation", "Main").by_role("link", name)


def banner(page):
    return page.by_text(BANNER)


def radio(page, group, name):
    return page.by_role("radiogroup", group).by_role("radio", name)


def choose(page, group, name):
    """Chooses a setting by a press on its word, as the radio button itself is not seen."""
    page.by_role("radiogroup", group).by_text(name).click()
    radio(page, group, name).wait_property("checked", True)


def paper(page):
    """The page's colour in its picture: red, green, blue."""
    return tuple(
        page.evaluate("""() => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d")
      canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
    }""")
    )


def check_paper(page, image):
    """Checks that the paper of a picture, its most frequent colour, is that of the page."""
    # Without the bars, and without what a wide picture has beyond the window.
    box, window = image.box(), page.picture()
    left, top = max(box["x"], 0), max(box["y"], 80)
    right, bottom = min(box["x"] + box["width"], window.width), min(box["y"] + box["height"], window.height - 184)
    shown = window.crop(tuple(map(int, (left, top, right, bottom))))
    _, seen = max(shown.getcolors(maxcolors=shown.width * shown.height))
    expected = paper(page)
    assert max(abs(a - b) for a, b in zip(seen, expected, strict=True)) <= 3, f"the paper is {seen}, the page {expected}"


def join_address(page):
    """The address at which another device joins the library of this one."""
    page.go("/settings")
    # A script fills in these rows, and all below them moves.
    page.by_selector("#downloads button").wait()
    page.by_role("button", "Connect another device").click()
    return page.by_role("link", re.compile(r"/join\?code=")).attribute("href")


def caught(page, press):
    """The name and text of the file that the page saves after a press."""
    page.evaluate(CATCH)
    press()
    page.until(lambda: page.evaluate("window.caught?.name"), "a file was saved")
    return page.evaluate("window.caught.name"), page.evaluate("window.caught.file.text()")


def save_album(page, path):
    page.go(path)
    page.by_role("button", "Save album").click()
    page.by_text("Album saved for offline.").wait()


def is_kept(page, address):
    """Whether the device keeps an answer to this address, in any cache."""
    return page.evaluate("(address) => caches.match(address, { ignoreSearch: true }).then(Boolean)", address)


def wait_kept(page, address):
    page.until(lambda: is_kept(page, address), f"{address} is kept on the device")
