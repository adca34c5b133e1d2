# Longbox
# SPDX-License-Identifier: MIT
"""A static copy on a host that only serves files: installed, offline, searched, and updated by the next publish."""

import json
import re
import shutil

import pytest
from playwright.sync_api import expect

import device
import programs
import recording
import static_host
from waiting import until

BASE = "/comics-copy"
LINK = re.compile(r' (?:href|src|action)="([^"#?]*)')


def publish(folder, data, *arguments, code=0):
    result = programs.longbox("publish", folder, "--base-path", BASE, "--json", *arguments, data=data)
    assert result.returncode == code, result.stderr
    return json.loads(result.stdout) if code == 0 else result.stderr


class Copy:
    """A data folder, and what was published of it."""

    def __init__(self, folder, recorded):
        self.data, self.site, self.recorded = folder / "data", folder / "site", recorded
        self._recording = folder / "recording"

    def have(self, latest):
        """Imports the comics up to a number."""
        rows = (self.recorded / "xkcd" / "comics.jsonl").read_text(encoding="utf-8").splitlines()
        shutil.rmtree(self._recording, ignore_errors=True)
        self._recording.mkdir()
        (self._recording / "images").symlink_to(self.recorded / "xkcd" / "images")
        kept = [row for row in rows if json.loads(row)["num"] <= latest]
        (self._recording / "comics.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
        pages = (self.recorded / "explainxkcd" / "pages.jsonl").read_text(encoding="utf-8").splitlines()
        explained = [page for page in pages if json.loads(page)["num"] <= latest]
        (self._recording / "pages.jsonl").write_text("\n".join(explained) + "\n", encoding="utf-8")
        imported = programs.longbox("import", self._recording, data=self.data)
        assert imported.returncode == 0, imported.stderr

    def publish(self, *arguments):
        return publish(self.site, self.data, *arguments)


@pytest.fixture(autouse=True)
def _alone(request):
    if request.config.getoption("--behind"):
        pytest.skip("a static copy has no server to put behind a proxy")


@pytest.fixture
def published(recorded, tmp_path):
    copy = Copy(tmp_path, recorded)
    copy.have(recording.LATEST - 1)
    copy.publish()
    return copy


@pytest.fixture
def host(published):
    with static_host.serving(published.site, BASE) as host:
        yield host


@pytest.fixture
def app(browser, host):
    with device.app(browser, host.address) as app:
        yield app


def test_it_is_installed_and_works_offline(app, host, axe):
    app.install(f"/{recording.PLAIN}/")
    page = app.open(f"/{recording.PLAIN}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Python")
    page.get_by_role("button", name="Favorite", exact=True).click()
    expect(page.get_by_role("button", name="Favorite", exact=True)).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(
        f"caches.open('longbox-pictures' + {device.BASE}).then(cache => cache.match('/comics/{recording.PLAIN}/image'))"
    )
    assert not [line for line in host.requests() if line.startswith("POST")]
    app.set_offline(True)
    app.stop_worker()
    page = app.open("/favorites")
    expect(page.locator(".covers li")).to_have_count(1)
    page = app.open(f"/{recording.PLAIN}/")
    picture = page.get_by_role("img", name=re.compile(r"^Comic \d+: "))
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth > 1)")
    page = app.open("/search?q=python")
    expect(page.locator("#found .card").first).to_contain_text("Python")
    page = app.open("/comics/")
    expect(page.locator(".year li").first).to_be_visible()
    axe(page)


def test_a_new_comic_comes_as_a_delta(app, host, published):
    app.install()
    page = app.open("/")
    expect(page.locator(".bar .number")).to_have_text(f"#{recording.LATEST - 1}")
    published.have(recording.LATEST)
    report = published.publish()
    assert 0 < report["written"] <= 40, report
    host.requests()
    app.in_worker("longbox.archive.refresh()")
    asked = [line.split("/")[-1] for line in host.requests() if "/archive/" in line]
    assert len(asked) == 1 and re.match(r"\d+-\d+-\w+\.lbx\.gz", asked[0]), asked
    page = app.open("/")
    expect(page.locator(".bar .number")).to_have_text(f"#{recording.LATEST}")
    assert app.in_worker("longbox.archive.refresh()") is False


def test_pages_and_their_files_lead_nowhere_that_is_not_there(published):
    dead = set()
    for path in published.site.rglob("*.html"):
        for link in LINK.findall(path.read_text(encoding="utf-8")):
            if not link.startswith("/"):
                continue
            assert link.startswith(f"{BASE}/"), (path, link)
            target = published.site / link.removeprefix(f"{BASE}/")
            if not target.is_file() and not (target / "index.html").is_file():
                dead.add(link)
    # Forms, which the worker takes.
    assert not {link for link in dead if not re.search(r"/(set|older|drawn|note|remove|clear|undo)$", link)}


def test_an_address_that_only_the_device_answers_waits_for_it(app, host):
    app.page.goto(f"{host.address}/go/?number=5")
    app.page.wait_for_url(f"{host.address}/5/", timeout=30_000)


def test_pages_carry_their_policy_and_nothing_of_a_server(published):
    for name in ("index.html", "5/index.html", "settings/index.html", "about/index.html", "search/index.html"):
        page = (published.site / name).read_text(encoding="utf-8")
        policy = page.index('http-equiv="Content-Security-Policy"')
        assert policy < page.index("<script")
        for address in ("/albums", "/feeds", "/join", "/settings/move", "/api/", "/settings/phone", "/settings/export"):
            assert f'"{BASE}{address}' not in page, (name, address)
    assert "CC BY-NC 2.5" in (published.site / "5" / "index.html").read_text(encoding="utf-8")


def test_a_second_run_writes_nothing_and_a_foreign_folder_is_refused(published, tmp_path):
    assert published.publish()["written"] == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear reader")
    assert "letter.txt" in publish(tmp_path / "mine", published.data, code=73)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "Dear reader"


@pytest.mark.parametrize(("pictures", "thumbnails"), [("thumbnails", True), ("none", False)])
def test_a_copy_without_pictures_says_where_they_are(browser, recorded, tmp_path, pictures, thumbnails):
    copy = Copy(tmp_path, recorded)
    copy.have(20)
    report = copy.publish("--pictures", pictures)
    assert "pictures" not in report["parts"]
    assert ("thumbnails" in report["parts"]) is thumbnails
    with static_host.serving(copy.site, BASE) as host, device.app(browser, host.address) as app:
        app.page.goto(f"{host.address}/5/")
        for _ in range(2):
            expect(app.page.get_by_role("link", name="See this comic on xkcd.com")).to_be_visible()
            app.page.evaluate(device.TAKEN_OVER)
            app.open("/5/")
        app.open("/comics")
        expect(app.page.locator(".covers img")).to_have_count(20 if thumbnails else 0)


def test_the_program_of_the_worker_waits_for_its_host(app, host):
    app.install()
    until(lambda: app.in_worker("longbox.connection.isConnected"), "the host is reached")
    assert app.in_worker("longbox.connection.ask('/healthz').then(response => response.status)") == 200
