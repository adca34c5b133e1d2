# Longbox
# SPDX-License-Identifier: MIT
"""Comics in frames on the pages of other sites, and pictures for screens that show nothing else."""

import re
import struct
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

import page_states
import programs
import recording
from page_acts import PASSPHRASE


class Dashboard(BaseHTTPRequestHandler):
    """A page of another site with a frame, whose address is the request's query."""

    def do_GET(self):
        page, _, frame = self.path.partition("?")
        icon = page == "/favicon.ico"
        body = b"" if icon else f'<!doctype html><title>Dashboard</title><iframe title="xkcd" src="{frame}"></iframe>'.encode()
        self.send_response(204 if icon else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def dashboard():
    """A site on a free port of this machine: its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Dashboard) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def allowed():
    """The address of a site that may show comics."""
    with dashboard() as address:
        yield address


@pytest.fixture(scope="module")
def stranger():
    """The address of a site that may not."""
    with dashboard() as address:
        yield address


@pytest.fixture(scope="module")
def framed_site(new_library, upstream, allowed):
    with programs.server(new_library(), upstream, LONGBOX_FRAME_ANCESTORS=allowed) as server:
        yield server.address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_site_that_is_allowed_shows_the_comic(open_page, framed_site, allowed, scheme, keep_picture):
    page = open_page(f"{allowed}/?{framed_site}/embed/{recording.PLAIN}", scheme=scheme)
    frame = page.frame_locator("iframe")
    picture = frame.get_by_role("img", name=f"Comic {recording.PLAIN}: ")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 1
    # Nothing scrolls: the comic is as large as the frame.
    assert frame.locator("html").evaluate("html => html.scrollHeight <= innerHeight && html.scrollWidth <= innerWidth")
    background = frame.locator("html").evaluate("html => getComputedStyle(html).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    keep_picture(page, f"embed-{scheme}")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_tap_opens_the_comic_in_longbox(open_page, framed_site, allowed, scripts):
    page = open_page(f"{allowed}/?{framed_site}/embed/{recording.PLAIN}", java_script_enabled=scripts)
    with page.expect_popup() as opened:
        page.frame_locator("iframe").get_by_role("link").click()
    opened.value.wait_for_url(f"{framed_site}/{recording.PLAIN}/")
    assert page.url.startswith(allowed)


def test_a_site_that_is_not_allowed_shows_nothing(open_page, framed_site, stranger):
    page = open_page(f"{stranger}/?{framed_site}/embed/latest", expected=framed_site)
    frame = page.frames[1]
    assert framed_site not in frame.url
    expect(page.frame_locator("iframe").get_by_role("img")).to_have_count(0)


def test_no_other_page_can_be_framed(open_page, framed_site, allowed):
    for path in ("/", f"/{recording.PLAIN}/", "/settings"):
        page = open_page(f"{allowed}/?{framed_site}{path}", expected=framed_site)
        assert framed_site not in page.frames[1].url, path


@pytest.mark.parametrize(("width", "height"), [(120, 60), (300, 600), (900, 200)])
def test_a_frame_of_any_size_has_the_whole_comic(open_page, framed_site, width, height):
    page = open_page(f"{framed_site}/embed/{recording.WIDE}", viewport={"width": width, "height": height})
    expect(page.get_by_role("img")).to_be_visible()
    box = page.get_by_role("img").bounding_box()
    assert box["width"] <= width and 0 < box["height"] <= height
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_where_devices_sign_in_a_frame_needs_a_key(open_page, new_library, upstream, allowed):
    with page_states.household(new_library(), upstream, LONGBOX_FRAME_ANCESTORS=allowed) as (address, _):
        page = open_page(f"{address}/settings/devices")
        page.get_by_label("Passphrase").fill(PASSPHRASE)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("Name of the program").fill("Dashboard")
        page.get_by_role("button", name="Make a key").click()
        key = page.locator("#new-key").inner_text()
        other = open_page(f"{allowed}/?{address}/embed/latest?key={key}")
        picture = other.frame_locator("iframe").get_by_role("img", name=re.compile("Comic "))
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 1
        assert programs.get(f"{address}/latest.png?width=80&height=48&key={key}")[0] == 200
        assert key not in programs.get(f"{address}/embed/latest?key={key}")[1].as_string()
        for query in ("", f"?key={key[::-1]}"):
            status, _, body = programs.get(f"{address}/embed/latest{query}")
            assert status == 401 and "?key=…" in body.decode()
        page.goto(f"{address}/settings/devices")
        page.get_by_role("button", name="Revoke Dashboard").click()
        expect(page.get_by_text("There are no access keys.")).to_be_visible()
        assert programs.get(f"{address}/embed/latest?key={key}")[0] == 401
        assert programs.get(f"{address}/latest.png?key={key}")[0] == 401


def test_a_screen_gets_its_picture_of_its_size_in_its_greys(site):
    for name in ("latest", "random"):
        status, headers, body = programs.get(f"{site}/{name}.png?width=800&height=480&levels=4")
        assert status == 200 and headers["Content-Type"] == "image/png" and headers["ETag"]
        assert struct.unpack(">IIBB", body[16:26]) == (800, 480, 2, 0)
    status, _, body = programs.get(f"{site}/latest.png?width=800&height=480&levels=5")
    assert status == 400 and b'"levels"' in body


def test_a_wrong_site_is_named(tmp_path):
    result = programs.longbox("serve", data=tmp_path, LONGBOX_FRAME_ANCESTORS="https://dash.lan, dash.local")
    assert result.returncode == 78
    for words in ("LONGBOX_FRAME_ANCESTORS", "“dash.local”", "such as https://dash.example.org"):
        assert words in result.stderr
