# Longbox
# SPDX-License-Identifier: MIT
"""Longbox below a path behind nginx and Caddy, which have the configurations of docs/proxies.md."""

import contextlib
import json
import re
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

import device
import page_acts
import programs
import proxies
import recording
import waiting
from http_requests import ask
from pages import make_favorite

PAGES = [
    "/", "/353/", "/353/explanation", "/404/", "/comics", "/comics?view=list", "/favorites", "/search?q=cat", "/settings",
    "/about", "/feeds", "/albums", "/albums/saved", "/albums/settings", "/settings/import", "/go?number=abc", "/join",
]  # fmt: skip
ADDRESS = re.compile(r' (href|src|action)="([^"]*)"')


@pytest.fixture(autouse=True)
def _alone(request):
    if request.config.getoption("--behind"):
        pytest.skip("these tests have proxies of their own")


@pytest.fixture(scope="module", params=proxies.KINDS)
def server(request, new_library, upstream):
    with proxies.behind(request.param, programs.server)(new_library(), upstream) as server:
        yield server


@pytest.fixture(params=proxies.KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def passphrase_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("passphrase") / "passphrase.txt"
    file.write_text(page_acts.PASSPHRASE + "\n", encoding="utf-8")
    return file


@pytest.fixture
def with_sign_in(upstream, tmp_path, passphrase_file):
    """Makes a server that everybody signs in to, behind a proxy."""

    def make(kind, settings=None, **options):
        sign_in = {"LONGBOX_HOST": "0.0.0.0", "LONGBOX_TLS": "off", "LONGBOX_PASSPHRASE_FILE": passphrase_file}
        return proxies.behind(kind, programs.server, **options)(tmp_path, upstream, **sign_in | (settings or {}))

    return make


def post(address, path, fields, **headers):
    origin = address.removesuffix(proxies.BASE_PATH)
    form = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
    return ask(address + path, "POST", urlencode(fields), form | headers)


def test_every_address_of_a_page_is_below_the_base_path(server):
    origin = server.proxy.address
    addresses = set()
    for path in PAGES:
        page = ask(server.address + path)[2]
        assert 'data-base="/longbox"' in page, path
        found = {(name, address) for name, address in ADDRESS.findall(page) if address.startswith("/")}
        assert ("href", f"{proxies.BASE_PATH}/") in found
        assert all(address.startswith(f"{proxies.BASE_PATH}/") for _, address in found), (path, found)
        addresses |= {address for name, address in found if name != "action"}
    # Comics are alike, so a few will do; two settings open on the server's machine alone.
    skipped = re.compile(r"/[1-9]\d+/(explanation)?$|/comics/|/settings/(phone|server)$")
    asked = sorted(address for address in addresses if not skipped.search(address))
    for address in asked:
        status, headers, _ = ask(origin + address.replace("&amp;", "&"))
        assert status < 400 or address.endswith("/404/"), f"{address} answered {status}"
        if location := headers.get("Location"):
            assert location.startswith((f"{proxies.BASE_PATH}/", "https://")), f"{address} led to {location}"


def test_a_neighbour_that_is_not_loaded_yet_shows_its_number(open_page, server):
    page = open_page(f"{server.address}/about", device="phone")
    # Turns off prefetching.
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page.goto(f"{server.address}/353/")
    expect(page.locator(".leaf.next")).to_have_text("#354")
    expect(page.locator(".leaf.previous")).to_have_text("#352")


def test_only_the_health_check_is_outside_the_base_path(server):
    own = server.own_address.removesuffix(proxies.BASE_PATH)
    assert ask(f"{own}/healthz")[0] == ask(f"{server.address}/healthz")[0] == 200
    for path in ("/", "/353/", "/longboxes/", "/assets/app.js"):
        status, _, text = ask(own + path)
        assert status == 404
        assert "This Longbox is at /longbox/" in text
    status, headers, _ = ask(server.address)
    assert status in (301, 307)
    assert urlsplit(headers["Location"]).path == "/longbox/"


def test_forms_redirect_and_set_cookies_below_the_base_path(server):
    status, headers, _ = post(server.address, "/favorites/set", {"comic": 7, "on": "yes", "back": "/7/"})
    assert (status, headers["Location"]) == (303, "/longbox/7/")
    assert "; Path=/longbox;" in headers["Set-Cookie"]
    status, headers, _ = post(server.address, "/favorites/set", {"comic": 7, "on": "yes"}, Origin="http://evil.example")
    assert status == 403


def test_feeds_and_embeddings_have_absolute_addresses(server):
    feed = json.loads(ask(f"{server.address}/feed.json")[2])
    assert feed["items"][0]["url"].startswith(f"{server.address}/")
    page = ask(f"{server.address}/353/")[2]
    assert f'content="{server.address}/353/"' in page
    embedding = json.loads(ask(f"{server.address}/oembed?url={quote(server.address + '/353/', safe='')}")[2])
    assert embedding["url"].startswith(f"{server.address}/comics/353/image")
    assert ask(embedding["url"])[0] == 200
    catalogue = ask(f"{server.address}/opds")[2]
    assert f'"{server.address}/opds/latest"' in catalogue
    comic = json.loads(ask(f"{server.address}/api/comics/353")[2])
    assert comic["page"] == "/longbox/353/"
    description = json.loads(ask(f"{server.address}/api/openapi.json")[2])
    assert description["servers"] == [{"url": "/longbox/"}]
    assert re.search(description["components"]["schemas"]["Comic"]["properties"]["page"]["pattern"], comic["page"])


def test_the_app_can_be_installed_below_the_base_path_and_works_offline(browser, server):
    with device.app(browser, server.address) as app:
        page = app.install().page
        assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{server.address}/"
        manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then(reply => reply.json())")
        assert (manifest["id"], manifest["scope"], manifest["start_url"]) == ("/longbox/", "/longbox/", "/longbox/open")
        assert page.evaluate("addresses => Promise.all(addresses.map(one => fetch(one).then(reply => reply.status)))", [
            icon["src"] for icon in manifest["icons"] + manifest["screenshots"]
        ]) == [200] * len(manifest["icons"] + manifest["screenshots"])  # fmt: skip
        assert {name.endswith(proxies.BASE_PATH) for name in page.evaluate("caches.keys()")} == {True}
        app.open("/12/")
        make_favorite(page)
        app.set_offline(True)
        app.open("/favorites")
        page.get_by_role("link", name="#12 ").click()
        expect(page).to_have_url(f"{server.address}/12/?in=favorites")
        page.get_by_role("link", name="Leave this list").click()
        expect(page).to_have_url(f"{server.address}/12/")
        page.get_by_role("link", name="Next comic").first.click()
        expect(page).to_have_url(f"{server.address}/13/")
        page.keyboard.press("s")
        expect(page).to_have_url(re.compile(f"^{re.escape(server.address)}/search"))
        page.get_by_role("searchbox", name="Search comics").fill("Python")
        found = page.get_by_role("link", name="#353 Python")
        expect(found).to_have_attribute("href", f"{proxies.BASE_PATH}/353/?in=search-Python")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Comics").click()
        expect(page).to_have_url(re.compile(f"^{re.escape(server.address)}/(13/)?$"))
        app.open("/settings")
        app.set_offline(False)


def test_links_rendered_on_the_device_are_below_the_base_path(browser, server):
    with device.app(browser, server.address) as app:
        app.install()
        for path in ("/353/", "/comics", "/settings"):
            on_device = app.open(path).evaluate("document.querySelector('main').outerHTML")
            addresses = [address for _, address in ADDRESS.findall(on_device) if address.startswith("/")]
            assert addresses
            assert all(address.startswith(f"{proxies.BASE_PATH}/") for address in addresses), addresses


def test_forged_forwarding_headers_have_no_effect(with_sign_in, kind):
    with with_sign_in(kind) as server:

        def guess(number):
            forged = {"X-Forwarded-For": f"198.51.100.{number}", "Forwarded": f"for=198.51.100.{number};proto=https"}
            return post(server.address, "/sign-in", {"passphrase": "wrong"}, **forged)[0]

        # All at once: the limit is per minute, and a slow machine could take longer than that one after another.
        with ThreadPoolExecutor(8) as guesses:
            assert sorted(guesses.map(guess, range(8))) == [401] * 5 + [429] * 3
        forged = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
        status, headers, _ = ask(f"{server.address}/353/", headers=forged | {"Accept": "text/html"})
        assert status == 303
        assert headers["Location"].startswith("/longbox/sign-in?to=%2F353%2F")


def test_nginx_with_nothing_but_proxy_pass_lets_no_stranger_in(new_library, upstream, passphrase_file):
    """By default nginx sends the address of the server as `Host`, from loopback, and says nothing of its client."""
    settings = {"LONGBOX_HOST": "0.0.0.0", "LONGBOX_TLS": "off", "LONGBOX_PASSPHRASE_FILE": passphrase_file}
    with programs.server(new_library(), upstream, **settings) as server:
        own = server.address.replace("0.0.0.0", "127.0.0.1")
        with proxies.BareNginx(own) as proxy:
            for path in ("/1/", "/settings/devices", "/settings/phone", "/settings/server", "/archive", "/feed.atom"):
                assert ask(proxy.address + path)[0] == 401, path
            # With what a page at the server's own address would send.
            for path in ("/settings/devices", "/settings/phone", "/sign-in/code", "/favorites/set"):
                status, headers, _ = post(proxy.address, path, {"do": "make-key"}, Origin=own)
                assert (status, headers.get("Location")) == (303, "/sign-in?to=%2F"), path
                assert "Set-Cookie" not in headers, path
            assert ask(proxy.address + "/healthz")[0] == 200


def test_no_stranger_behind_nginx_with_nothing_but_proxy_pass_chooses_the_passphrase(new_library, upstream):
    """Its requests look like those of a person at this machine, but for what a proxy doesn't pass on."""
    with programs.server(new_library(), upstream) as server, proxies.BareNginx(server.address) as proxy:
        words = {"passphrase": page_acts.PASSPHRASE, "again": page_acts.PASSPHRASE, "names": ""}
        for connection in ("keep-alive", "close", "x", "Keep-Alive, X"):
            status, headers, text = post(proxy.address, "/settings/phone", words, Origin=server.address, Connection=connection)
            assert status == 403 and "longbox setup" in text and "Set-Cookie" not in headers, connection
        assert ask(f"{server.address}/settings/devices")[0] == 200, "there is no sign-in yet"


@pytest.mark.parametrize("kind", ["bare", *proxies.KINDS])
def test_no_stranger_behind_a_listed_proxy_chooses_the_passphrase(kind, new_library, upstream):
    """Until there is a passphrase, the set-up is for a person at this machine, and so not for what a proxy passes on."""
    listed = proxies.PROXIED if kind != "bare" else {"LONGBOX_TRUSTED_PROXIES": "127.0.0.1"}
    with programs.server(new_library(), upstream, **listed) as server:
        proxy = proxies.BareNginx(server.address) if kind == "bare" else proxies.Proxy(kind, server.address)
        origin = server.address.removesuffix(proxies.BASE_PATH)
        with proxy:
            site = proxy.address + ("" if kind == "bare" else proxies.BASE_PATH)
            words = {"passphrase": page_acts.PASSPHRASE, "again": page_acts.PASSPHRASE, "names": ""}
            assert ask(f"{site}/settings/phone")[0] == 404
            assert post(site, "/settings/phone", words, Origin=origin)[0] == 404
            assert ask(f"{site}/settings/server")[0] == 404


def test_a_form_behind_nginx_with_nothing_but_proxy_pass_says_what_is_missing(new_library, upstream):
    with programs.server(new_library(), upstream) as server, proxies.BareNginx(server.address) as proxy:
        for _ in range(3):
            status, _, text = post(proxy.address, "/favorites/set", {"comic": 7, "on": "yes"})
            assert status == 403
            assert "must pass it on: see docs/proxies.md" in text
        assert server.logged().count("a proxy in front must pass on the Host header") == 1


def test_signing_in_returns_to_the_requested_page(open_page, with_sign_in, kind):
    with with_sign_in(kind) as server:
        page = open_page(f"{server.address}/12/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        page_acts.sign_in(page)
        page.wait_for_url(f"{server.address}/12/")
        (cookie,) = [cookie for cookie in page.context.cookies() if cookie["name"] == "longbox-session"]
        assert cookie["path"] == proxies.BASE_PATH


def test_only_a_trusted_proxy_signs_readers_in(with_sign_in, kind):
    more = {"nginx": "proxy_set_header Remote-User ada;", "caddy": "header_up Remote-User ada"}[kind]
    with with_sign_in(kind, {"LONGBOX_REMOTE_USER_HEADER": "Remote-User"}, more=more) as server:
        assert ask(f"{server.address}/353/", headers={"Accept": "text/html"})[0] == 200
        own = server.own_address.replace("0.0.0.0", "127.0.0.1")
        forged = {"Accept": "text/html", "Remote-User": "ada", "Longbox-User": "ada", "Host": "192.0.2.1"}
        for _ in range(3):
            assert ask(f"{own}/353/", headers=forged, source="127.0.0.3")[0] == 303
        assert server.logged().count("LONGBOX_REMOTE_USER_HEADER") == 1


@pytest.mark.parametrize("header", ["X-Forwarded-Prefix", "X-Ingress-Path"])
def test_a_trusted_proxy_may_remove_the_base_path_if_it_names_it(new_library, upstream, header):
    with (
        programs.server(new_library(), upstream, **proxies.PROXIED) as server,
        proxies.StrippingNginx(server.address, header) as proxy,
    ):
        site = proxy.address + proxies.BASE_PATH
        status, _, page = ask(f"{site}/12/")
        assert status == 200 and 'data-base="/longbox"' in page
        for address in {address for _, address in ADDRESS.findall(page) if "/assets/" in address and address.startswith("/")}:
            assert ask(proxy.address + address)[0] == 200, address
        status, headers, _ = ask(f"{site}/12")
        assert (status, headers["Location"]) == (301, "/longbox/12/")
        assert "X-Forwarded-Prefix" not in server.logged()


@pytest.mark.parametrize("header", ["X-Forwarded-Prefix", "X-Ingress-Path"])
def test_a_path_that_a_trusted_proxy_removes_and_names_needs_no_setting(browser, new_library, upstream, header):
    with (
        programs.server(new_library(), upstream, LONGBOX_TRUSTED_PROXIES="127.0.0.1") as server,
        proxies.StrippingNginx(server.address, header, "/apps/box") as proxy,
    ):
        site = f"{proxy.address}/apps/box"
        # What was answered without the path must not be answered with it, and the reverse.
        for _ in range(2):
            assert 'href="/13/"' in ask(f"{server.address}/12/")[2]
            assert 'href="/apps/box/13/"' in ask(f"{site}/12/")[2]
        status, headers, _ = ask(f"{site}/12")
        assert (status, headers["Location"]) == (301, "/apps/box/12/")
        assert f'"{site}/opds/latest"' in ask(f"{site}/opds")[2]
        with device.app(browser, site) as app:
            page = app.install().page
            assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{site}/"
            app.open("/12/")
            make_favorite(page)
            app.set_offline(True)
            app.open("/favorites")
            page.get_by_role("link", name="#12 ").click()
            expect(page).to_have_url(f"{site}/12/?in=favorites")
            app.set_offline(False)
        assert "X-Forwarded-Prefix" not in server.logged()


def test_a_page_beside_a_path_that_the_proxy_names_may_show_it_in_a_frame(browser, new_library, upstream):
    """As Home Assistant's ingress does. The second time, the worker makes the page."""
    path = "/api/hassio_ingress/abc"
    with (
        programs.server(new_library(), upstream, LONGBOX_TRUSTED_PROXIES="127.0.0.1") as server,
        proxies.StrippingNginx(server.address, "X-Ingress-Path", path) as proxy,
        contextlib.closing(browser.new_context()) as context,
    ):
        panel = f"{proxy.address}/panel"
        frame = f'<!doctype html><title>Panel</title><iframe title="Longbox" src="{path}/12/"></iframe>'
        context.route(panel, lambda route: route.fulfill(content_type="text/html", body=frame))
        page = context.new_page()
        for _ in range(2):
            page.goto(panel)
            expect(page.frame_locator("iframe").get_by_role("img", name="Comic 12: ")).to_be_visible()
            page.frames[1].evaluate(device.TAKEN_OVER)


@pytest.mark.parametrize("is_bare", [False, True])
def test_a_page_below_a_path_without_a_name_says_so_and_the_log_names_it(browser, new_library, upstream, is_bare):
    with (
        programs.server(new_library(), upstream) as server,
        proxies.StrippingNginx(server.address, is_bare=is_bare) as proxy,
        contextlib.closing(browser.new_context(service_workers="block")) as context,
    ):
        page = context.new_page()
        page.goto(f"{proxy.address}{proxies.BASE_PATH}/12/")
        message = page.get_by_text("This page has come without its style sheet.")
        expect(message).to_be_visible()
        waiting.until(lambda: "doesn't name it" in server.logged(), "the log names the path")
        assert proxies.BASE_PATH in server.logged()
        page.reload()
        expect(message).to_be_visible()
        assert server.logged().count("doesn't name it") == 1
        # The style sheet hides it.
        page.set_extra_http_headers({"X-Forwarded-For": "192.0.2.1"})
        page.goto(f"{server.address}/13/")
        expect(message).to_have_count(1)
        expect(message).to_be_hidden()


def test_the_log_names_a_path_that_a_proxy_removes_and_that_is_not_the_base_path(new_library, upstream):
    settings = {"LONGBOX_TRUSTED_PROXIES": "127.0.0.1", "LONGBOX_BASE_PATH": "/other"}
    with (
        programs.server(new_library(), upstream, **settings) as server,
        proxies.StrippingNginx(server.address, "X-Forwarded-Prefix") as proxy,
    ):
        for _ in range(3):
            assert ask(f"{proxy.address}{proxies.BASE_PATH}/12/")[0] == 404
        assert server.logged().count("that isn't LONGBOX_BASE_PATH") == 1
        assert "/longbox" in server.logged()


def test_the_manifest_passes_a_proxy_that_signs_readers_in(browser, new_library, upstream):
    """Such a proxy answers a request without its cookie with its own page, and then nothing can be installed."""
    gate = 'if ($cookie_gate = "") { return 302 /gate; }'
    with (
        proxies.behind("nginx", programs.server, more=gate)(new_library(), upstream) as server,
        contextlib.closing(browser.new_context(service_workers="block")) as context,
    ):
        assert ask(f"{server.address}/manifest.webmanifest")[0] == 302
        context.add_cookies([{"name": "gate", "value": "open", "url": server.address}])
        page = context.new_page()
        page.goto(f"{server.address}/12/")
        manifest = context.new_cdp_session(page).send("Page.getAppManifest")
        assert (manifest["url"], manifest["errors"]) == (f"{server.address}/manifest.webmanifest", [])
        assert json.loads(manifest["data"])["name"] == "Longbox"


def test_cookies_and_links_are_secure_behind_a_proxy_with_https(new_library, upstream, tmp_path, kind):
    certificate = (tmp_path / "certificate.pem", tmp_path / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-out", certificate[0], "-keyout", certificate[1]], check=True, capture_output=True)
    context = ssl.create_default_context(cafile=certificate[0])
    with proxies.behind(kind, programs.server, certificate=certificate)(new_library(), upstream) as server:
        assert server.address.startswith("https://")
        assert f'content="{server.address}/353/"' in ask(f"{server.address}/353/", context=context)[2]
        headers = {"Origin": server.proxy.address, "Content-Type": "application/x-www-form-urlencoded"}
        status, fields, _ = ask(f"{server.address}/favorites/set", "POST", "comic=7&on=yes", headers, context=context)
        assert status == 303
        assert fields["Set-Cookie"].endswith("; Secure")


def test_the_public_address_is_used_in_feeds_and_accepted_as_a_host(new_library, upstream):
    settings = {"LONGBOX_PUBLIC_URL": "https://comics.example.org/longbox"}
    with programs.server(new_library(), upstream, **settings) as server:
        feed = json.loads(ask(f"{server.address}/feed.json")[2])
        assert feed["items"][0]["url"] == f"https://comics.example.org/longbox/{recording.LATEST}/"
        assert ask(f"{server.address}/353/", headers={"Host": "comics.example.org"})[0] == 200
        assert ask(f"{server.address}/353/", headers={"Host": "other.example.org"})[0] == 421
