# Longbox
# SPDX-License-Identifier: MIT
"""A static copy's files: what a host needs to serve them, what a second run changes, and what an interrupted run leaves."""

import json
import re
import sqlite3
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

import copies
import device
import programs
import static_host
from copies import BASE

LINK = re.compile(r' (?:href|src|action)="([^"#?]*)')
SOURCES = re.compile(r' srcset="([^"]*)"')
HASHED = ("assets/", "pictures/", "thumbnails/", "archive/", "explanations/")
# Forms, which the worker handles.
FORM = re.compile(r"/(set|older|drawn|note|remove|clear|undo)$")


@pytest.fixture(autouse=True)
def _alone(request):
    if request.config.getoption("--behind"):
        pytest.skip("a static copy has no server to put behind a proxy")


@pytest.fixture(scope="module")
def small(recorded, tmp_path_factory):
    """A copy of 45 comics, which no test changes."""
    copy = copies.Copy(tmp_path_factory.mktemp("small"), recorded)
    copy.have(45)
    copy.publish()
    return copy


@pytest.fixture
def copy(recorded, tmp_path):
    """A copy of 45 comics, which the test may change."""
    copy = copies.Copy(tmp_path, recorded)
    copy.have(45)
    copy.publish()
    return copy


def links(page):
    """The addresses that a page refers to."""
    listed = [one.split(" ")[0] for sources in SOURCES.findall(page) for one in sources.split(", ")]
    return [unquote(link) for link in [*LINK.findall(page), *listed] if link.startswith("/")]


def missing(site):
    """The missing files that pages, the worker's script and `device.json` refer to, except forms."""
    linked = set()
    for path in site.rglob("*.html"):
        linked.update(link for link in links(path.read_text(encoding="utf-8")) if not FORM.search(link))
    assert all(link.startswith(f"{BASE}/") for link in linked), linked
    script = (site / "sw.js").read_text(encoding="utf-8")
    build, _ = json.JSONDecoder().raw_decode(script, script.index("{"))
    linked.update(f"{BASE}/assets/{build['assets']}/{file['name']}" for file in build["files"])
    manifest = json.loads((site / "device.json").read_text(encoding="utf-8"))["copy"]
    for segments in (manifest["archive"], manifest["index"]):
        linked.update(f"{BASE}/{file}" for file in [segments["whole"], *segments["deltas"].values()])
    linked.update(f"{BASE}/{pack['file']}" for pack in manifest["packs"].values())
    targets = {link: site / link.removeprefix(f"{BASE}/") for link in linked}
    return {link for link, target in targets.items() if not target.is_file() and not (target / "index.html").is_file()}


def test_no_file_refers_to_a_missing_one(small):
    assert missing(small.site) == set()


def test_pages_have_a_security_policy_and_nothing_that_needs_a_server(small):
    for path in small.site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        policy = page.index('http-equiv="Content-Security-Policy"')
        assert policy < page.index("<script") and policy < page.index("<link"), path
        for address in ("/albums", "/feeds", "/join", "/settings/move", "/api/", "/settings/phone", "/settings/devices"):
            assert f'"{BASE}{address}' not in page, (path, address)
        for words in ("other device", "all your devices", "this server", "notification", "sign in", "is:album"):
            assert words not in page.lower(), (path, words)
        assert "CC BY-NC 2.5" in page, path
    manifest = json.loads((small.site / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert "device" not in manifest["description"]
    for address in [manifest["start_url"], manifest["scope"], manifest["id"], *[one["url"] for one in manifest["shortcuts"]]]:
        assert address.startswith(f"{BASE}/"), address


def test_a_page_runs_only_its_own_scripts(browser, small):
    with static_host.serving(small.site) as host, device.app(browser, host.address, service_workers="block") as app:
        reply = app.context.request.get(f"{host.address}/5/")
        assert "content-security-policy" not in reply.headers, "the host sets no header"
        page = app.context.new_page()
        page.goto(f"{host.address}/5/")
        blocked = page.evaluate("""new Promise((resolve) => {
          document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective))
          document.body.append(Object.assign(document.createElement("script"), { textContent: "window.injected = true" }))
        })""")
        assert blocked == "script-src-elem"
        assert page.evaluate("window.injected") is None


def test_it_works_on_a_host_that_sets_no_headers(small):
    with static_host.serving(small.site) as host:
        status, _, page = programs.get(f"{host.address}/no/such/page")
        assert status == 404 and b"There is no page at this address." in page
        for path in ("/", "/5/", "/5/explanation/", "/comics/", "/settings/import/", "/sw.js", "/device.json"):
            assert programs.get(host.address + path)[0] == 200, path
    assert (small.site / ".nojekyll").read_bytes() == b""
    assert not [path for path in small.site.rglob("*") if path.name.startswith("_") and path.name != "_headers"]


def test_the_headers_file_is_valid_for_netlify_and_cloudflare(small):
    lines = (small.site / "_headers").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if not line.startswith(" ")]
    assert len(rules) <= 100 and all(len(line) <= 2000 and line.count("*") <= 1 for line in lines)
    assert rules[0] == f"{BASE}/*"
    kept = [rule for rule, line in zip(lines, lines[1:], strict=False) if "immutable" in line]
    assert kept == [f"{BASE}/{folder}*" for folder in HASHED]
    everywhere = "\n".join(lines[1 : lines.index(rules[1])])
    # The whole policy would forbid the worker to compile WebAssembly.
    assert "frame-ancestors 'none'" in everywhere and "default-src" not in everywhere
    assert "X-Content-Type-Options: nosniff" in everywhere and "Cache-Control" not in everywhere


def test_it_works_without_a_base_path(browser, recorded, tmp_path):
    copy = copies.Copy(tmp_path, recorded)
    copy.have(5)
    copy.publish(base="/")
    with static_host.serving(copy.site, "") as host, device.app(browser, host.address) as app:
        app.install("/5/")
        app.set_offline(True)
        app.stop_worker()
        expect(app.open("/4/").get_by_role("heading", level=1)).to_be_visible()
        expect(app.open("/settings").get_by_role("link", name="Export")).to_have_attribute("href", "/settings/export")


def test_a_second_run_without_changes_renders_and_writes_nothing(copy):
    report = copy.publish()
    assert (report["written"], report["made"], report["removed"]) == (0, 0, 0)


def test_a_folder_with_other_files_is_rejected(small, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear reader")
    assert "letter.txt" in copies.publish(tmp_path, small.data, code=73)
    assert (tmp_path / "letter.txt").read_text() == "Dear reader"


def change_explanation(data):
    with sqlite3.connect(data / "longbox.sqlite") as database:
        wikitext = "==Explanation==\nAn explanation that somebody has improved.\n"
        database.execute(
            "UPDATE explanation SET wikitext = ?, change = (SELECT max(change) + 1 FROM explanation) WHERE number = 30",
            [wikitext.encode()],
        )


@pytest.mark.parametrize("what", ["comic", "explanation", "option", "page"])
def test_a_second_run_gives_the_same_files_as_a_fresh_one(copy, tmp_path, what):
    arguments = []
    match what:
        case "comic":
            copy.have(46)
        case "explanation":
            change_explanation(copy.data)
        case "option":
            arguments = ["--pictures", "thumbnails"]
        case "page":
            # Somebody has edited one page, and deleted another.
            (copy.site / "7" / "index.html").write_text("seven")
            (copy.site / "8" / "index.html").unlink()
    before = copy.files()
    report = copy.publish(*arguments)
    # 45 comics are in three packs.
    assert {"comic": (6, 40), "explanation": (20, 40), "option": (45, 200), "page": (20, 2)}[what] >= (
        report["made"],
        report["written"],
    ), report
    after = copy.files()
    copies.publish(tmp_path / "new", copy.data, *arguments)
    fresh = copies.Copy(tmp_path, copy.recorded)
    fresh.site = tmp_path / "new"
    differing = {path for path, content in fresh.files().items() if after.get(path) != content}
    # These two list earlier versions.
    assert differing <= {"longbox-copy.json", "device.json"}, differing
    assert missing(copy.site) == set()
    changed = {path for path in before.keys() & after.keys() if before[path] != after[path]}
    assert not [path for path in changed if path.startswith(HASHED)], "a file that browsers cache for good has changed"
    if what == "explanation":
        assert all(b"somebody has improved" in after[page] for page in ("30/index.html", "30/explanation/index.html"))


@pytest.mark.parametrize("place", ["46/index.html", "index.html", "sw.js", "device.json"])
def test_an_interrupted_run_leaves_a_complete_site(copy, place):
    copy.have(46)
    change_explanation(copy.data)
    manifest = (copy.site / "device.json").read_bytes()
    # The worker has changed, too.
    with (copy.site / "sw.js").open("a", encoding="utf-8") as script:
        script.write("// the version before")
    # A folder where the program wants to write a file stops it there.
    blocked = copy.site / f"{place}.longbox-new"
    blocked.mkdir(parents=True)
    assert place in copies.publish(copy.site, copy.data, code=74)
    blocked.rmdir()
    assert missing(copy.site) == set()
    # The file that leads to a new version is written last.
    assert (copy.site / "device.json").read_bytes() == manifest
    copy.publish()
    assert missing(copy.site) == set()
    assert b"somebody has improved" in (copy.site / "30" / "index.html").read_bytes()
    assert copy.publish()["written"] == 0


def test_files_are_written_before_those_that_refer_to_them(copy, tmp_path):
    """A run lists what it writes, in this order: files that never change, pages, the worker, the manifest."""
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "device.json.longbox-new").mkdir()
    copies.publish(tmp_path / "new", copy.data, code=74)
    written = (tmp_path / "new" / "longbox-copy.journal").read_text(encoding="utf-8").splitlines()
    last = ["sw.js", "device.json"]
    kinds = [0 if path.startswith(HASHED) else 3 if path in last else 1 if path.endswith(".html") else 2 for path in written]
    assert kinds == sorted(kinds) and set(kinds) == {0, 1, 2, 3}
    assert written[-2:] == last
