# Longbox
# SPDX-License-Identifier: MIT
"""Search: with a plain form, while typing, and offline."""

import base64
import re

import pytest
from playwright.sync_api import expect

import device


def results(page):
    return page.get_by_role("list", name="Results").get_by_role("listitem")


def box(page):
    return page.get_by_role("searchbox", name="Search comics")


@pytest.fixture(params=["scripts", "no scripts"])
def search_page(request, open_page, site):
    return open_page(f"{site}/search", java_script_enabled=request.param == "scripts")


@pytest.mark.below_a_path
def test_the_form_finds_titles_and_by_deep_search_all_texts(search_page):
    box(search_page).fill("terrarium")
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(search_page.get_by_text("Not in titles.")).to_be_visible()
    texts = search_page.get_by_role("region", name="In the texts")
    expect(texts.get_by_role("link", name="#353 Python")).to_be_visible()
    search_page.get_by_role("checkbox", name="Deep search").check()
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(texts).to_have_count(0)
    expect(search_page.get_by_role("link", name="#353 Python")).to_be_visible()
    expect(search_page.get_by_role("checkbox", name="Deep search")).to_be_checked()
    expect(results(search_page).first.locator("mark").first).to_have_text("terrarium")
    expect(search_page.get_by_role("status").get_by_text(re.compile(r"^\d+ comics?$"))).to_be_visible()


@pytest.mark.below_a_path
def test_a_number_opens_its_comic(search_page):
    box(search_page).fill("#353")
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(search_page.get_by_role("heading", level=1, name="Python")).to_be_visible()


def test_a_comics_name_opens_it(search_page):
    box(search_page).fill("xkcd 353")
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(search_page.get_by_role("heading", level=1, name="Python")).to_be_visible()


def test_a_phrase_that_is_nowhere_is_offered_without_its_quotation_marks(search_page):
    box(search_page).fill('"terrarium python"')
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(results(search_page)).to_have_count(0)
    search_page.get_by_role("link", name="terrarium python", exact=True).click()
    expect(box(search_page)).to_have_value("terrarium python")
    expect(search_page.get_by_role("link", name="#353 Python")).to_be_visible()


@pytest.mark.below_a_path
def test_the_tick_lasts_on_its_device_until_the_setting_is_changed(open_page, site):
    page = open_page(f"{site}/search")
    changes = []
    page.on("request", lambda request: changes.append(request.url) if request.method == "POST" else None)
    deep = page.get_by_role("checkbox", name="Deep search")
    for is_on in (True, False, True):
        deep.set_checked(is_on)
        page.goto(f"{site}/search")
        expect(deep).to_be_checked(checked=is_on)
    page.goto(f"{site}/search?q=terrarium")
    expect(page.get_by_role("list", name="Results").get_by_role("link", name="#353 Python")).to_be_visible()
    assert not changes and not page.context.cookies(), "A search makes no library on the server."
    page.goto(f"{site}/settings")
    setting = page.get_by_role("switch", name="Deep search by default")
    for is_on in (True, False):
        with page.expect_response(lambda response: response.url.endswith("/settings/set")):
            setting.set_checked(is_on)
    page.goto(f"{site}/search")
    expect(deep).not_to_be_checked()


@pytest.mark.parametrize("width", [320, 390, 820, 1440])
def test_the_box_the_tick_and_the_results_stay_in_their_places(open_page, site, width):
    page = open_page(f"{site}/search", viewport={"width": width, "height": 900})
    deep = page.get_by_role("checkbox", name="Deep search")
    expect(page.get_by_role("heading", name="Try")).to_be_visible()

    def places_now():
        return box(page).bounding_box(), deep.bounding_box(), page.locator("#found").bounding_box()["y"]

    places = [places_now()]
    for words, state in (
        ("python", r"^\d+ comic"),
        ("terrarium", "^Not in titles"),
        ("zzyzxq", "^No comics"),
        ("harbour", r"^\d+ comic"),
    ):
        box(page).fill(words)
        expect(page.get_by_role("status").filter(has_text=re.compile(state))).to_be_visible()
        places.append(places_now())
    assert all(place == places[0] for place in places), places


def test_the_typed_text_is_escaped(search_page):
    box(search_page).fill('"><img src=x onerror="window.injected=true">')
    search_page.get_by_role("button", name="Search", exact=True).click()
    expect(box(search_page)).to_have_value('"><img src=x onerror="window.injected=true">')
    assert search_page.locator("img[src='x']").count() == 0


@pytest.mark.below_a_path
def test_results_are_updated_while_typing(open_page, site):
    page = open_page(f"{site}/search")
    page.get_by_role("checkbox", name="Deep search").check()
    box(page).press_sequentially("terrar", delay=15)
    expect(page.get_by_role("link", name="#353 Python")).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=terrar&"))
    box(page).fill("quizzaciously")
    expect(page.get_by_role("link", name="#353 Python")).to_have_count(0)


@pytest.mark.parametrize(("words", "comic"), [("pyth", "#353 Python"), ("353", "#353 Python")])
def test_back_to_a_half_typed_search_shows_its_results_again(open_page, site, words, comic):
    page = open_page(f"{site}/search")
    box(page).press_sequentially(words)
    expect(page).to_have_url(re.compile(f"q={words}&"))
    expect(page.get_by_role("link", name=comic)).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name=comic)).to_be_visible()
    page.goto(f"{site}/about")
    page.go_back()
    expect(box(page)).to_have_value(words)
    expect(page.get_by_role("link", name=comic)).to_be_visible()


def test_results_that_could_not_be_had_are_not_replaced_by_older_ones(open_page, site):
    page = open_page(f"{site}/search?q=python")
    expect(results(page).first).to_contain_text("Python")
    while_typing = re.compile("typing=1")
    page.route(while_typing, lambda route: route.fulfill(body="<h1>Log in</h1>", content_type="text/html"))
    box(page).fill("cat")
    expect(page.get_by_role("alert")).to_have_text("That search didn’t work. Try again in a moment.")
    expect(results(page)).to_have_count(0)
    page.unroute(while_typing)
    box(page).fill("pyth")
    expect(results(page).first).to_contain_text("Python")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.below_a_path
def test_a_wide_window_shows_a_preview_beside_the_results(open_page, site, axe, keep_picture):
    page = open_page(f"{site}/search?q=21-29", viewport={"width": 1440, "height": 900})
    preview = page.get_by_role("complementary", name="Preview")
    open_comic = preview.get_by_role("link", name="Open comic")
    first, second = (results(page).nth(place).get_by_role("link") for place in (0, 1))
    expect(open_comic).to_have_attribute("href", first.evaluate("link => link.href"))
    expect(preview.get_by_role("img")).to_be_visible()
    second.focus()
    expect(open_comic).to_have_attribute("href", second.evaluate("link => link.href"))
    first.hover()
    expect(open_comic).to_have_attribute("href", first.evaluate("link => link.href"))
    keep_picture(page, "search-preview")
    axe(page)
    box(page).fill("quizzaciously")
    expect(preview).to_be_hidden()
    page.set_viewport_size({"width": 820, "height": 1180})
    box(page).fill("31-39")
    expect(results(page).first).to_be_visible()
    expect(preview).to_be_hidden()


def test_a_preview_without_its_picture_keeps_no_space_for_it(open_page, site):
    page = open_page(f"{site}/about", viewport={"width": 1440, "height": 900})
    # As the service worker responds for a missing picture.
    pixel = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
    page.route("**/comics/*/image*", lambda route: route.fulfill(content_type="image/gif", body=pixel))
    page.goto(f"{site}/search?q=21-29")
    preview = page.get_by_role("complementary", name="Preview")
    expect(preview.get_by_role("link", name="Open comic")).to_be_visible()
    expect(preview.get_by_role("img")).to_have_count(0)


@pytest.mark.below_a_path
def test_search_works_offline(browser, site):
    with device.app(browser, site) as app:
        app.install()
        app.set_offline(True)
        app.stop_worker()
        page = app.open("/search?q=terrarium&deep=1")
        expect(page.get_by_role("link", name="#353 Python")).to_be_visible()
        box(page).fill("pyth")
        page.get_by_role("checkbox", name="Deep search").uncheck()
        expect(results(page).first).to_contain_text("Python")


def recent(page):
    return page.get_by_role("list", name="Recent searches").get_by_role("link")


@pytest.mark.below_a_path
def test_recent_searches_are_remembered_and_can_be_cleared(open_page, site, axe, keep_picture):
    page = open_page(f"{site}/search", device="phone")
    expect(recent(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Clear recent searches")).to_be_hidden()
    # A search is remembered when the form is sent, a result is opened, or the reader pauses.
    box(page).fill("kettle")
    with page.expect_event("load"):
        page.get_by_role("button", name="Search", exact=True).click()
    page.goto(f"{site}/search")
    page.get_by_role("checkbox", name="Deep search").check()
    box(page).fill("terrarium")
    page.get_by_role("link", name="#353 Python").click()
    expect(page.get_by_role("heading", level=1, name="Python")).to_be_visible()
    page.clock.install()
    page.goto(f"{site}/search")
    box(page).fill("map")
    page.clock.run_for(2_100)
    box(page).fill("maps")
    page.clock.run_for(2_100)
    box(page).fill("")
    expect(recent(page)).to_have_text(["maps", "terrarium", "kettle"])
    axe(page)
    keep_picture(page, "recent-searches-phone")
    recent(page).nth(1).click()
    expect(box(page)).to_have_value("terrarium")
    expect(page.get_by_role("checkbox", name="Deep search")).to_be_checked()
    expect(page.get_by_role("link", name="#353 Python")).to_be_visible()
    expect(page.get_by_role("list", name="Recent searches")).to_be_hidden()
    page.goto(f"{site}/search")
    page.get_by_role("button", name="Clear recent searches").click()
    expect(recent(page)).to_have_count(0)
    expect(box(page)).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Clear recent searches")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('recent-searches')") is None


def test_at_most_ten_searches_are_remembered_each_once(open_page, site):
    page = open_page(f"{site}/search")
    page.clock.install()
    page.goto(f"{site}/search")
    for word in [*"abcdefghijkl", "d"]:
        box(page).fill(word)
        page.clock.run_for(2_100)
    box(page).fill("")
    expect(recent(page)).to_have_text(list("dlkjihgfec"))


def test_recent_searches_are_escaped_and_invalid_stored_ones_are_ignored(open_page, site):
    page = open_page(f"{site}/search")
    hostile = """() => localStorage.setItem('recent-searches', JSON.stringify([{ text: '<img src=x onerror="injected=1">' }]))"""
    page.evaluate(hostile)
    page.reload()
    expect(recent(page)).to_have_text(['<img src=x onerror="injected=1">'])
    assert page.locator("img[src='x']").count() == 0
    for other in ("null", "[1, null]", "{", '{"text": "a"}', '[{"text": 7}]'):
        page.evaluate("value => localStorage.setItem('recent-searches', value)", other)
        page.reload()
        expect(box(page)).to_be_focused()
        expect(recent(page)).to_have_count(0)


def test_recent_searches_are_not_sent_to_the_server(open_page, site):
    page = open_page(f"{site}/search")
    page.evaluate("localStorage.setItem('recent-searches', '[{\"text\": \"secret\"}]')")
    sent = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.all_headers()} {request.post_data}"))
    page.reload()
    expect(recent(page)).to_have_text(["secret"])
    box(page).fill("kettle")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(box(page)).to_have_value("kettle")
    assert sent
    assert not [request for request in sent if "secret" in request]


def test_arrow_keys_move_between_the_results(open_page, site):
    page = open_page(f"{site}/search")
    expect(box(page)).to_be_focused()
    box(page).fill("harbour")
    cards = results(page).get_by_role("link")
    expect(cards.nth(1)).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(cards.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(box(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(box(page)).to_be_focused()
    expect(box(page)).to_have_value("harbour")
    page.keyboard.press("ArrowDown")
    name = cards.nth(0).inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.locator("h1").inner_text() in name


def test_a_late_response_does_not_replace_newer_results(open_page, site):
    page = open_page(f"{site}/search")
    held = []
    page.route("**/search?q=kettle&*", lambda route: held.append(route))
    with page.expect_request(lambda request: "q=kettle" in request.url):
        box(page).fill("kettle")
    box(page).fill("harbour")
    expect(results(page).first).to_contain_text("Harbour")
    assert len(held) == 1
    with page.expect_response(lambda response: "q=kettle" in response.url) as late:
        held[0].continue_()
    late.value.finished()
    # The page reacts within two frames.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(results(page).first).to_contain_text("Harbour")
    expect(page).to_have_url(re.compile("q=harbour"))
