# Longbox
# SPDX-License-Identifier: MIT
"""Settings apply as soon as they are changed, with and without a service worker."""

import re

import pytest
from playwright.sync_api import expect

import device
import layout
import programs
import recording
from pages import make_favorite
from waiting import until
from watch import Held

LIGHT, DARK = "rgb(250, 248, 243)", "rgb(27, 31, 39)"


@pytest.fixture
def app(browser, site):
    with device.app(browser, site) as app:
        yield app.install("/settings")


def radio(page, group, name):
    return page.get_by_role("radiogroup", name=group).get_by_role("radio", name=name, exact=True)


def choose(page, group, name):
    radio(page, group, name).check()


def choose_and_save(page, group, name):
    """Chooses, and waits until it is saved: the page shows the choice before that."""
    with page.expect_response("**/settings/set"):
        choose(page, group, name)


def background(page):
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


@pytest.mark.below_a_path
def test_dark_mode_applies_at_once_and_nothing_scrolls(app):
    page = app.open("/settings")
    page.evaluate("scrollTo(0, 20)")
    before = page.evaluate("scrollY")
    assert background(page) == LIGHT
    choose_and_save(page, "Appearance", "Dark")
    until(lambda: background(page) == DARK, "the page is dark")
    assert page.evaluate("scrollY") == before
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    page = app.open("/5/")
    assert background(page) == DARK
    choose(app.open("/settings"), "Appearance", "System")
    until(lambda: background(app.page) == LIGHT, "the page is light again")


def test_a_setting_changed_before_its_script_has_loaded_is_saved(open_page, site):
    page = open_page(f"{site}/about")
    held = Held(page, "**/assets/settings-*.js")
    with page.expect_request("**/assets/settings-*.js"):
        page.goto(f"{site}/settings", wait_until="domcontentloaded")
    choose(page, "Appearance", "Dark")
    with page.expect_request("**/settings/set"):
        held.release()
    assert background(page) == DARK

    def is_saved():
        page.reload()
        return background(page) == DARK

    until(is_saved, "the page is dark when it is loaded again")
    expect(radio(page, "Appearance", "Dark")).to_be_checked()


@pytest.mark.below_a_path
def test_each_setting_is_saved(app):
    page = app.open("/settings")
    saved = []
    page.on("response", lambda reply: saved.append(reply) if reply.url.endswith("/settings/set") else None)
    choose(page, "Pictures in the dark", "Dim")
    choose(page, "Wide comics", "Readable")
    choose(page, "Alt text", "Always shown")
    choose(page, "Double tap", "Zoom")
    choose(page, "Text size", "XL")
    choose(page, "Open with", "Random")
    for name in ("Deep search by default", "Keyboard shortcuts", "Keep comics on this device"):
        page.get_by_role("switch", name=name).click()
    expect(page.locator("html[data-pictures=dim][data-text=xl][data-double-tap=zoom][data-shortcuts=off]")).to_be_attached()
    # One is sent after the other.
    until(lambda: len(saved) == 9, "all settings are saved", page=page)
    page = app.open("/about")
    app.stop_worker()
    page = app.open("/settings")
    for group, name in [
        ("Pictures in the dark", "Dim"), ("Wide comics", "Readable"), ("Alt text", "Always shown"), ("Double tap", "Zoom"),
        ("Text size", "XL"), ("Open with", "Random"),
    ]:  # fmt: skip
        expect(radio(page, group, name)).to_be_checked()
    expect(page.get_by_role("switch", name="Deep search by default")).to_be_checked()
    for name in ("Keyboard shortcuts", "Keep comics on this device"):
        expect(page.get_by_role("switch", name=name)).not_to_be_checked()


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("large", [False, True])
def test_choices_are_all_in_one_row_or_each_in_its_own(open_page, site, width, large):
    page = open_page(f"{site}/settings", viewport={"width": width, "height": 844})
    if large:
        page.evaluate(layout.ENLARGE)
    rows = page.locator(".choice").evaluate_all("""choices => choices.map(choice => {
      const tops = [...choice.querySelectorAll("label")].map(label => Math.round(label.getBoundingClientRect().top))
      return [tops.length, new Set(tops).size]
    })""")
    assert rows and all(count in (1, choices) for choices, count in rows)


def test_texts_have_the_size_that_the_reader_chose(open_page, site):
    page = open_page(f"{site}/about")
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    texts, headings = [], set()
    for name in ("S", "M", "L", "XL"):
        page.goto(f"{site}/settings")
        choose_and_save(page, "Text size", name)
        page.goto(f"{site}/353/")
        texts.append(page.locator("main .alt").first.evaluate(size))
        headings.add(page.get_by_role("heading", level=1).evaluate(size))
    assert texts == sorted(set(texts)), "each size is larger than the one before"
    assert len(headings) == 1, "only the texts grow"


@pytest.mark.below_a_path
def test_the_app_opens_with_the_comic_that_the_reader_chose(app):
    app.read(42)
    # Long enough after it that the app would open with the latest comic.
    app.let_a_day_pass()
    page = app.open("/settings")
    choose_and_save(page, "Open with", "Continue")
    assert app.open("/open").url == f"{app.site}/42/"
    choose_and_save(app.open("/settings"), "Open with", "Random")
    found = set()

    def is_random():
        found.add(app.open("/open").url)
        return len(found) > 2

    until(is_random, "Longbox opens with other comics", page=page)


def test_line_art_in_dark_mode_follows_the_setting(open_page, site):
    page = open_page(f"{site}/about", scheme="dark")
    picture = page.get_by_role("img", name="Comic 353: Python")
    inverted = "invert(1) hue-rotate(180deg) brightness(0.88)"
    for choice, look in [("Dim", "brightness(0.85)"), ("As drawn", "none"), ("Invert", inverted)]:
        page.goto(f"{site}/settings")
        choose_and_save(page, "Pictures in the dark", choice)
        page.goto(f"{site}/353/")
        expect(picture).to_have_css("filter", look)


def test_a_picture_in_colour_is_dimmed_in_dark_mode(open_page, sample_site):
    for scheme, look in [("light", "none"), ("dark", "brightness(0.85)")]:
        page = open_page(f"{sample_site}/12/", scheme=scheme)
        expect(page.get_by_role("img", name="Comic 12: Leaves")).to_have_css("filter", look)


def test_a_setting_applies_offline(app):
    app.set_offline(True)
    page = app.open("/settings")
    choose_and_save(page, "Appearance", "Dark")
    until(lambda: background(page) == DARK, "the page is dark")
    app.stop_worker()
    assert background(app.open("/settings")) == DARK
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.below_a_path
@pytest.mark.parametrize("kind", ["browser", "whole_browser"], ids=["by the page", "in the background"])
def test_settings_say_when_the_device_has_synced_and_that_a_change_waits(request, site, kind):
    with device.app(request.getfixturevalue(kind), site) as app:
        page = app.install("/settings").open("/settings")
        line = page.locator("#sync")
        choose_and_save(page, "Appearance", "Dark")
        expect(line).to_have_text(re.compile(r"^Last synced today at .*\d\.$"))
        app.set_offline(True)
        choose_and_save(page, "Appearance", "Light")
        expect(line).to_contain_text("A change waits for the connection.")
        app.set_offline(False)
        expect(line).not_to_contain_text("waits")


@pytest.mark.below_a_path
def test_a_setting_applies_at_once_without_a_service_worker(open_page, site):
    page = open_page(f"{site}/settings")
    choose(page, "Appearance", "Dark")
    until(lambda: background(page) == DARK, "the page is dark")
    with page.expect_response("**/settings/set"):
        page.get_by_role("switch", name="Deep search by default").click()
    page.goto(f"{site}/settings")
    expect(radio(page, "Appearance", "Dark")).to_be_checked()
    expect(page.get_by_role("switch", name="Deep search by default")).to_be_checked()


def test_a_setting_that_could_not_be_saved_is_reverted_with_a_message(browser, site):
    with device.app(browser, site, service_workers="block") as app:
        page = app.page
        page.goto(f"{site}/settings")
        page.route("**/settings/set", lambda route: route.fulfill(status=503, body=""))
        radio(page, "Appearance", "Dark").click()
        expect(page.get_by_role("alert").get_by_text("That couldn’t be saved. Try again in a moment.")).to_be_visible()
        expect(radio(page, "Appearance", "System")).to_be_checked()
        assert background(page) == LIGHT
        # The browser reports the rejected request, and nothing else.
        app.watch.complaints[:] = [complaint for complaint in app.watch.complaints if "503" not in complaint]


def test_coming_back_shows_no_older_look(app):
    page = app.open("/settings")
    choose(page, "Appearance", "Dark")
    until(lambda: background(page) == DARK, "the page is dark")
    # Another tab changes it again.
    other = app.context.new_page()
    other.goto(f"{app.site}/settings")
    choose(other, "Appearance", "Light")
    until(lambda: background(app.open("/about")) == LIGHT, "a page opened later is light")
    page.evaluate(device.COME_BACK)
    assert background(page) == LIGHT


@pytest.mark.below_a_path
def test_without_scripts_a_button_saves_the_settings(open_page, site):
    page = open_page(f"{site}/settings", java_script_enabled=False)
    radio(page, "Appearance", "Dark").check(force=True)
    page.locator("form:has([name=appearance])").get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").get_by_text("Settings saved.")).to_be_visible()
    assert page.locator("html").get_attribute("data-appearance") == "dark"
    # By key, since without scripts the message stays, and may lie over the switch.
    page.get_by_role("switch", name="Keyboard shortcuts").press("Space")
    page.locator("form:has([name=keys])").get_by_role("button", name="Save").click()
    expect(page.get_by_role("switch", name="Keyboard shortcuts")).not_to_be_checked()
    expect(radio(page, "Appearance", "Dark")).to_be_checked()


@pytest.mark.below_a_path
def test_clearing_favorites_asks_first(app):
    app.open("/5/")
    make_favorite(app.page)
    page = app.open("/settings")
    page.get_by_role("link", name="Clear favorites", exact=True).click()
    dialog = page.get_by_role("dialog", name="Clear favorites?")
    expect(dialog).to_contain_text("This removes your one favorite and its note, on all your devices.")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("link", name="Clear favorites", exact=True).click()
    dialog.get_by_role("button", name="Clear favorites").click()
    expect(page).to_have_url(f"{app.site}/settings")
    expect(page.get_by_text("Favorites cleared.")).to_be_visible()


def test_pictures_that_xkcd_does_not_have_are_reported_and_not_offered_again(browser, new_library, upstream):
    with programs.server(new_library(), upstream) as server, device.app(browser, server.address) as app:
        app.install("/5/")
        gone = {recording.LATEST, recording.LATEST - 1}
        app.context.route(
            re.compile("/comics/(" + "|".join(map(str, gone)) + ")/image"), lambda route: route.fulfill(status=404, body="")
        )
        page = app.open("/settings")
        group = page.get_by_role("group", name="Download for offline")
        group.get_by_role("button", name="Latest 50", exact=True).click()
        expect(group.get_by_role("status")).to_have_text("48 comics saved, 2 not available on xkcd.com.")
        expect(group.get_by_role("button", name="Latest 50", exact=True)).to_be_disabled()
        page = app.open("/settings")
        expect(group.locator("#size-latest")).to_contain_text("2 not available on xkcd.com")
        expect(group.get_by_role("button", name="Latest 50", exact=True)).to_be_disabled()
        kept = app.in_worker("longbox.pictures.kept().then(kept => kept.size)")
        expect(page.locator("#pictures-kept")).to_contain_text(f"{kept} comics")


def test_the_focus_stays_on_a_download_started_and_stopped_by_keyboard(app):
    # So that the download does not end by itself.
    held = []
    app.context.route(re.compile(r"/comics/\d+/image"), lambda route: held.append(route))
    page = app.open("/settings")
    group = page.get_by_role("group", name="Download for offline")
    button = group.get_by_role("button", name="Everything", exact=True)
    expect(button).to_be_enabled()
    button.press("Enter")
    expect(group.get_by_role("button", name="Stop", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(button).to_be_enabled()


@pytest.mark.below_a_path
def test_the_word_beside_a_download_starts_it(app):
    page = app.open("/settings")
    group = page.get_by_role("group", name="Download for offline")
    row = group.locator(".row").filter(has=page.get_by_role("button", name="Latest 50", exact=True))
    word = row.get_by_text("Download", exact=True)
    word.evaluate("word => word.scrollIntoView({ block: 'center' })")
    place = word.bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(row.get_by_text("Downloaded")).to_be_visible()


def test_the_focus_stays_on_a_completed_download(app):
    page = app.open("/settings")
    group = page.get_by_role("group", name="Download for offline")
    button = page.get_by_role("button", name="Latest 50", exact=True)
    row = group.locator(".row").filter(has=button)
    expect(button).to_be_enabled()
    button.press("Enter")
    expect(row.get_by_text("Downloaded")).to_be_visible()
    expect(button).to_be_disabled()
    # A disabled button can't have it.
    expect(row).to_be_focused()


def test_the_about_page_does_not_claim_offline_that_the_source_answers(app):
    app.set_offline(True)
    state = app.open("/about").get_by_role("region", name="This server")
    expect(state).not_to_contain_text("answers")
