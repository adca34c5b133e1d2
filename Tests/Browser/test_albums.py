# Longbox
# SPDX-License-Identifier: MIT
"""Artists and albums: searched, shown and saved, with and without scripts, online and offline."""

import shutil

import pytest
from playwright.sync_api import expect

import device
import programs
from pages import save_album
from sources import control
from waiting import until
from watch import DEVICES

ALBUM = "/albums/9102?country=us"


def search(page, words):
    page.get_by_role("searchbox", name="Artist").fill(words)
    page.get_by_role("button", name="Search").click()


@pytest.mark.parametrize("device", DEVICES)
def test_an_artist_search_leads_to_albums_and_tracks(open_page, site, axe, keep_picture, device):
    page = open_page(f"{site}/albums", device=device)
    navigation = page.get_by_role("navigation", name="Main")
    expect(navigation.get_by_role("link", name="Albums")).to_have_attribute("aria-current", "page")
    search(page, "lantern")
    artists = page.get_by_role("list", name="Artists")
    expect(artists.get_by_role("listitem")).to_have_count(1)
    keep_picture(page, f"albums-found-{device}")
    artists.get_by_role("link", name="The Paper Lanterns").click()
    expect(page.get_by_role("heading", level=1, name="The Paper Lanterns")).to_be_visible()
    listed = page.get_by_role("list", name="Albums")
    expect(listed.get_by_role("listitem")).to_have_count(4)
    keep_picture(page, f"albums-artist-{device}")
    page.get_by_role("link", name="EPs (1)").click()
    expect(listed.get_by_role("link")).to_have_text(["Second Drawer - EP"])
    page.get_by_role("link", name="All (4)").click()
    listed.get_by_role("link", name="Index Cards (Deluxe Edition)").click()
    expect(page.get_by_role("list", name="Tracks of disc 1").get_by_role("listitem")).to_have_count(10)
    expect(page.get_by_role("list", name="Tracks of disc 2").get_by_text("Not sold in this country")).to_be_visible()
    picture = page.get_by_role("img", name="Cover")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 600
    name = page.get_by_text("About this album", exact=True)
    about = page.get_by_role("group").filter(has=name)
    expect(about.get_by_text("debut studio album")).to_be_hidden()
    name.click()
    expect(about.get_by_text("debut studio album")).to_be_visible()
    expect(about.get_by_role("link", name="CC BY-SA 4.0")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
    keep_picture(page, f"albums-album-{device}")


@pytest.mark.below_a_path
def test_albums_can_be_found_and_saved_by_keyboard(open_page, site):
    page = open_page(f"{site}/albums")
    page.get_by_role("searchbox", name="Artist").focus()
    page.keyboard.type("oda")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Oda & Pim").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Clean version, 8 tracks of Counting Bars").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".facts")).to_contain_text("Clean version")
    page.get_by_role("button", name="Save album").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Remove album")).to_be_visible()


@pytest.mark.below_a_path
def test_albums_can_be_saved_and_removed_without_scripts(open_page, site):
    page = open_page(f"{site}/albums", java_script_enabled=False)
    expect(page.get_by_text("Albums you save appear here")).to_be_visible()
    search(page, "treskó")
    page.get_by_role("link", name="Ólafía Tréskó").click()
    page.get_by_role("link", name="Étude fyrir skúffu").click()
    save_album(page)
    expect(page.get_by_role("button", name="Save album")).to_be_hidden()
    page.get_by_role("main").get_by_role("link", name="Ólafía Tréskó").click()
    page.goto(f"{site}/albums")
    page.get_by_role("list", name="Recent artists").get_by_role("link", name="Ólafía Tréskó").click()
    page.get_by_role("link", name="Saved albums").click()
    saved = page.get_by_role("list", name="Albums")
    expect(saved.get_by_role("link")).to_have_count(1)
    saved.get_by_role("button", name="Remove Étude fyrir skúffu from saved albums").click()
    expect(page.get_by_text("Albums you save appear here")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(saved.get_by_role("link", name="Étude fyrir skúffu")).to_be_visible()


@pytest.mark.below_a_path
def test_saved_albums_work_offline(browser, site, base_path, keep_picture):
    with device.app(browser, site) as app:
        page = app.install().open(ALBUM)
        save_album(page)
        app.page.wait_for_function(
            f"() => caches.open('longbox-albums' + {device.BASE}).then(cache => cache.keys()).then(keys => keys.length === 3)"
        )
        app.set_offline(True)
        app.stop_worker()
        page = app.open("/albums/saved")
        page.get_by_role("link", name="Index Cards (Deluxe Edition)").click()
        expect(page.get_by_text("Overdue (Live)")).to_be_visible()
        picture = page.get_by_role("img", name="Cover")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 600
        page.locator(".about-album summary").click()
        expect(page.get_by_text("debut studio album")).to_be_visible()
        keep_picture(page, "albums-offline-phone")
        page.get_by_role("button", name="Not this album").click()
        page.locator(".about-album summary").click()
        expect(page.get_by_text("You said that")).to_be_visible()
        page.get_by_role("button", name="Undo choice").click()
        page.locator(".about-album summary").click()
        expect(page.get_by_text("debut studio album")).to_be_visible()
        page.get_by_role("button", name="Remove album").click()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="Remove album")).to_be_visible()
        expect(page.get_by_text("Overdue (Live)")).to_be_visible()
        page = app.open("/albums/saved")
        expect(page.get_by_role("list", name="Albums").get_by_role("link")).to_have_count(1)
        page = app.open("/albums/9301?country=us", status=503)
        expect(page.get_by_role("alert")).to_contain_text("This is not on this device.")
        saved = page.get_by_role("list", name="Albums").get_by_role("link")
        expect(saved).to_have_count(1)
        expect(saved).to_have_attribute("href", base_path + ALBUM)
        page = app.open("/albums")
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.get_by_role("list", name="Albums").get_by_role("link")).to_have_attribute("href", base_path + ALBUM)


def test_a_late_cover_is_requested_again_and_its_placeholder_is_not_cached(browser, recorded, tmp_path):
    stored = (
        "longbox.albums.keepSaved().then(() => caches.open('longbox-albums' + build.base))"
        ".then(cache => cache.keys()).then(keys => keys.length)"
    )
    with (
        programs.replay(recorded) as replay,
        programs.server(tmp_path, replay.address) as server,
        device.app(browser, server.address) as app,
    ):
        for source in ["artwork", "wikipedia"]:
            control(replay, "faults", {"source": source, "kind": "status", "status": 503})
        page = app.install().open(ALBUM)
        picture = page.get_by_role("img", name="Cover")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        save_album(page)
        assert app.in_worker(stored) == 1
        # The browser itself reports the failed cover.
        app.watch.complaints.clear()
        control(replay, "faults", method="DELETE")
        # The server caches failures for some seconds.
        until(
            lambda: app.in_worker(stored) == 3 and "debut studio album" in app.open(ALBUM).content(),
            "the cover and the article are stored",
            page=page,
        )
        app.watch.complaints.clear()
        app.set_offline(True)
        page = app.open(ALBUM)
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 600
        page.locator(".about-album summary").click()
        expect(page.get_by_text("debut studio album")).to_be_visible()


@pytest.mark.below_a_path
def test_a_reader_who_must_wait_sees_why_and_can_cancel(open_page, upstream, axe, keep_picture, tmp_path):
    with programs.server(tmp_path, upstream, LONGBOX_ITUNES_RATE=1) as server:
        page = open_page(f"{server.address}/albums?artist=oda")
        expect(page.get_by_role("link", name="Oda & Pim")).to_be_visible()
        page.get_by_role("link", name="Oda & Pim").click()
        expect(page.get_by_role("main").get_by_role("status")).to_contain_text("iTunes limits searches per minute")
        axe(page)
        keep_picture(page, "albums-waiting-desktop")
        page.get_by_role("link", name="Cancel").click()
        expect(page.get_by_role("searchbox", name="Artist")).to_be_visible()


def test_while_the_store_refuses_the_page_says_since_when_and_stays(open_page, recorded, axe, keep_picture, tmp_path, proxy):
    with programs.replay(recorded) as replay, programs.server(tmp_path, replay.address) as server:
        control(replay, "faults", {"source": "itunes", "kind": "html"})
        page = open_page(f"{server.address}/albums?artist=oda", status=503, device="phone")
        message = page.get_by_role("alert")
        expect(message).to_contain_text("The iTunes Store has refused since")
        expect(message).to_contain_text("next try at")
        assert page.request.get(page.url).headers.get("refresh") is None
        axe(page)
        keep_picture(page, "albums-refused-phone")
        page.get_by_role("link", name="Try again").click()
        expect(message).to_contain_text("The iTunes Store has refused since")
        # Opens only on the server's machine.
        if not proxy:
            page.goto(f"{server.address}/settings/server")
            expect(page.get_by_role("main")).to_contain_text("The iTunes Store has refused since")


@pytest.mark.below_a_path
def test_an_album_missing_in_one_country_is_looked_for_in_another(open_page, site, axe, keep_picture):
    page = open_page(f"{site}/albums/9999?country=jp", status=404, device="phone")
    expect(page.get_by_role("alert")).to_have_text("This album is not in the Japan store.")
    axe(page)
    keep_picture(page, "albums-other-country-phone")
    page.get_by_role("combobox", name="Store").select_option(label="Germany")
    page.get_by_role("button", name="Look in this store").click()
    expect(page.get_by_role("alert")).to_have_text("This album is not in the Germany store.")


def test_an_article_of_another_year_is_asked_about(open_page, recorded, tmp_path):
    """The store has an album of 2014; Wikipedia's only page of its name is about one of another year."""
    pages = recorded_copy(recorded, tmp_path / "recorded")
    with programs.replay(pages) as replay, programs.server(tmp_path / "data", replay.address) as server:
        page = open_page(f"{server.address}/albums/9101?country=us")
        expect(page.get_by_text("Which of these is about this album?")).to_be_visible()
        page.get_by_role("button", name="This one: Index Cards").click()
        page.get_by_text("About this album", exact=True).click()
        expect(page.get_by_text("debut studio album")).to_be_visible()


def test_the_language_of_articles_is_chosen_below_an_article_or_in_the_settings(open_page, recorded, tmp_path):
    folder = tmp_path / "recorded"
    shutil.copytree(recorded, folder)
    english = (folder / "wikipedia" / "pages.json").read_text(encoding="utf-8")
    for language, pages in {"en": english, "de": english.replace("debut studio album", "erstes Studioalbum")}.items():
        (folder / "wikipedia" / language).mkdir()
        (folder / "wikipedia" / language / "pages.json").write_text(pages, encoding="utf-8")
    with programs.replay(folder) as replay:
        wikipedia = f"{replay.address}/wikipedia/{{language}}/api.php"
        with programs.server(tmp_path / "data", replay.address, LONGBOX_WIKIPEDIA_URL=wikipedia) as server:
            page = open_page(f"{server.address}{ALBUM}", device="phone")
            about = page.get_by_text("About this album", exact=True)
            language = page.get_by_role("combobox", name="Language of articles")
            about.click()
            expect(page.get_by_text("debut studio album")).to_be_visible()
            language.select_option(label="Deutsch")
            page.get_by_role("button", name="Change", exact=True).click()
            expect(page.get_by_text("erstes Studioalbum")).to_be_attached()
            about.click()
            expect(page.get_by_text("erstes Studioalbum")).to_be_visible()
            page.goto(f"{server.address}/albums/settings")
            expect(language).to_have_value("de")
            expect(page.get_by_role("button", name="Save")).to_have_count(0)
            language.select_option(label="English")
            until(
                lambda: "debut studio album" in page.request.get(f"{server.address}{ALBUM}").text(),
                "the server has the setting",
            )
            page.reload()
            expect(language).to_have_value("en")


def recorded_copy(recorded, folder):
    """A copy of the recording whose article about Index Cards is of an earlier album."""
    shutil.copytree(recorded, folder)
    path = folder / "wikipedia" / "pages.json"
    path.write_text(path.read_text(encoding="utf-8").replace("2014 studio album", "1994 studio album"), encoding="utf-8")
    return folder


def test_the_sample_box_has_albums(open_page, sample_site, keep_picture):
    page = open_page(f"{sample_site}/albums", device="phone")
    artists = page.get_by_role("list", name="Artists")
    expect(artists.get_by_role("link")).to_have_count(3)
    artists.get_by_role("link", name="The Paper Lanterns").click()
    keep_picture(page, "albums-sample-phone")
    page.get_by_role("link", name="Live at the Reading Room").click()
    expect(page.get_by_role("list", name="Tracks").get_by_role("listitem")).to_have_count(5)
    picture = page.get_by_role("img", name="Cover")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 600
