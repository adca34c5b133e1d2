# Longbox
# SPDX-License-Identifier: MIT
"""A static copy in a browser: installed, offline, searched, exported, and updated by the next publish."""

import json
import re

import pytest
from playwright.sync_api import expect

import copies
import device
import programs
import recording
import static_host
from pages import is_shown, make_favorite
from waiting import until

NOT_HERE = "This comic isn’t on this device yet. It loads when you are back online."


@pytest.fixture(autouse=True)
def _alone(request):
    if request.config.getoption("--behind"):
        pytest.skip("a static copy has no server to put behind a proxy")


@pytest.fixture(scope="module")
def whole(recorded, made_once):
    """A copy of all comics, which no test changes."""

    def fill(folder):
        copy = copies.Copy(folder, recorded)
        copy.have(recording.LATEST)
        copy.publish()

    return copies.Copy(made_once("whole-copy", fill), recorded)


@pytest.fixture
def host(whole):
    with static_host.serving(whole.site) as host:
        yield host


@pytest.fixture
def app(browser, host):
    with device.app(browser, host.address) as app:
        yield app


def group(page):
    return page.get_by_role("group", name="Download for offline")


def download(app, name):
    page = app.open("/settings")
    button = page.get_by_role("button", name=name, exact=True)
    button.click()
    # The status may still be that of the download before.
    row = group(page).locator(".row").filter(has=button)
    expect(row.get_by_text("Downloaded")).to_be_visible()
    expect(group(page).get_by_role("status")).to_contain_text(" saved")
    return page


def favorite(app, comic, note=""):
    make_favorite(app.open(f"/{comic}/"))
    if note:
        body = f"comic={comic}&note={note}&back=/favorites"
        app.page.evaluate(
            """([base, body]) => fetch(`${base}/favorites/note`, { method: "POST", body, redirect: "manual",
              headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" } })""",
            [copies.BASE, body],
        )


def test_it_can_be_installed_and_works_offline(app, host, axe):
    app.install(f"/{recording.PLAIN}/")
    page = app.open(f"/{recording.PLAIN}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Python")
    make_favorite(page)
    page.wait_for_function(
        f"caches.open('longbox-pictures' + {device.BASE}).then(cache => cache.match('/comics/{recording.PLAIN}/image'))"
    )
    assert not [line for line in host.requests() if line.startswith("POST")]
    app.set_offline(True)
    app.stop_worker()
    page = app.open("/favorites")
    expect(page.locator(".covers li")).to_have_count(1)
    assert is_shown(app.open(f"/{recording.PLAIN}/"))
    page = app.open("/search?q=python")
    expect(page.locator("#found .card").first).to_contain_text("Python")
    page = app.open("/comics/")
    expect(page.locator(".year li").first).to_be_visible()
    axe(page)


def test_a_new_comic_arrives_as_a_delta(whole_browser, recorded, tmp_path):
    copy = copies.Copy(tmp_path, recorded)
    copy.have(recording.LATEST - 1)
    copy.publish()
    with static_host.serving(copy.site) as host, device.app(whole_browser, host.address) as app:
        app.install()
        page = app.open("/")
        expect(page.locator(".bar .number")).to_have_text(f"#{recording.LATEST - 1}")
        copy.have(recording.LATEST)
        report = copy.publish()
        assert 0 < report["written"] <= 40, report
        host.requests()
        app.in_worker("longbox.archive.refresh()")
        asked = [line.split("/")[-1] for line in host.requests() if "/archive/" in line]
        assert len(asked) == 1 and re.match(r"\d+-\d+-\w+\.lbx\.gz", asked[0]), asked
        page = app.open("/")
        expect(page.locator(".bar .number")).to_have_text(f"#{recording.LATEST}")
        assert is_shown(page)
        assert app.in_worker("longbox.archive.refresh()") is False


def test_a_library_can_be_moved_to_another_browser(app, browser, host, tmp_path, axe):
    app.install("/5/")
    favorite(app, 5, "my+note")
    favorite(app, 7)
    app.set_offline(True)
    page = app.open("/settings")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Export", exact=True).click()
    assert saved.value.suggested_filename == "longbox-library.json"
    file = tmp_path / "longbox-library.json"
    saved.value.save_as(file)
    library = json.loads(file.read_text(encoding="utf-8"))
    assert library["format"] == "longbox-library"
    assert {one["num"]: one.get("note") for one in library["favorites"]} == {5: "my note", 7: None}

    with device.app(browser, host.address) as other:
        other.install("/5/")
        other.set_offline(True)
        page = other.open("/settings")
        page.get_by_role("link", name="Import", exact=True).click()
        page.get_by_label("Or paste its text").fill("x")
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("in line 1, “x” is not the number of a comic")
        axe(page)
        expect(page.get_by_label("Or paste its text")).to_have_value("x")
        page.get_by_label("Or paste its text").fill("")
        page.get_by_label("File").set_input_files(file)
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.get_by_role("status").filter(has_text="added")).to_contain_text("2 favorites added.")
        axe(page)
        expect(other.open("/favorites").locator(".covers li")).to_have_count(2)
        other.open("/favorites?q=note")
        expect(other.page.locator(".covers li")).to_have_count(1)
    assert not [line for line in host.requests() if line.startswith("POST")]


def test_a_server_imports_what_a_copy_exported(app, site, tmp_path):
    app.install("/5/")
    favorite(app, 5)
    with app.open("/settings").expect_download() as saved:
        app.page.get_by_role("link", name="Export", exact=True).click()
    saved.value.save_as(tmp_path / "library.json")
    form = {"file": {"name": "a", "mimeType": "application/json", "buffer": (tmp_path / "library.json").read_bytes()}}
    reply = app.context.request.post(f"{site}/settings/import", multipart=form, headers={"Origin": device.origin(site)})
    assert reply.ok and "1 favorite added." in reply.text()


def test_the_import_page_waits_until_the_worker_runs(app, host):
    app.page.goto(f"{host.address}/settings/import")
    expect(app.page.get_by_label("Or paste its text")).to_be_visible()


def test_everything_can_be_downloaded_and_deleted(app):
    app.install("/5/")
    favorite(app, 5)
    download(app, "Everything")
    download(app, "Explanations")
    app.set_offline(True)
    app.stop_worker()
    for number in (1, 99, 200, recording.LATEST):
        assert is_shown(app.open(f"/{number}/")), f"the picture of {number} is not there"
    for number in (1, 99, 200):
        expect(app.open(f"/{number}/explanation").locator("main")).to_contain_text("explain xkcd")
    expect(app.open("/search?q=zeppelin&deep=1").get_by_role("heading", level=1)).to_be_visible()

    app.set_offline(False)
    page = app.open("/settings")
    expect(page.locator("#pictures-kept")).to_contain_text(f"{recording.LATEST - 2} comics")
    page.get_by_role("button", name="Clear cache", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator("#pictures-kept")).to_contain_text("1 comic,")
    app.set_offline(True)
    assert is_shown(app.open("/5/"))
    expect(app.open("/200/").get_by_text(NOT_HERE)).to_be_visible()


def test_favorites_can_be_cleared_on_this_device(app):
    app.install("/5/")
    favorite(app, 5)
    page = app.open("/settings")
    page.get_by_role("link", name="Clear favorites").click()
    dialog = page.get_by_role("dialog", name="Clear favorites?")
    expect(dialog).to_contain_text("This removes your one favorite and its note.")
    dialog.get_by_role("button", name="Clear favorites").click()
    expect(page.get_by_text("Favorites cleared.")).to_be_visible()
    expect(app.open("/favorites").locator(".covers li")).to_have_count(0)


@pytest.mark.parametrize("pictures", ["thumbnails", "none"])
def test_a_copy_without_pictures_links_to_xkcd(browser, recorded, tmp_path, pictures):
    copy = copies.Copy(tmp_path, recorded)
    copy.have(20)
    report = copy.publish("--pictures", pictures)
    assert "pictures" not in report["parts"]
    assert ("thumbnails" in report["parts"]) is (pictures == "thumbnails")
    with static_host.serving(copy.site) as host, device.app(browser, host.address) as app:
        app.page.goto(f"{host.address}/5/")
        for _ in range(2):
            expect(app.page.get_by_role("link", name="See this comic on xkcd.com")).to_be_visible()
            app.page.evaluate(device.TAKEN_OVER)
            app.open("/5/")
        app.open("/comics")
        expect(app.page.locator(".covers img")).to_have_count(20 if pictures == "thumbnails" else 0)
        # It has texts only, so it offers only those.
        page = app.open("/settings")
        expect(group(page).get_by_role("button", name="Everything")).to_have_count(0)
        download(app, "Explanations")
        app.set_offline(True)
        app.stop_worker()
        expect(app.open("/19/explanation").locator("main")).to_contain_text("explain xkcd")
        expect(app.open("/18/").get_by_role("link", name="See this comic on xkcd.com")).to_be_visible()
        app.set_offline(False)
        page = app.open("/settings")
        page.get_by_role("button", name="Clear cache", exact=True).click()
        dialog = page.get_by_role("dialog", name="Clear cache?")
        expect(dialog).not_to_contain_text("pictures")
        dialog.get_by_role("button", name="Clear", exact=True).click()
        expect(group(page).get_by_role("button", name="Explanations")).to_be_enabled()


# The addresses of a page's links to other pages of this site, and of forms that only show something.
LINKED = """() => [...document.querySelectorAll("a[href], form[method=get]")].map((one) => one.href ?? one.action)
  .filter((address) => address.startsWith(location.origin)).map((address) => address.split("#")[0])
  .filter((address) => address !== location.href.split("#")[0])"""
STATUS = """(addresses) => Promise.all(addresses.map(async (address) => {
  const reply = await fetch(address, { headers: { accept: "text/html" } })
  return [address, reply.status]
}))"""


def test_every_link_of_its_pages_works(app, host):
    app.install("/5/")
    favorite(app, 5)
    linked = set()
    pages = ["/", "/5/", "/5/explanation", "/404/", "/comics", "/comics?view=list", "/favorites", "/favorites?select=1",
             "/history",
             "/search", "/search?q=python&deep=1", "/search?q=is:foo+box", "/search?q=zzyzxq", "/settings", "/settings/import",
             "/about", "/favorites/clear", "/read/clear", "/999999/", "/nowhere", "/albums", "/feeds"]  # fmt: skip
    for path in pages:
        page = app.page
        page.goto(host.address + path)
        linked.update(page.evaluate(LINKED))
        assert not page.get_by_role("link", name="Albums").count(), path
    # There is no comic 404; the form for numbers says that it needs one.
    linked -= {f"{host.address}/404/", f"{host.address}/go"}
    assert all(address.startswith(host.address + "/") for address in linked), linked
    statuses = dict(app.page.evaluate(STATUS, sorted(linked)))
    assert len(statuses) > 400 and {address: status for address, status in statuses.items() if status != 200} == {}


@pytest.mark.parametrize("path", ["/albums", "/albums/saved", "/feeds", "/join", "/settings/phone", "/sign-in"])
def test_an_address_that_needs_a_server_answers_404(app, path):
    app.install()
    expect(app.open(path, status=404).get_by_text("There is no page at this address.")).to_be_visible()


def test_an_address_that_only_the_worker_answers_waits_until_it_runs(app, host):
    app.page.goto(f"{host.address}/go/?number=5")
    app.page.wait_for_url(f"{host.address}/5/")


def test_the_worker_can_reach_its_host(app, host):
    app.install()
    until(lambda: app.in_worker("longbox.connection.isConnected"), "the host is reached")
    assert app.in_worker("longbox.connection.send('/device.json').then(response => response.status)") == 200
    assert programs.get(f"{host.address}/device.json")[0] == 200
