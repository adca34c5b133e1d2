# Longbox
# SPDX-License-Identifier: MIT
"""The device without its server, in three engines: the server of a test is stopped, as no driver cuts every engine off."""

import re

import pytest

import device
import recording
from acts import (
    banner,
    caught,
    choose,
    favorites,
    heart,
    is_shown,
    join_address,
    link,
    paper,
    picture,
    press_pager,
    radio,
    ready,
    save_album,
    wait_kept,
    wait_shown,
)
from test_albums import READING_ROOM, READING_ROOM_TRACKS, quiz_of, type_all

NOT_HERE = "This comic isn’t on this device yet. It loads when you are back online."
# Browsers write each request that got no answer to the console.
UNREACHED = (
    r"ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_FAILED|ERR_EMPTY_RESPONSE|status of 50\d|NS_ERROR|NetworkError|"
    r"Could not connect|"
    r"Failed to load resource|Load failed|can.t establish a connection|connection was interrupted|Cross-Origin Request Blocked|"
    r"due to access control checks|Connection refused"
)


@pytest.fixture
def app(open_page, home):
    """Longbox, installed, with a comic that was read."""
    page = open_page(home.address)
    page.expected.append(UNREACHED)
    ready(page.install("/5/").go("/5/"))
    wait_kept(page, "/comics/5/image")
    return page


def ready_for_keys(page):
    """Waits until the page of a comic handles keys, with its picture or without."""
    page.by_selector("html.gestures").wait()


def download(app, selection, name):
    """Downloads what a row of the settings is about."""
    app.go("/settings")
    row = app.by_selector(f"[data-selection={selection}]").wait()
    app.until(lambda: not row.by_role("button", name).property("disabled"), "the row can be pressed")
    row.by_role("button", name).click()
    row.by_selector(".done").wait()


def lose(app, home):
    """Stops the server, and opens a page that notices."""
    home.stop()
    app.go("/6/")
    banner(app).wait()


@pytest.mark.core
def test_every_tab_opens_with_a_banner(app, home):
    save_album(app, READING_ROOM)
    wait_kept(app, "/albums/9104/cover")
    app.go("/5/")
    home.stop()
    pages = [
        "/5/",
        "/favorites",
        "/search",
        "/albums",
        "/albums/saved",
        "/settings",
        "/about",
        "/comics",
        "/comics?view=list",
        "/comics?view=map",
        READING_ROOM,
        quiz_of(READING_ROOM),
    ]
    without = []
    for path in pages:
        app.go(path)
        app.by_role("main").wait()
        app.by_role("heading").wait()
        try:
            banner(app).wait()
        except AssertionError:
            without.append(path)
    assert not without, "these have no banner"


@pytest.mark.core
def test_the_banner_goes_when_the_server_is_back(app, home):
    banner(app).wait_gone()
    lose(app, home)
    home.start()
    banner(app).wait_gone()


@pytest.mark.core
def test_comics_that_were_read_and_random_open(app, home):
    press_pager(app, "Next comic", 6)
    press_pager(app, "Next comic", 7)
    for number in (6, 7):
        wait_kept(app, f"/comics/{number}/image")
    lose(app, home)
    app.go("/6/")
    wait_shown(app, 6)
    # Only comics whose pictures are here.
    app.go("/random")
    app.wait_path(re.compile(r"/\d+/$"))
    app.until(lambda: is_shown(picture(app)), "the picture of a random comic is shown")


@pytest.mark.core
def test_a_missing_picture_says_so_once_and_loads_when_the_server_is_back(app, home):
    lose(app, home)
    app.go(f"/{recording.WIDE}/")
    app.by_text(NOT_HERE).wait()
    alt = app.by_selector(".details .alt, .alt").evaluate("(found) => found.map((one) => one.textContent.trim())")
    app.press("a")
    again = app.by_selector(".alt").evaluate(
        "(found) => found.filter((one) => one.checkVisibility()).map((one) => one.textContent.trim())"
    )
    assert len(again) == len(set(again)), f"the alt text is shown more than once: {again}, before {alt}"
    home.start()
    app.by_text(NOT_HERE).wait_gone()
    wait_shown(app, recording.WIDE)


@pytest.mark.core
def test_search_works(app, home):
    lose(app, home)
    app.go("/search")
    app.by_role("searchbox", "Search comics").fill("pyth")
    link(app, re.compile("^#353 Python")).wait()
    app.by_role("checkbox", "Deep search").click()
    app.by_role("searchbox", "Search comics").fill("terrarium")
    link(app, re.compile("^#353 Python")).wait()


def test_an_explanation_that_was_read_opens(app, home):
    device.when_explained(home.address, recording.LATEST - 2)
    app.go("/5/")
    ready(app)
    app.press("e")
    app.by_role("link", "The whole explanation").click()
    app.by_text(re.compile("The joke of number 5 is")).wait()
    lose(app, home)
    app.go("/5/")
    ready(app)
    app.press("e")
    app.by_text(re.compile("The joke of number 5 is")).wait()


def test_all_explanations_are_downloaded_for_reading_and_deep_search(app, home):
    device.when_explained(home.address, recording.LATEST - 2)
    download(app, "explanations", "Explanations")
    lose(app, home)
    app.go("/77/")
    ready_for_keys(app)
    app.press("e")
    app.by_text(re.compile("The joke of number 77 is")).wait()
    app.go("/search?q=joke&deep=1")
    app.by_role("list", "Results").by_text(re.compile("The joke of number")).wait()


def save_picture(app):
    app.press("d")
    app.by_role("dialog").wait().by_role("link", "Save picture").click()


def test_a_picture_is_saved_or_the_reader_hears_why_not(app, home):
    """Browsers don't ask the service worker for downloads."""
    for has_server in (True, False):
        if not has_server:
            lose(app, home)
        app.go("/5/")
        ready(app)
        name, text = caught(app, lambda: save_picture(app))
        assert name == "xkcd-5.png"
        assert text[1:4] == "PNG"
    app.go(f"/{recording.WIDE}/")
    app.by_text(NOT_HERE).wait()
    save_picture(app)
    app.by_role("alert").wait_text("That couldn’t be saved.")


@pytest.mark.core
def test_all_opens_after_the_browser_was_restarted(open_page, home):
    page = open_page(home.address, is_kept=True)
    page.expected.append(UNREACHED)
    ready(page.install("/5/").go("/5/"))
    wait_kept(page, "/comics/5/image")
    heart(page).click()
    page.by_text("Added 5 to favorites.").wait()
    home.stop()
    page.restart()
    page.go("/5/")
    banner(page).wait()
    wait_shown(page, 5)
    page.go("/favorites")
    favorites(page).wait(count=1)
    page.go("/search?q=python")
    link(page, re.compile("^#353 Python")).wait()


@pytest.mark.core
def test_a_favorite_waits_for_the_server(app, home, open_page):
    heart(app).click()
    heart(app).wait_attribute("aria-pressed", "true")
    lose(app, home)
    app.go("/6/")
    heart(app).click()
    heart(app).wait_attribute("aria-pressed", "true")
    app.by_text("Added 6 to favorites.").wait()
    app.go("/favorites")
    favorites(app).wait(count=2)
    home.start()
    banner(app).wait_gone()
    # Without a worker, another device with the same library asks the server.
    other = open_page(home.address, scripts=False)
    other.load(join_address(app))
    other.by_role("button", "Connect").click()
    other.by_role("heading", "Connected").wait()

    def has_both():
        other.go("/favorites")
        return favorites(other).count() == 2

    other.until(has_both, "the server has both favorites")


@pytest.mark.core
def test_a_setting_is_kept(app, home):
    lose(app, home)
    app.go("/settings")
    app.by_selector("#downloads button").wait()
    choose(app, "Appearance", "Dark")
    app.until(lambda: paper(app) == (27, 31, 39), "the page is dark")
    app.reload()
    app.until(lambda: paper(app) == (27, 31, 39), "the page is dark after a reload")
    home.start()
    banner(app).wait_gone()
    app.reload()
    radio(app, "Appearance", "Dark").wait_property("checked", True)


@pytest.mark.core
def test_a_quiz_is_played(app, home):
    save_album(app, READING_ROOM)
    wait_kept(app, "/albums/9104/cover")
    lose(app, home)
    app.go("/albums/saved")
    link(app, re.compile("Live at the Reading Room")).click()
    app.by_role("list", "Tracks").wait()
    link(app, "Quiz").click()
    app.by_role("button", "Play: Name the tracks").click()
    type_all(app, READING_ROOM_TRACKS)
    app.by_role("heading", re.compile("^5 of 5 in ")).wait()


def test_a_quiz_that_cannot_be_started_says_so(app, home):
    app.go(quiz_of(READING_ROOM))
    app.by_role("button", "Play: Name the tracks").wait()
    app.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no connection')) }")
    app.by_role("button", "Play: Name the tracks").click()
    app.by_role("alert").wait_text(re.compile("Check the connection"))


@pytest.mark.core
def test_downloaded_comics_open(app, home):
    download(app, "latest", "Latest 50")
    lose(app, home)
    for number in (recording.LATEST, recording.LATEST - 30):
        app.go(f"/{number}/")
        wait_shown(app, number)
    app.go("/comics")
    tile = app.by_role("main").by_selector(f"#c{recording.LATEST - 1}").by_role("img")
    app.until(lambda: tile.count() == 0 or is_shown(tile), "the newest tiles have their pictures")
