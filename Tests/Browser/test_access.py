# Longbox
# SPDX-License-Identifier: MIT
"""Signing in, the devices of a household, and a device that was signed out."""

import os
import re
import shutil
import ssl
import subprocess
from contextlib import closing
from types import SimpleNamespace

import pytest
from playwright.sync_api import Error, expect

import device
import page_states
import programs
from http_requests import ask
from page_acts import PASSPHRASE
from waiting import until
from watch import CHROMIUM

WRONG = "four words somebody guesses"


@pytest.fixture(scope="module")
def household(new_library, upstream):
    """A server that asks strangers to sign in: its address for them, its address for this machine, and its data folder."""
    data = new_library()
    with page_states.household(data, upstream) as (address, home):
        yield SimpleNamespace(address=address, home=home, data=data)


def sign_in(page, passphrase=PASSPHRASE):
    page.get_by_label("Passphrase").fill(passphrase)
    page.get_by_role("button", name="Sign in").click()


def signed_in(open_page, household, path="/1/", **options):
    page = open_page(household.address + path, **options)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    sign_in(page)
    page.wait_for_url(household.address + path)
    return page


@pytest.mark.parametrize("scripts", [True, False])
def test_a_device_signs_in_once_and_gets_the_page_it_asked_for(open_page, household, scripts):
    page = open_page(household.address + "/2/", java_script_enabled=scripts)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    sign_in(page)
    page.wait_for_url(household.address + "/2/")
    page.goto(household.address + "/settings")
    page.get_by_role("link", name="Devices and access keys").click()
    expect(page.get_by_text("This device", exact=True)).to_be_visible()
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == "longbox-session")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax" and cookie["expires"] > 0


def test_a_wrong_passphrase_is_reported(open_page, household):
    page = open_page(household.address + "/1/")
    sign_in(page, WRONG)
    expect(page.get_by_role("alert")).to_contain_text("That is not the passphrase")
    sign_in(page)
    page.wait_for_url(household.address + "/1/")


def test_being_on_this_machine_grants_nothing(household):
    """A proxy with nothing but proxy_pass, or a tunnel, sends strangers' requests just like these."""
    for host in (None, "localhost", "127.0.0.1:8353", "[::1]:8353"):
        for path in ("/1/", "/settings/devices", "/settings/phone", "/settings/server", "/metrics", "/sync"):
            fields = {"Host": host} if host else {}
            assert programs.get(household.home + path, fields)[0] == 401, (host, path)
    origin = {"Origin": household.home, "Content-Type": "application/x-www-form-urlencoded"}
    for path in ("/settings/devices", "/settings/phone", "/sign-in/code"):
        assert ask(household.home + path, "POST", "make=code", origin)[0] == 401, path


def test_the_key_in_the_data_folder_lets_a_command_in(household):
    file = household.data / "server.key"
    assert file.stat().st_mode & 0o777 == 0o600
    key = file.read_text(encoding="utf-8").strip()
    assert programs.get(household.home + "/1/", {"Longbox-Machine-Key": key})[0] == 200
    assert programs.get(household.home + "/1/", {"Longbox-Machine-Key": key[::-1]})[0] == 401


def test_a_link_from_the_command_line_signs_a_browser_in_once(open_page, household, proxy):
    if proxy:
        pytest.skip("the link leads to the server, past the proxy")
    link = programs.longbox("open", "2", data=household.data).stdout.strip()
    page = open_page(link)
    page.wait_for_url("**/2/")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Sign in")
    again = open_page(link, device="phone")
    expect(again.get_by_role("alert")).to_contain_text("That is not the passphrase")
    expect(again.get_by_text("longbox open")).to_be_visible()


def test_other_devices_need_a_session(household):
    for path in ["/1/", "/comics/1/image", "/archive", "/device.json", "/sync", "/settings/export", "/sw.js"]:
        assert programs.get(household.address + path)[0] == 401, path
    status, headers, _ = programs.get(household.address + "/feed.atom")
    assert status == 401 and headers["WWW-Authenticate"].startswith("Basic")
    assert "WWW-Authenticate" not in programs.get(household.address + "/feed.atom", {"Sec-Fetch-Mode": "cors"})[1]
    assert programs.get(household.address + "/healthz")[0] == 200


def test_a_device_can_sign_out_all_others(open_page, household):
    desktop = signed_in(open_page, household)
    phone = signed_in(open_page, household, device="phone")
    # Its page loads neighbouring comics' pictures, which would be refused.
    phone.goto("about:blank")
    desktop.goto(household.address + "/settings/devices")
    desktop.get_by_role("button", name="Sign out all others").click()
    expect(desktop.get_by_role("button", name=re.compile("Sign out"))).to_have_count(1)
    phone.goto(household.address + "/1/")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_a_code_signs_in_another_device_once(open_page, household):
    desktop = signed_in(open_page, household)
    desktop.goto(household.address + "/settings/devices")
    desktop.get_by_role("button", name="Connect").click()
    code = desktop.get_by_role("status").filter(has_text="Type this code").get_by_role("strong").inner_text()
    typing = open_page(household.address + "/2/", device="phone")
    sign_in(typing, code)
    typing.wait_for_url(household.address + "/2/")
    again = open_page(f"{household.address}/sign-in#code={code}", device="phone")
    expect(again.get_by_role("alert")).to_contain_text("That is not the passphrase")


def test_an_access_key_opens_feeds_and_is_shown_once(open_page, household):
    page = signed_in(open_page, household)
    page.goto(household.address + "/settings/devices")
    page.get_by_label("Name of the program").fill("E-reader")
    page.get_by_role("button", name="Make a key").click()
    key = page.locator("#new-key").inner_text()
    bearer = {"Authorization": f"Bearer {key}"}
    assert programs.get(household.address + "/feed.atom", bearer)[0] == 200
    assert programs.get(household.address + "/settings/devices", bearer)[0] == 401
    page.goto(household.address + "/settings/devices")
    expect(page.get_by_role("main")).not_to_contain_text(key)
    page.get_by_role("button", name="Revoke E-reader").click()
    expect(page.get_by_text("There are no access keys.")).to_be_visible()
    assert programs.get(household.address + "/feed.atom", bearer)[0] == 401


def test_a_signed_out_app_still_works_and_asks_to_sign_in_again(browser, household):
    with device.app(browser, household.address) as app:
        app.page.goto(household.address + "/1/")
        sign_in(app.page)
        app.page.wait_for_url(household.address + "/1/")
        app.install("/1/")
        result = programs.longbox("devices", data=household.data)
        assert result.returncode == 0, result.stderr
        name = "Chrome on Linux"
        assert name in result.stdout, result.stdout
        signed_out = programs.longbox("devices", "--sign-out", name, data=household.data)
        assert signed_out.returncode == 0, signed_out.stderr
        # The server notices within a few seconds.
        strip = app.page.get_by_role("link", name="Sign in again")

        def asks_to_sign_in():
            app.in_worker("longbox.archive.refresh().catch(() => {})")
            return strip.count()

        until(asks_to_sign_in, "the page asks to sign in again", page=app.page)
        expect(strip).to_be_visible()
        page = app.open("/1/")
        # The picture itself may be missing, since the server refuses it.
        expect(page.get_by_alt_text(re.compile("^Comic 1: "))).to_be_attached()
        expect(strip).to_be_visible()
        # Neither the answer nor the redirect was kept as a page.
        app.open("/2/")
        strip.click()
        sign_in(page)
        page.wait_for_url(household.address + "/2/")
        expect(strip).to_have_count(0)
        app.watch.complaints = [line for line in app.watch.complaints if "401" not in line]


def test_the_server_does_not_listen_on_the_network_without_a_passphrase(recorded, upstream, tmp_path):
    settings = {"LONGBOX_DATA": tmp_path, "LONGBOX_HOST": "0.0.0.0", "LONGBOX_PORT": "0", "LONGBOX_XKCD_URL": upstream}
    with pytest.raises(RuntimeError, match="longbox setup") as refused, programs.server(tmp_path, upstream, **settings):
        pass
    assert " error longbox." not in str(refused.value), "what it has begun ends without errors"
    with programs.server(tmp_path, upstream, **settings, LONGBOX_OPEN="true", LONGBOX_TLS="off") as server:
        about = server.address.replace("0.0.0.0", "127.0.0.2") + "/about"
        status, _, page = programs.get(about)
        assert status == 200 and b"everybody in this network" in page
        assert "Longbox is open" in server.logged()


def test_setup_prepares_everything_that_a_phone_needs(upstream, tmp_path):
    file = tmp_path / "passphrase.txt"
    file.write_text(PASSPHRASE, encoding="utf-8")
    data = tmp_path / "data"
    done = programs.longbox("setup", "--yes", "--passphrase-file", file, "--host-name", "books.lan", data=data)
    assert done.returncode == 0, done.stderr
    assert "http://books.lan:8353/start" in done.stdout
    assert re.search(r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}", done.stdout)
    assert (data / "longbox.yaml").stat().st_mode & 0o777 == 0o600
    settings = {"LONGBOX_DATA": data, "LONGBOX_PORT": 0, "LONGBOX_XKCD_URL": upstream, "LONGBOX_FILL": "false"}
    trusting = ssl.create_default_context(cafile=data / "tls" / "authority.pem")
    with programs.Program("longbox", "serve", settings=settings) as server:
        port = int(server.address.rsplit(":", 1)[1])
        home = f"localhost:{port}"
        assert programs.get(f"https://{home}/healthz", context=trusting)[0] == 200
        assert programs.get(f"http://{home}/about")[0] == 401, "being on this machine grants nothing"
        status, _, page = ask(f"http://127.0.0.2:{port}/start")
        assert status == 200 and "Download the certificate" in page and f"https://books.lan:{port}" in page
        assert page.count('<svg class="screen"') == 7, "each step on a screen has a drawing"
        status, headers, authority = programs.get(f"http://127.0.0.2:{port}/ca.crt")
        assert status == 200 and headers["Content-Type"] == "application/x-x509-ca-cert"
        assert ssl.DER_cert_to_PEM_cert(authority).split() == (data / "tls" / "authority.pem").read_text("utf-8").split()
        status, headers, _ = ask(f"http://127.0.0.2:{port}/1/?a=b")
        assert status == 307 and headers["Location"] == f"https://127.0.0.2:{port}/1/?a=b"
        assert "Set-Cookie" not in headers


def test_a_browser_that_trusts_the_authority_can_install_the_app(browser, upstream, tmp_path):
    """All steps of a new device: start page, trust, sign-in, installation."""
    if shutil.which("certutil") is None:
        pytest.skip("certutil is missing (Debian: libnss3-tools)")
    (tmp_path / "passphrase.txt").write_text(PASSPHRASE, encoding="utf-8")
    data, home = tmp_path / "data", tmp_path / "home"
    words = ["--yes", "--passphrase-file", tmp_path / "passphrase.txt", "--host-name", "books.lan"]
    assert programs.longbox("setup", *words, data=data).returncode == 0
    database = home / ".pki" / "nssdb"
    database.mkdir(parents=True)
    subprocess.run(["certutil", "-d", f"sql:{database}", "-N", "--empty-password"], check=True)

    def chromium():
        names = "--host-resolver-rules=MAP books.lan 127.0.0.2, MAP other.lan 127.0.0.2"
        launch = CHROMIUM | {"args": [*CHROMIUM["args"], names], "env": os.environ | {"HOME": str(home)}}
        return closing(browser.browser_type.launch(**launch))

    settings = {"LONGBOX_DATA": data, "LONGBOX_PORT": 0, "LONGBOX_XKCD_URL": upstream}
    with programs.Program("longbox", "serve", settings=settings) as server:
        port = server.address.rsplit(":", 1)[1]
        with chromium() as stranger:
            page = stranger.new_page()
            page.goto(f"http://books.lan:{port}/start")
            expect(page.get_by_role("status")).to_contain_text("Not trusted yet.")
            with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
                page.goto(f"https://books.lan:{port}/")
        authority = ["-A", "-t", "C,,", "-n", "Longbox", "-i", data / "tls" / "authority.pem"]
        subprocess.run(["certutil", "-d", f"sql:{database}", *authority], check=True)
        with chromium() as phone:
            page = phone.new_page()
            page.goto(f"http://books.lan:{port}/start")
            page.wait_for_url(f"https://books.lan:{port}/start")
            page.get_by_role("link", name="Sign in").click()
            sign_in(page)
            page.wait_for_url(f"https://books.lan:{port}/")
            cookie = page.context.cookies()[0]
            assert cookie["name"] == "__Host-longbox-session" and cookie["secure"]
            page.evaluate("navigator.serviceWorker.ready.then(() => {})")
            found = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
            assert [error["errorId"] for error in found] in ([], ["in-incognito"])
            with pytest.raises(Error, match="ERR_CERT_COMMON_NAME_INVALID"):
                page.goto(f"https://other.lan:{port}/")


def test_a_browser_that_does_not_trust_the_certificate_gets_no_offline_promises(browser, upstream, tmp_path):
    """Its reader has clicked the warning away, so it shows pages, but refuses the service worker."""
    settings = {"LONGBOX_HOST": "0.0.0.0", "LONGBOX_OPEN": "true"}
    with (
        programs.server(tmp_path, upstream, **settings) as server,
        closing(browser.new_context(ignore_https_errors=True)) as context,
    ):
        site = f"https://127.0.0.1:{server.address.rsplit(':', 1)[1]}"
        page = context.new_page()
        page.goto(f"{site}/about")
        toast = page.locator(".toast")
        expect(toast).to_contain_text("Nothing is kept for offline use: this browser doesn’t trust the certificate.")
        toast.get_by_role("link", name="What to do").click()
        expect(page.get_by_text("This browser doesn’t trust the certificate of this server.")).to_be_visible()
        expect(page.get_by_role("link", name="Trust the certificate")).to_have_attribute("href", "/start")
        expect(page.get_by_text("Keep comics on this device")).to_be_hidden()
        expect(page.get_by_role("button", name="Clear cache")).to_be_hidden()
        expect(page.get_by_role("switch", name="Notify me of new comics")).to_be_disabled()
        expect(page.get_by_text("Notifications need a certificate that this browser trusts.")).to_be_visible()
        # Once a session is enough.
        page.goto(f"{site}/1/")
        page.wait_for_function("() => navigator.serviceWorker.getRegistration().then((known) => !known)")
        expect(page.get_by_text("What to do")).to_have_count(0)
