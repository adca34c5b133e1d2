# Longbox
# SPDX-License-Identifier: MIT
"""Longbox on the device: online and offline, and when a browser stops or replaces its service worker."""

import random
import re
import time

import pytest
from playwright.sync_api import expect

import device
import programs
import recording
from pages import heart, is_shown, make_favorite, picture
from waiting import until
from watch import CHROMIUM, Held

NOT_HERE = "This comic isn’t on this device yet. It loads when you are back online."
# The comics whose pictures the device keeps.
KEPT = "longbox.pictures.kept().then(kept => [...kept])"


@pytest.fixture
def app(browser, site):
    with device.app(browser, site) as app:
        yield app


def wait_for_pictures(page, count):
    """Waits until the device has stored so many pictures: it stores them after it has shown them."""
    page.wait_for_function(
        f"(count) => caches.open('longbox-pictures' + {device.BASE})"
        ".then(cache => cache.keys()).then(keys => keys.length >= count)",
        arg=count,
    )


def until_synced(app):
    """Waits until the server has all changes of a device."""
    sent = "longbox.host.facts().then(({ isDueForSync }) => !isDueForSync)"
    until(lambda: app.in_worker(sent), "all changes are sent", page=app.page)


def banner(page):
    return page.get_by_role("status").get_by_text("Offline. You can read what is saved on this device.", exact=True)


def test_every_page_works_offline_after_the_worker_was_stopped(app):
    app.install()
    app.download("Everything")
    numbers = [n for n in range(1, recording.LATEST + 1) if n not in (404, recording.NO_PICTURE)]
    assert set(numbers) <= set(app.in_worker(KEPT))
    app.set_offline(True)
    app.stop_worker()
    for number in random.Random(50).sample(numbers, 12):
        assert is_shown(app.open(f"/{number}/")), f"the picture of {number} is not there"
    for path in ["/", "/favorites", "/settings", "/comics", "/comics?view=list", "/about", "/search?q=cat"]:
        app.stop_worker()
        expect(app.open(path).get_by_role("heading", level=1)).to_be_visible()
    app.open("/404/", status=404)
    app.open(f"/{recording.LATEST + 1}/", status=404)


def test_random_and_the_number_form_work_offline(app):
    app.install()
    assert is_shown(app.open("/5/"))
    wait_for_pictures(app.page, 1)
    app.set_offline(True)
    page = app.open("/random")
    assert re.search(r"/\d+/$", page.url)
    page.get_by_role("button", name="Go to comic number").click()
    page.get_by_role("textbox", name="Comic number").fill("12")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page).to_have_url(f"{app.site}/12/")


def test_random_picks_only_stored_comics_offline(app):
    app.install("/5/")
    stored = {5, 9, 300}
    for number in stored:
        assert is_shown(app.open(f"/{number}/"))
    wait_for_pictures(app.page, len(stored))
    app.set_offline(True)
    seen = {int(re.search(r"/(\d+)/$", app.open("/random").url)[1]) for _ in range(12)}
    # Read last, since a neighbour's picture may still have been loading.
    kept = set(app.in_worker(KEPT))
    assert seen <= kept and stored <= kept
    assert int(re.search(r"/(\d+)/$", app.open("/random?unread=1").url)[1]) in kept
    page = app.open("/comics?downloaded=1")
    shown = page.locator(".year li a").evaluate_all("links => links.map(link => Number(link.pathname.split('/').at(-2)))")
    assert set(shown) == kept


def test_a_favorite_made_offline_reaches_another_device(app, browser):
    app.install("/5/")
    app.open("/5/")
    make_favorite(app.page)
    app.set_offline(True)
    make_favorite(app.open("/6/"))
    app.open("/5/")
    heart(app.page).click()
    expect(heart(app.page)).to_have_attribute("aria-pressed", "false")
    app.stop_worker()
    app.open("/6/")
    app.set_offline(False)
    expect(banner(app.page)).to_have_count(0)
    until_synced(app)
    # The cookie gives access to the library; pairing another device sets it there.
    with device.app(browser, app.site) as other:
        other.context.add_cookies(app.context.cookies())
        favorites = other.install("/favorites").page.get_by_role("list", name="Favorites")
        link = favorites.get_by_role("link", name=re.compile("^#6 "))
        # Each opened page starts a sync.
        until(lambda: other.open("/favorites") and link.count(), "the favorite is there", page=other.page)
        expect(favorites.get_by_role("link", name=re.compile("^#5 "))).to_have_count(0)


def test_changes_made_before_the_worker_took_over_are_kept(browser, open_page, site):
    page = open_page(f"{site}/7/")
    make_favorite(page)
    with device.app(browser, site) as app:
        app.context.add_cookies(page.context.cookies())
        app.install("/about")
        app.set_offline(True)
        expect(app.open("/favorites").get_by_role("link", name=re.compile("^#7 "))).to_be_visible()
        expect(heart(app.open("/7/"))).to_have_attribute("aria-pressed", "true")


def test_changes_made_while_the_worker_took_over_are_kept(app):
    app.install()
    # Bypasses the worker, like a form that was already being sent.
    reply = app.context.request.post(
        f"{app.site}/favorites/set", form={"comic": "5", "on": "yes", "back": "/5/"}, headers={"Origin": device.origin(app.site)}
    )
    assert reply.status == 200
    app.stop_worker()
    page = app.open("/favorites")
    expect(page.get_by_role("list", name="Favorites").get_by_role("link")).to_have_count(1)
    # The worker has fetched its picture, too.
    app.page.wait_for_function(
        f"() => caches.open('longbox-pictures' + {device.BASE}).then(cache => cache.match('/comics/5/image'))"
    )


def test_reading_alone_creates_no_library_on_the_server(app):
    app.install("/5/")
    app.read(6)
    app.read(7)
    assert app.context.cookies() == []


def test_comics_read_on_a_first_visit_are_marked_and_the_place_is_kept(app):
    app.install(f"/{recording.LATEST}/")
    for number in range(5, 10):
        app.read(number)
    app.stop_worker()
    page = app.open("/comics?unread=1")
    for number in range(5, 10):
        expect(page.locator(f"main a[href*='/{number}/']")).to_have_count(0)
    expect(page.get_by_role("link", name=re.compile("^Continue with #9 "))).to_be_visible()
    assert app.open("/continue").url == f"{app.site}/9/"
    assert app.context.cookies() == [], "only this device knows"


def test_a_comic_in_sight_for_less_than_two_seconds_does_not_count_as_read(app):
    app.install("/5/")
    app.pause_clock()
    app.open("/6/")
    app.page.clock.run_for(1_900)
    app.read(7)
    assert not app.is_read(6)


def test_read_marks_reach_the_server_with_the_first_favorite(app, browser):
    app.install("/5/")
    app.read(6)
    make_favorite(app.page)
    until(app.context.cookies, "the device has a library on the server", page=app.page)
    with device.app(browser, app.site) as other:
        other.context.add_cookies(app.context.cookies())
        page = other.install("/about").open("/comics?unread=1")
        expect(page.locator("main a[href*='/6/']")).to_have_count(0)


def test_two_open_pages_do_not_overwrite_each_others_changes(app):
    app.install()
    app.set_offline(True)
    second = app.context.new_page()
    for number in range(10, 15):
        app.open(f"/{number}/")
        second.goto(f"{app.site}/{number + 10}/")
        heart(app.page).click(no_wait_after=True)
        heart(second).click(no_wait_after=True)
        expect(heart(app.page)).to_have_attribute("aria-pressed", "true")
        expect(heart(second)).to_have_attribute("aria-pressed", "true")
        app.stop_worker()
    links = app.open("/favorites").get_by_role("list", name="Favorites").get_by_role("link")
    expect(links).to_have_count(10)


def test_the_offline_banner_follows_the_connection(app):
    app.install("/5/")
    page = app.open("/5/")
    expect(banner(page)).to_have_count(0)
    # One second is promised; a busy machine may need longer.
    begin = time.monotonic()
    app.set_offline(True)
    expect(banner(page)).to_be_visible()
    print(f"the banner came after {time.monotonic() - begin:.1f} s")
    expect(banner(app.open("/6/"))).to_be_visible()
    begin = time.monotonic()
    app.set_offline(False)
    expect(banner(app.page)).to_have_count(0)
    print(f"the banner went after {time.monotonic() - begin:.1f} s")


def test_a_missing_picture_is_reported_and_loads_once_online(app):
    app.install("/5/")
    # A whole picture of that width is lower than the card with its words.
    page = app.open("/settings")
    with page.expect_response("**/settings/set"):
        page.get_by_role("radiogroup", name="Wide comics").get_by_role("radio", name="Readable", exact=True).check()
    app.set_offline(True)
    page = app.open(f"/{recording.WIDE}/")
    expect(page.get_by_text(NOT_HERE)).to_be_visible()
    # A card of the picture's size replaces it.
    box = page.locator(".lost").bounding_box()
    app.set_offline(False)
    expect(page.get_by_text(NOT_HERE)).to_have_count(0)
    assert is_shown(page)
    assert picture(page).bounding_box()["height"] == pytest.approx(box["height"], abs=2), "nothing jumps"


def test_a_picture_is_saved_offline_or_the_reader_hears_why_not(browser, site):
    with device.app(browser, site, device="desktop") as app:
        app.install(f"/{recording.PLAIN}/")
        page = app.open(f"/{recording.PLAIN}/")
        assert is_shown(page)
        is_kept = f"longbox.pictures.kept().then(kept => kept.has({recording.PLAIN}))"
        until(lambda: app.in_worker(is_kept), "the picture is on the device", page=page)
        app.set_offline(True)
        with page.expect_download() as download:
            page.get_by_role("link", name="Save picture").click()
        assert download.value.suggested_filename == f"xkcd-{recording.PLAIN}.png"
        assert download.value.path().read_bytes().startswith(b"\x89PNG")
        page = app.open(f"/{recording.WIDE}/")
        expect(page.get_by_text(NOT_HERE)).to_be_visible()
        page.get_by_role("link", name="Save picture").click()
        expect(page.get_by_role("alert").get_by_text("That couldn’t be saved.")).to_be_visible()
        # The browser itself reports the missing file.
        app.watch.complaints.clear()


def test_a_comic_whose_picture_loads_later_counts_as_read(app):
    app.install("/5/")
    app.use_clock()
    app.set_offline(True)
    page = app.open(f"/{recording.WIDE}/")
    expect(page.get_by_text(NOT_HERE)).to_be_visible()
    page.clock.run_for(2_000)
    assert not app.is_read(recording.WIDE), "a missing picture counts as seen"
    app.set_offline(False)
    expect(page.get_by_text(NOT_HERE)).to_have_count(0)
    page.clock.run_for(2_000)
    app.until_read(recording.WIDE)


def test_a_missing_comic_is_reported_and_loads_once_online(browser, upstream, tmp_path):
    with (
        programs.server(tmp_path, upstream, LONGBOX_FILL="false") as server,
        device.app(browser, server.address) as app,
    ):
        # A comic's page would still fetch its neighbours, which are not stored either.
        app.install().open("/about")
        app.set_offline(True)
        expect(app.open("/12/", status=503).get_by_text(NOT_HERE)).to_be_visible()
        app.set_offline(False)
        expect(app.page.get_by_role("heading", level=1)).not_to_contain_text("not here")
        assert is_shown(app.page)


def test_an_unreachable_server_counts_as_offline(browser, new_library, upstream):
    with device.app(browser, "") as app:
        with programs.server(new_library(), upstream) as server:
            app.site = server.address
            app.install("/5/").open("/5/")
            make_favorite(app.page)
        expect(heart(app.open("/6/"))).to_be_visible()
        expect(banner(app.page)).to_be_visible()
        with server.again():
            expect(banner(app.page)).to_have_count(0)
        app.watch.complaints.clear()


def test_after_a_trap_the_server_or_an_error_page_answers(app):
    # A comic's page would fetch its neighbours, and that would hit the trap first.
    app.install("/about")
    trap = """longbox.host.device().then((device) => {
      device.respond = () => { throw new WebAssembly.RuntimeError("unreachable") }
    })"""
    app.in_worker(trap)
    page = app.page
    assert page.goto(f"{app.site}/6/").status == 200
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    app.open("/about")
    app.set_offline(True)
    app.in_worker(trap)
    assert page.goto(f"{app.site}/8/").status == 503
    expect(page.get_by_role("alert")).to_contain_text("Your favorites are safe")
    app.open("/8/")
    app.watch.complaints.clear()


def test_a_damaged_archive_is_fetched_again(app):
    app.install("/5/")
    app.in_worker("longbox.store.keepSegments(0, [new Uint8Array(100).buffer], { revision: 1, base: 1, rules: 0, parts: 1 })")
    app.stop_worker()
    assert app.page.goto(f"{app.site}/6/").status == 200
    whole = "longbox.store.all().then(({ segments }) => segments.length === 1 && segments[0].byteLength > 100)"
    until(lambda: app.in_worker(whole), "the device has the whole archive", page=app.page)
    app.set_offline(True)
    app.open("/7/")


def test_clearing_the_cache_keeps_favorites(app, axe):
    app.install("/5/")
    make_favorite(app.open("/5/"))
    page = app.download("Latest 50")
    axe(page)
    # The comic that was shown and its neighbours are kept, too.
    kept = set(app.in_worker(KEPT))
    latest = [number for number in range(recording.LATEST - 50, recording.LATEST + 1) if number != 404]
    assert len(latest) == 50 and kept >= {5, *latest}
    expect(page.locator("#pictures-kept")).to_contain_text(f"{len(kept)} comics")
    page.get_by_role("button", name="Clear cache", exact=True).click()
    dialog = page.get_by_role("dialog", name="Clear cache?")
    expect(dialog).to_contain_text("pictures of")
    expect(dialog).to_contain_text("Your favorites with their pictures, and your settings, stay.")
    axe(page)
    dialog.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator("#pictures-kept")).to_contain_text("1 comic,")
    app.set_offline(True)
    assert is_shown(app.open("/5/"))
    expect(app.open(f"/{recording.LATEST}/").get_by_text(NOT_HERE)).to_be_visible()


def test_viewed_comics_are_not_stored_if_that_is_switched_off(app):
    app.install("/settings")
    page = app.open("/settings")
    # The row is there once the page's script runs; a change before that is lost if the reader leaves at once.
    expect(page.get_by_role("button", name="Everything", exact=True)).to_be_visible()
    page.get_by_role("switch", name="Keep comics on this device").uncheck()
    # The change is sent although the reader leaves at once. The page opened next may overtake it.
    switch = page.get_by_role("switch", name="Keep comics on this device")
    until(lambda: app.open("/settings") and not switch.is_checked(), "the change is saved", page=page)
    assert is_shown(app.open("/20/"))
    # A picture that is stored although it was viewed later: by then, that of 20 would be stored, too.
    make_favorite(app.open("/22/"))
    page.wait_for_function(
        f"() => caches.open('longbox-pictures' + {device.BASE}).then(cache => cache.match('/comics/22/image'))"
    )
    assert app.in_worker("longbox.pictures.kept().then(kept => kept.has(20))") is False


def test_a_stopped_download_continues_with_what_is_missing(app):
    app.install("/300/")
    assert is_shown(app.open("/300/"))
    page = app.open("/settings")
    # So that the download does not end by itself.
    held = Held(app.context, re.compile(r"/comics/1\d\d/image"))
    group = page.get_by_role("group", name="Download for offline")
    group.get_by_role("button", name="Everything", exact=True).click()
    expect(group.get_by_role("progressbar", name="Download")).to_be_visible()
    expect(group.locator("#size-everything")).to_contain_text("Downloading: ")
    group.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("status").get_by_text("Download stopped.")).to_be_visible()
    expect(group.get_by_role("progressbar")).to_have_count(0)
    held.release()
    app.stop_worker()
    page = app.open("/settings")
    expect(group.locator("#size-everything")).to_contain_text("to download")
    group.get_by_role("button", name="Everything", exact=True).click()
    expect(group.get_by_role("status")).to_contain_text(" saved")
    expect(group.get_by_role("button", name="Everything", exact=True)).to_be_disabled()
    expect(group.locator("#size-everything")).to_contain_text(f"{recording.LATEST - 2} comics")
    assert app.in_worker("longbox.pictures.kept().then(kept => kept.size)") == recording.LATEST - 2


def test_a_year_can_be_downloaded(app):
    app.install("/5/")
    page = app.open("/settings")
    group = page.get_by_role("group", name="Download for offline")
    years = group.get_by_role("combobox", name="Year")
    years.select_option("2006")
    size = group.locator("#size-year")
    expect(size).to_contain_text(" MB")
    group.get_by_role("button", name="One year", exact=True).click()
    expect(group.get_by_role("status")).to_contain_text(" saved")
    expect(group.get_by_role("button", name="One year", exact=True)).to_be_disabled()
    expect(years).to_have_value("year-2006")
    wanted, lacking = app.in_worker("""Promise.all([longbox.host.pictures('year-2006'), longbox.pictures.kept()])
        .then(([all, kept]) => [all.length, all.filter(({ comic }) => !kept.has(comic)).length])""")
    assert wanted > 0 and lacking == 0
    assert wanted < recording.LATEST - 2
    years.select_option("2007")
    expect(group.get_by_role("button", name="One year", exact=True)).to_be_enabled()


def test_a_full_device_is_reported_and_the_download_continues_once_there_is_space(app):
    app.install("/5/")
    page = app.open("/settings")
    tools = app.context.new_cdp_session(page)
    used = page.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")
    tools.send("Storage.overrideQuotaForOrigin", {"origin": app.site, "quotaSize": used + 50_000})
    group = page.get_by_role("group", name="Download for offline")
    group.get_by_role("button", name="Everything", exact=True).click()
    expect(group.get_by_role("status")).to_contain_text("No space left on this device")
    expect(page.get_by_role("alert").get_by_text("Saved comics stay.")).to_be_visible()
    app.open("/5/")
    make_favorite(app.page)

    page = app.open("/settings")
    tools.send("Storage.overrideQuotaForOrigin", {"origin": app.site})
    group.get_by_role("button", name="Everything", exact=True).click()
    expect(group.get_by_role("status")).to_contain_text(" saved")


def test_a_list_that_the_browser_kept_shows_what_has_changed_since(app):
    app.install("/5/")
    page = app.open("/comics?view=list")
    favorites = page.get_by_role("main").get_by_role("link", name=re.compile(", favorite$"))
    other = app.context.new_page()
    other.goto(f"{app.site}/7/")
    make_favorite(other)
    expect(favorites).to_have_count(0)
    page.evaluate("() => { window.isSame = true }")
    page.evaluate(device.COME_BACK)
    expect(favorites).to_have_count(1)
    assert favorites.get_attribute("href").endswith("/7/")
    assert page.evaluate("window.isSame"), "marks change in place"
    # A list of other comics is loaded again.
    page = app.open("/comics?view=list&favorites=1")
    expect(favorites).to_have_count(1)
    other.goto(f"{app.site}/9/")
    make_favorite(other)
    page.evaluate(device.COME_BACK)
    expect(favorites).to_have_count(2)


def test_a_comic_that_the_browser_kept_shows_what_has_changed_since(app):
    app.install("/5/")
    page = app.open("/5/")
    other = app.context.new_page()
    other.goto(f"{app.site}/5/")
    make_favorite(other)
    expect(heart(page)).to_have_attribute("aria-pressed", "false")
    page.evaluate(device.COME_BACK)
    expect(heart(page)).to_have_attribute("aria-pressed", "true")


def test_a_change_on_another_device_waits_for_the_end_of_a_message_with_undo(app):
    app.install("/5/")
    for number in (5, 7):
        app.open(f"/{number}/")
        make_favorite(app.page)
    app.use_clock()
    page = app.open("/favorites")
    links = page.get_by_role("list", name="Favorites").get_by_role("link")
    page.get_by_role("button", name=re.compile("^Remove 5 .* from favorites$")).click()
    undo = page.get_by_role("button", name="Undo", exact=True)
    # A message stays while it has the focus.
    undo.focus()
    other = app.context.new_page()
    other.goto(f"{app.site}/9/")
    make_favorite(other)
    other.close()
    with page.expect_response(lambda reply: "purpose" in reply.request.headers) as reply:
        page.evaluate(device.NOTIFY)
    reply.value.finished()
    # By then, the page has dealt with the reply.
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(undo).to_be_visible()
    expect(links).to_have_count(1)
    undo.blur()
    page.clock.run_for(10_000)
    expect(links).to_have_count(2)


def test_details_are_open_on_a_desktop_and_hidden_on_a_phone(open_page, site):
    panel = open_page(f"{site}/5/").get_by_role("complementary", name="Details")
    expect(panel.get_by_role("tab", name="Details")).to_have_attribute("aria-selected", "true")
    expect(panel.get_by_role("tabpanel", name="Details")).to_be_visible()
    expect(open_page(f"{site}/5/", device="phone").locator(".details")).to_be_hidden()


@pytest.mark.parametrize(("shared", "leads_to"), [
    ("url=https%3A%2F%2Fxkcd.com%2F7%2F", "/7/"),
    ("text=Look%3A+https%3A%2F%2Fm.xkcd.com%2F8%2F", "/8/"),
    ("text=tea+pot", "/search?q=tea"),
])  # fmt: skip
def test_text_shared_by_another_app_opens_the_comic_or_a_search(app, shared, leads_to):
    app.install()
    assert app.open(f"/share?{shared}").url.startswith(app.site + leads_to)


def test_the_app_can_be_installed(browser, site, tmp_path):
    # A profile on disk: nothing can be installed in a private window.
    context = browser.browser_type.launch_persistent_context(tmp_path, **CHROMIUM)
    page = context.pages[0]
    page.goto(site)
    page.evaluate(device.TAKEN_OVER)
    tools = context.new_cdp_session(page)
    manifest = tools.send("Page.getAppManifest")
    errors = tools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    context.close()
    assert (manifest["url"], manifest["errors"], errors) == (f"{site}/manifest.webmanifest", [], [])


def test_the_comic_open_during_installation_is_stored_too(app):
    app.install("/30/")
    for name, number in (("Next comic", 31), ("Next comic", 32), ("Previous comic", 31), ("Previous comic", 30)):
        app.page.get_by_role("link", name=name, exact=True).click()
        expect(app.page).to_have_url(f"{app.site}/{number}/")
        assert is_shown(app.page)
    kept = "longbox.pictures.kept().then(kept => [30, 31, 32].every(number => kept.has(number)))"
    until(lambda: app.in_worker(kept), "the three comics are kept", page=app.page)
    app.set_offline(True)
    app.stop_worker()
    for number in (30, 31, 32):
        assert is_shown(app.open(f"/{number}/")), f"the picture of {number} is not there"


def test_stored_comics_are_shown_if_a_proxy_answers_for_an_unreachable_server(app, base_path):
    app.install("/5/")
    page = app.open("/5/")
    page.wait_for_function(f"() => caches.open('longbox-pictures' + {device.BASE}).then(cache => cache.match('/comics/5/image'))")
    page.evaluate(
        f"caches.open('longbox-albums' + {device.BASE}).then(cache => cache.put('/albums/1/cover', new Response('a cover')))"
    )
    # This page prefetches nothing.
    page = app.open("/about")
    app.in_worker("fetch = async () => new Response('Bad gateway', { status: 502 })")
    for address in ("/comics/5/image?v=0", "/comics/5/image@2x?v=0", "/albums/1/cover?size=small"):
        status = page.evaluate("address => fetch(address).then(({ status }) => status)", base_path + address)
        assert status == 200, address
    # Pages also show that there is no connection.
    expect(banner(page)).to_be_visible()
    page = app.open("/7/explanation")
    expect(page).to_have_url(f"{app.site}/7/#explanation")
    expect(banner(page)).to_be_visible()
    expect(page.get_by_text("This explanation is not on this device yet.")).to_be_visible()
    assert is_shown(app.open("/5/"))
    app.watch.complaints.clear()


@pytest.mark.parametrize("answer", [
    "new Response('<h1>Log in</h1>'.repeat(20))",
    # A delta with a wrong checksum and a wrong base.
    """store.all().then(({ segments: [segment] }) => {
      new DataView(segment).setUint32(28, 1, true)
      return new Response(segment)
    })""",
])  # fmt: skip
def test_an_invalid_archive_is_not_stored(app, answer):
    app.install("/5/")
    script = """(async () => {
      const { archive, connection, store } = longbox
      const before = await store.archive()
      const { ask } = connection
      connection.ask = async (address, ...options) =>
        String(address).startsWith("/archive") ? %s : ask.call(connection, address, ...options)
      await archive.refresh().catch(() => {})
      delete connection.ask
      return [before, await store.archive()]
    })()"""
    before, after = app.in_worker(script % answer)
    assert after == before
    app.set_offline(True)
    app.stop_worker()
    app.open("/7/")


def test_after_a_sync_there_are_no_unsent_edits(app):
    app.install("/5/")
    app.open("/5/")
    make_favorite(app.page)
    until_synced(app)
