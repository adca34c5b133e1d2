# Longbox
# SPDX-License-Identifier: MIT
"""Favorites, settings and downloads, in three engines."""

import json
import re

import pytest

from acts import caught, choose, favorites, heart, join_address, paper, press_pager, radio, ready, tab, wait_kept

LIGHT, DARK = (250, 248, 243), (27, 31, 39)


def add(page, *numbers):
    for number in numbers:
        page.go(f"/{number}/")
        ready(page)
        heart(page).click()
        heart(page).wait_attribute("aria-pressed", "true")


@pytest.mark.core
def test_the_heart_makes_a_favorite_and_undo_takes_it_back(open_page, site):
    page = ready(open_page(site).install("/5/").go("/5/"))
    heart(page).click()
    heart(page).wait_attribute("aria-pressed", "true")
    page.by_text("Added 5 to favorites.").wait()
    page.by_role("button", "Undo").click()
    heart(page).wait_attribute("aria-pressed", "false")
    page.go("/favorites")
    page.by_text(re.compile("No favorites yet")).wait()


def test_a_key_makes_a_favorite_of_one_comic_after_another(open_page, site):
    page = ready(open_page(site).install("/5/").go("/5/"))
    page.press("f")
    heart(page).wait_attribute("aria-pressed", "true")
    press_pager(page, "Next comic", 6)
    heart(page).wait_attribute("aria-pressed", "false")
    page.press("f")
    heart(page).wait_attribute("aria-pressed", "true")
    page.go("/favorites")
    favorites(page).wait(count=2)


@pytest.mark.core
def test_a_favorite_is_kept_if_the_reader_leaves_at_once(open_page, site):
    page = ready(open_page(site).install("/5/").go("/5/"))
    heart(page).evaluate("([button]) => { button.click(); setTimeout(() => location.assign('/about')) }")
    page.wait_path("/about")

    def is_listed():
        page.go("/favorites")
        return favorites(page).count() == 1

    page.until(is_listed, "the favorite is listed")


@pytest.mark.core
def test_favorites_are_listed_noted_sorted_and_removed(open_page, site):
    page = open_page(site).install("/5/")
    add(page, 5, 353, 7)
    page.go("/favorites")
    favorites(page).wait(count=3)
    page.by_text("Add a note").nth(0).click()
    page.by_role("textbox", re.compile("^Note on #")).fill("For the office door")
    page.by_role("button", "Save note").click()
    page.by_text("For the office door").wait()
    page.by_role("navigation", "Sort").by_role("link", "Number").click()
    page.until(
        lambda: [text.split()[0] for text in favorites(page).by_role("link").texts()] == ["#5", "#7", "#353"], "they are sorted"
    )
    page.by_role("button", "Remove 353 Python from favorites").click()
    favorites(page).wait(count=2)
    page.by_role("button", "Undo").click()
    favorites(page).wait(count=3)


@pytest.mark.core
def test_several_favorites_are_selected_and_removed(open_page, site):
    page = open_page(site).install("/5/")
    add(page, 5, 7)
    page.go("/favorites")
    page.by_role("link", "Select").click()
    page.by_role("link", "All").click()
    page.by_role("heading", re.compile("2 selected")).wait()
    page.by_role("button", re.compile("^Remove 2")).click()
    page.by_text("Removed 2 favorites.").wait()


@pytest.mark.core
def test_dark_applies_at_once_and_after_a_reload(open_page, site):
    page = open_page(site).install("/settings").go("/settings")
    assert paper(page) == LIGHT
    page.by_selector("#downloads button").wait()
    choose(page, "Appearance", "Dark")
    page.until(lambda: paper(page) == DARK, "the page is dark")
    page.reload()
    page.until(lambda: paper(page) == DARK, "the page is dark after a reload")
    assert radio(page, "Appearance", "Dark").property("checked")
    page.go("/5/")
    assert paper(page) == DARK


@pytest.mark.core
@pytest.mark.parametrize("page_cache", [True, False], ids=["kept", "reloaded"])
def test_back_leads_to_a_page_with_the_new_look(open_page, site, page_cache):
    page = ready(open_page(site, page_cache=page_cache).install("/5/").go("/5/"))
    tab(page, "Settings").click()
    page.wait_path("/settings")
    page.by_selector("#downloads button").wait()
    choose(page, "Appearance", "Dark")
    page.back()
    page.wait_path("/5/")
    page.until(lambda: paper(page) == DARK, "the page is dark")


@pytest.mark.parametrize("page_cache", [True, False], ids=["kept", "reloaded"])
def test_back_leads_to_a_page_with_the_new_heart(open_page, site, page_cache):
    page = open_page(site, page_cache=page_cache).install("/5/")
    add(page, 5)
    page.go("/5/")
    heart(page).wait_attribute("aria-pressed", "true")
    tab(page, "Favorites").click()
    favorites(page).wait(count=1)
    favorites(page).by_role("button", re.compile("^Remove")).click()
    page.by_text("Removed 5 from favorites.").wait()
    page.back()
    page.wait_path("/5/")
    heart(page).wait_attribute("aria-pressed", "false")


@pytest.mark.core
def test_switches_are_kept(open_page, site):
    page = open_page(site).install("/settings").go("/settings")
    page.by_selector("#downloads button").wait()
    for name in ("Deep search by default", "Keyboard shortcuts"):
        page.by_role("switch", name).click()
    page.by_selector("html[data-shortcuts=off]").wait()

    def are_kept():
        page.go("/settings")
        deep, keys = (
            page.by_role("switch", name).property("checked") for name in ("Deep search by default", "Keyboard shortcuts")
        )
        return deep and not keys

    page.until(are_kept, "both switches are kept")


@pytest.mark.core
@pytest.mark.parametrize("target", ["Latest 50", "Download"], ids=["name", "pill"])
def test_the_latest_comics_are_downloaded_with_progress(open_page, home, target):
    page = open_page(home.address).install("/settings").go("/settings")
    row = page.by_selector("[data-selection=latest]").wait()
    page.until(lambda: not row.by_role("button", "Latest 50").property("disabled"), "the row can be pressed")
    # A short download's progress would be over before a look at it.
    page.evaluate("""() => {
      const bar = document.querySelector("[data-selection=latest] progress")
      new MutationObserver(() => { if (!bar.hidden) window.hadProgress = true }).observe(bar, { attributes: true })
    }""")
    if target == "Latest 50":
        row.by_role("button", "Latest 50").click()
    else:
        # The word has no role: it belongs to the button.
        box = row.by_selector(".pill").box()
        row.by_selector(".pill").evaluate("([pill]) => pill.scrollIntoView({ block: 'center', behavior: 'instant' })")
        box = row.by_selector(".pill").box()
        page.click_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    row.by_selector(".done").wait()
    page.by_selector("#download-status").wait_text(" saved")
    assert page.evaluate("window.hadProgress")
    page.by_selector("#pictures-kept").wait_text("5")


def test_storage_shows_no_empty_figure(open_page, site):
    page = open_page(site).install("/settings").go("/settings")
    page.by_selector("#storage").wait()
    page.until(lambda: page.by_selector("#used").texts() != [""], "the figures are there")
    rest = page.by_selector("#rest-kept").texts()
    assert not rest or "0.0 MB" not in rest[0]


@pytest.mark.core
@pytest.mark.parametrize("choice", ["Link", "Picture"])
def test_sharing_copies(open_page, site, choice):
    """Without the system's own sheet; browsers allow it within the press alone."""
    page = ready(open_page(site).install("/5/").go("/5/"))
    page.evaluate("() => { Object.defineProperty(navigator, 'share', { value: undefined }) }")
    page.by_role("button", "Share").click()
    page.by_role("dialog", "Share").by_role("button", choice).click()
    page.by_text(f"{choice} copied.").wait()


@pytest.mark.core
def test_the_library_is_exported_and_imported(open_page, site):
    page = open_page(site).install("/5/")
    add(page, 5, 7)
    page.go("/settings")
    page.by_selector("#downloads button").wait()
    name, text = caught(page, lambda: page.by_role("link", "Export").click())
    assert name == "longbox-library.json"
    assert {favorite["num"] for favorite in json.loads(text)["favorites"]} == {5, 7}
    other = open_page(site).install("/5/").go("/settings/import")
    other.by_selector("input[type=file]").evaluate(
        """([field], text) => {
          const files = new DataTransfer()
          files.items.add(new File([text], "longbox-library.json", { type: "application/json" }))
          field.files = files.files
        }""",
        text,
    )
    other.by_role("button", "Import").click()
    other.by_role("main").by_role("status").wait_text("2 favorites added")
    other.go("/favorites")
    favorites(other).wait(count=2)


# What a browser without an own way of installing shows: on an iPhone the steps, elsewhere and in the installed app nothing.
@pytest.mark.parametrize(
    ("facts", "shows_steps"),
    [
        ("standalone: false, maxTouchPoints: 5", True),
        ("standalone: false, maxTouchPoints: 0", False),
        ("standalone: true, maxTouchPoints: 5", False),
        ("", False),
    ],
    ids=["iphone", "mac", "installed", "other"],
)
def test_the_steps_to_install_are_shown_on_an_iphone_alone(open_page, site, facts, shows_steps):
    early = f"for (const [name, value] of Object.entries({{ {facts} }})) Object.defineProperty(navigator, name, {{ value }})"
    page = open_page(site, early=early).install("/settings").go("/settings")
    page.by_selector("#downloads button").wait()
    install = page.by_role("button", "Install Longbox")
    if shows_steps:
        install.click()
        page.by_role("dialog", "Install Longbox").by_text(re.compile("^Choose Add to Home Screen")).wait()
    else:
        assert install.count() == 0


@pytest.mark.core
def test_two_devices_share_a_library_after_pairing(open_page, site):
    first, second = open_page(site).install("/5/"), open_page(site).install("/7/")
    add(first, 5)
    add(second, 7)
    second.load(join_address(first))
    second.by_role("button", "Connect").click()
    second.by_role("heading", "Connected").wait()
    for page in (first, second):

        def has_both(page=page):
            page.go("/favorites")
            return favorites(page).count() == 2

        page.until(has_both, "both favorites are there")
    add(second, 9)

    def has_the_third():
        first.go("/favorites")
        return favorites(first).count() == 3

    first.until(has_the_third, "a later favorite arrives, too")


def test_a_read_comics_picture_is_kept_once(open_page, site):
    page = ready(open_page(site).install("/5/").go("/5/"))
    wait_kept(page, "/comics/5/image")
    asked = page.evaluate("""() => performance.getEntriesByType("resource")
      .filter(({ name }) => /\\/comics\\/5\\/image/.test(name)).map(({ initiatorType }) => initiatorType)""")
    assert asked.count("fetch") == 0, asked
