# Longbox
# SPDX-License-Identifier: MIT
"""The cost of going to the next comic: counts the browser's work for it, on a fast and on a slow processor."""

import statistics

import pytest
from playwright.sync_api import expect

import recording

# The first of several comics that fit a phone's width.
FIRST = 20
TURNS = 6
# Layouts and style recalculations from the tap to the second frame after it.
MOST_LAYOUTS = 4
MOST_STYLES = 6

# Clicks a link by a script, so that nothing but the page turn runs, and waits for two frames.
TURN = """async () => {
  document.querySelector('.pager a[aria-label="Next comic"]').click()
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  const image = document.querySelector('.pages > .stage .picture img')
  return { alt: image.alt, isDecoded: image.complete && image.naturalWidth > 1 }
}"""


class Counters:
    """The browser's own counters of the work for a page."""

    def __init__(self, page):
        self._tools = page.context.new_cdp_session(page)
        self._tools.send("Performance.enable")

    def read(self, *names):
        metrics = {metric["name"]: metric["value"] for metric in self._tools.send("Performance.getMetrics")["metrics"]}
        return [int(metrics[name]) for name in names]

    def slow_down(self, rate):
        self._tools.send("Emulation.setCPUThrottlingRate", {"rate": rate})

    def collect_garbage(self):
        self._tools.send("HeapProfiler.collectGarbage")


def prefetched(page, number):
    """Waits until the next comic is beside this one, with its picture."""
    image = page.locator(f".leaf.next img[alt^='Comic {number}:']")
    expect(image).to_be_attached()
    expect(image).to_have_js_property("complete", True)
    page.wait_for_function("() => !document.querySelector('.pages.turns')")


@pytest.fixture
def turned(open_page, site):
    """Opens a comic, and turns pages at a rate of CPU throttling; gives the page and the work of each turn."""

    def turn_pages(rate):
        page = open_page(f"{site}/{FIRST}/", device="phone")
        counters = Counters(page)
        counters.slow_down(rate)
        work = []
        for number in range(FIRST + 1, FIRST + 1 + TURNS):
            prefetched(page, number)
            layouts, styles = counters.read("LayoutCount", "RecalcStyleCount")
            shown = page.evaluate(TURN)
            more_layouts, more_styles = counters.read("LayoutCount", "RecalcStyleCount")
            work.append((more_layouts - layouts, more_styles - styles))
            assert shown["alt"].startswith(f"Comic {number}:"), "the next comic is not in the second frame"
            assert shown["isDecoded"], "the picture was not there in the second frame"
        return page, work

    return turn_pages


@pytest.mark.parametrize("rate", [1, 4])
def test_a_page_turn_takes_few_layouts_and_shows_the_picture_at_once(turned, rate):
    _, work = turned(rate)
    # Something else on the page may fall into the time of one turn, so the middle of all counts.
    layouts, styles = (statistics.median(counts) for counts in zip(*work, strict=True))
    assert layouts <= MOST_LAYOUTS and styles <= MOST_STYLES, work


def test_turned_pages_are_freed_from_memory(open_page, site):
    page = open_page(f"{site}/{FIRST}/", device="phone")
    counters = Counters(page)
    counts = []
    for number in range(FIRST + 1, FIRST + 13):
        prefetched(page, number)
        page.evaluate(TURN)
        if number in (FIRST + 4, FIRST + 12):
            prefetched(page, number + 1)
            counters.collect_garbage()
            counts.append(counters.read("Nodes", "JSEventListeners", "Documents"))
    (nodes, listeners, documents), (more_nodes, more_listeners, more_documents) = counts
    assert more_nodes < nodes * 1.3 and more_listeners < listeners * 1.3 and more_documents <= documents + 2, counts


def test_a_page_has_few_elements(open_page, site):
    page = open_page(f"{site}/{recording.PLAIN}/", device="phone")
    prefetched(page, recording.PLAIN + 1)
    assert page.evaluate("document.querySelectorAll('*').length") < 320
