# Longbox
# SPDX-License-Identifier: MIT
"""The sheet with a comic's details, and what can be pressed on every page, in three engines."""

import pytest

from acts import heart, ready
from engines import DESKTOP, PHONE

# Of all that can be pressed, what lies under something else in its middle. Each is brought into sight first. A label belongs to
# its field, and a word beside a button to that button.
COVERED = """() => {
  const kinds = "a[href], button, summary, label, .pill, [role=button], [role=tab], [role=slider]"
  const isSmall = ({ width, height }) => width < 4 || height < 4
  const owner = (element) => element?.closest("label")?.control ?? element?.closest("a[href], button, summary, [role]") ?? element
  return [...document.querySelectorAll(kinds)].filter((control) => {
    if (!control.checkVisibility({ visibilityProperty: true })) return false
    if (control.matches(":disabled, [hidden], [inert] *, [aria-hidden=true]:not(.pill), [aria-hidden=true] *")) return false
    const rect = () => [...control.getClientRects()].find((one) => !isSmall(one))
    if (!rect()) return false
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" })
    const at = rect()
    if (getComputedStyle(control).pointerEvents === "none" && !control.matches(".pill")) return false
    // Such as the link to the content, which is out of the window until it has the focus.
    if (at.bottom < 0 || at.top > innerHeight || at.right < 0 || at.left > innerWidth) return false
    const hit = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2)
    if (control.matches(".pill")) return !hit?.closest("button, a[href]")
    return !control.contains(hit) && owner(hit) !== owner(control)
  }).map((control) => control.outerHTML.slice(0, 160))
}"""

PAGES = [
    "/353/",
    "/favorites",
    "/search?q=harbour",
    "/albums",
    "/albums/9102?country=us",
    "/albums/9103/quiz?country=us",
    "/settings",
]


@pytest.fixture
def phone(open_page, site):
    return ready(open_page(site).install("/353/").go("/353/"))


@pytest.mark.core
def test_the_sheet_has_tabs_and_is_closed_by_escape(phone):
    phone.by_role("button", "Details").click()
    dialog = phone.by_role("dialog").wait()
    for name, words in [("Transcript", "Does it bite?"), ("Explanation", "explain xkcd"), ("Details", "It hugged back")]:
        dialog.by_role("tab", name).click()
        dialog.by_role("tab", name).wait_attribute("aria-selected", "true")
        dialog.by_role("tabpanel", name).wait_text(words)
    phone.press("Escape")
    phone.by_role("dialog").wait_gone()
    phone.wait_path("/353/")


@pytest.mark.core
def test_the_sheet_is_closed_by_back(phone):
    phone.by_role("button", "Details").click()
    phone.by_role("dialog").wait()
    phone.back()
    phone.by_role("dialog").wait_gone()
    phone.wait_path("/353/")
    phone.press("ArrowRight")
    phone.wait_path("/354/")


def test_the_sheet_is_closed_by_a_press_beside_it(phone):
    phone.by_role("button", "Details").click()
    phone.by_role("dialog").wait()
    phone.by_role("tab", "Transcript").wait()
    phone.click_at(195, 30)
    phone.by_role("dialog").wait_gone()
    heart(phone).click()
    heart(phone).wait_attribute("aria-pressed", "true")


def test_keys_open_the_sheets_parts(phone):
    phone.press("t")
    phone.by_role("tab", "Transcript").wait_attribute("aria-selected", "true")
    phone.press("Escape")
    phone.by_role("dialog").wait_gone()


@pytest.mark.core
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_every_control_can_be_pressed_in_its_middle(open_page, site, size):
    page = open_page(site, size=size).install()
    covered = {}
    for path in PAGES:
        page.go(path)
        page.by_role("heading").wait()
        if path == "/353/":
            ready(page)
        if path == "/settings":
            page.by_selector("[data-selection=latest] .pill").wait()
        if found := page.evaluate(COVERED):
            covered[path] = found
    assert not covered
