# Longbox
# SPDX-License-Identifier: MIT
"""Every state of every page, checked for accessibility, layout and language."""

import re

import pytest
from playwright.sync_api import expect

import copies
import layout
import page_states
import programs
from watch import watched_page

STATES = page_states.states(**page_states.OWN_PATHS)


@pytest.fixture(scope="session")
def sites(site, sample_site, new_library, upstream, made_once, tmp_path_factory):
    """The addresses of the servers that the states name."""
    data = new_library()
    with (
        programs.server(data, programs.closed_address(), LONGBOX_FILL="false") as cut_off,
        page_states.household(tmp_path_factory.mktemp("household"), upstream) as (household, home),
        copies.serving_each(made_once("copies", lambda folder: copies.publish_each(data, folder))) as static,
    ):
        servers = {"whole": site, "samples": sample_site, "cut-off": cut_off.address, "household": household, "home": home}
        yield servers | static


# The rules of axe that depend on colours, and those that depend on sizes. The others depend on the page's elements and on what
# is hidden: that is the same in all colours, and on phones of all widths.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
SIZE_RULES = ["scrollable-region-focusable", "target-size"]
ALL_RULES, NO_RULES = None, []


class Looks:
    """Checks a page in several modes of display, and collects what is wrong in any of them."""

    def __init__(self, page, violations):
        self._page = page
        self._violations = violations
        self.faults = []

    def change(self, width=None, **media):
        """Changes how the page is shown, not the page."""
        if media:
            self._page.emulate_media(**media)
        if width:
            self._page.set_viewport_size({"width": width, "height": self._page.viewport_size["height"]})

    def look(self, mode, *scripts, rules=COLOUR_RULES):
        """Runs scripts of layout.py, and axe's rules, when nothing moves."""
        self._page.evaluate(layout.SETTLED)
        width = self._page.viewport_size["width"]
        for script in scripts:
            if found := self._page.evaluate(script, width):
                name = next(name for name, value in vars(layout).items() if value is script)
                self.faults.append(f"{mode}: {name}: {found}")
        if rules != NO_RULES and (found := self._violations(self._page, rules)):
            self.faults.append(f"{mode}: {found}")


@pytest.fixture
def state(name, proxy):
    if proxy and STATES[name].is_local:
        pytest.skip("this page opens only on the server's machine")
    if proxy and STATES[name].is_copy:
        pytest.skip("a static copy has no server to put behind a proxy")
    return STATES[name]


FITS = (layout.SIDEWAYS, layout.BEYOND, layout.CUT_OFF)
# What looks right in Chromium, but not in WebKit.
IN_WEBKIT = (layout.BLENDS_WITH_NOTHING, layout.HIDDEN_IN_LIMITED_LINES)


@pytest.mark.parametrize("name", STATES)
def test_it_has_no_faults_on_a_phone(browser, sites, violations, state):
    with watched_page(browser, device="phone", **state.options) as page:
        state.show(page, sites[state.server])
        assert page.locator("h1").count() == 1
        assert page.title()
        expect(page.locator("html")).to_have_attribute("lang", re.compile("^en"))
        page.evaluate(layout.SHORTEN)
        looks = Looks(page, violations)
        looks.look("light", *FITS, layout.TOO_SMALL, layout.COVERED, *IN_WEBKIT, rules=ALL_RULES)
        looks.change(color_scheme="dark")
        looks.look("dark")
        looks.change(forced_colors="active")
        looks.look("forced colours, dark", layout.INVISIBLE)
        looks.change(forced_colors="none", reduced_motion="reduce")
        looks.look("less motion", layout.MOVING, rules=NO_RULES)
        before = page.evaluate(layout.TEXT_SIZE)
        page.evaluate(layout.ENLARGE)
        assert page.evaluate(layout.TEXT_SIZE) == pytest.approx(2 * before, rel=0.3)
        # Larger text needs less contrast, so the looks before have shown that its colours are right.
        looks.look("large text, dark", *FITS, layout.BROKEN_WORDS, rules=SIZE_RULES)
        looks.change(width=320, color_scheme="light")
        looks.look("large text, 320 px", *FITS, layout.BROKEN_WORDS, rules=SIZE_RULES)
        page.evaluate(layout.DIMINISH)
        looks.look("320 px", *FITS, rules=NO_RULES)
        assert not looks.faults, "\n".join(looks.faults)


@pytest.mark.parametrize("name", STATES)
def test_it_has_no_faults_on_a_desktop(browser, sites, violations, state):
    with watched_page(browser, device="desktop", **state.options) as page:
        state.show(page, sites[state.server])
        page.evaluate(layout.SHORTEN)
        looks = Looks(page, violations)
        looks.look("light", *FITS, layout.COVERED, *IN_WEBKIT, rules=ALL_RULES)
        looks.change(color_scheme="dark")
        looks.look("dark")
        looks.change(contrast="more")
        looks.look("more contrast, dark")
        looks.change(color_scheme="light", contrast="no-preference", forced_colors="active")
        looks.look("forced colours, light", layout.INVISIBLE)
        assert not looks.faults, "\n".join(looks.faults)
