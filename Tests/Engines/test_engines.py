# Longbox
# SPDX-License-Identifier: MIT
"""The way to use pages itself, on a page of its own: what it finds, what it can press, and what it must not let pass."""

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

import engines

HTML = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Samples</title><link rel="icon" href="data:,">
<style>.aside { position: absolute; width: 1px; overflow: hidden }
#over { position: fixed; inset: 700px 0 0; background: red }</style>
<main><h1>Tea <span class="aside">for</span> two</h1>
<nav aria-label="Pots"><a href="second.html" aria-label="Next pot"><svg width="20" height="20"></svg></a></nav>
<label>Name <input id="name"></label> <label><input type="checkbox" id="box">Milk</label>
<fieldset><legend>Sugar</legend>
<button type="button" onclick="this.ariaPressed = true" aria-pressed="false">One</button></fieldset>
<button hidden>Two</button><ul aria-label="Cups"><li>Blue<li>Red</ul>
<button type="button" style="position: fixed; top: 740px">Beneath</button></main>
<div id="over"></div><script>addEventListener("keydown", ({ key }) => { document.title += " " + key })</script>"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def samples(tmp_path):
    (tmp_path / "first.html").write_text(HTML, encoding="utf-8")
    (tmp_path / "second.html").write_text("<!doctype html><link rel=icon href='data:,'><h1>Second</h1>", encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_elements_are_found_by_role_and_name(open_page, samples):
    page = open_page(samples, "/first.html")
    assert page.by_role("heading", "Tea for two").count() == 1
    assert page.by_role("heading", re.compile("^tea", re.IGNORECASE)).count() == 1
    assert page.by_role("navigation", "Pots").by_role("link", "Next pot").attribute("href") == "second.html"
    assert page.by_role("list", "Cups").by_role("listitem").texts() == ["Blue", "Red"]
    assert page.by_role("group", "Sugar").by_role("button").texts() == ["One"]
    assert page.by_role("button", "Two").count() == 0
    assert page.by_text("Milk").nth(0).property("localName") == "label"


@pytest.mark.core
def test_they_are_pressed_and_typed_into(open_page, samples):
    page = open_page(samples, "/first.html")
    page.by_role("button", "One").click()
    page.by_role("button", "One").wait_attribute("aria-pressed", "true")
    page.by_role("checkbox", "Milk").click()
    page.by_role("checkbox", "Milk").wait_property("checked", True)
    page.by_role("textbox", "Name").fill("Oolong, ünd more")
    page.by_role("textbox", "Name").fill("")
    page.press("ArrowRight")
    page.until(lambda: page.evaluate("document.title").endswith("ArrowRight"), "the key was pressed")
    page.by_role("link", "Next pot").click()
    page.by_role("heading", "Second").wait()
    page.back()
    page.by_role("heading", "Tea for two").wait()
    assert page.path() == "/first.html"
    assert page.picture().getpixel((100, 800)) == (255, 0, 0)


def test_what_lies_under_something_cannot_be_pressed(open_page, samples, monkeypatch):
    page = open_page(samples, "/first.html")
    monkeypatch.setattr(engines, "TIME_LIMIT", 1)
    with pytest.raises(AssertionError, match="over"):
        page.by_role("button", "Beneath").click()


@pytest.mark.core
def test_errors_in_the_console_are_noted(open_page, samples):
    page = open_page(samples, "/first.html")
    page.evaluate("() => { setTimeout(() => { throw new Error('spilled') }) }")
    page.until(lambda: any("spilled" in one for one in page.complaints()), "the exception is noted")
    page.evaluate("() => { console.error('broken') }")
    page.until(lambda: any("broken" in one for one in page.complaints()), "the message is noted")
    page.expected += ["spilled", "broken"]
