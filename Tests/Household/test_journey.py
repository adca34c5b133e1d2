# Longbox
# SPDX-License-Identifier: MIT
"""How a phone gets access to a household's Longbox, and what a stranger in its network can do.

The tests depend on their order.
"""

import json
import re
import socket
import subprocess
import sys
import threading
import time

import pytest
from playwright.sync_api import Error, expect

import device
import household
import network
from waiting import until

# What a stranger may read; see docs/access.md.
OPEN = {"/sign-in", "/start", "/ca.crt", "/healthz", "/ready", "/favicon.ico", "/manifest.webmanifest"}
# The pages, which one controller handles, and what else the installed app asks for.
PAGES = [
    "/", "/1/", "/1", "/1/explanation", "/404/", "/random", "/unread", "/on-this-day", "/go?number=1", "/comics",
    "/comics?view=map", "/continue", "/open", "/history", "/favorites", "/favorites/clear", "/read/clear", "/search?q=a",
    "/settings", "/about", "/topics", "/topics/math",
    "/share?text=1", "/albums", "/albums/1", "/albums/artists/1", "/albums/1/quiz", "/albums/saved", "/nowhere",
    "/assets/", "/assets/../settings", "/assets/%2e%2e/settings", "//sign-in/../1/", "/sign-in/", "/start/../1/",
    "/healthz/../1/", "/%31/", "/sw.js", "/settings/phone", "/.well-known/security.txt",
]  # fmt: skip
FORMS = [
    "/favorites/set", "/settings/set", "/read/set", "/settings", "/favorites/clear", "/read/clear", "/history/clear", "/nowhere",
]  # fmt: skip
WRONG = 10_000


def routes():
    """Every method and address of the server, with something for each parameter."""
    found = network.addresses_of_controllers()
    assert len(found) > 50, "the endpoints aren't found in the sources any more"
    examples = {"number": "1", "token": "x" * 22, "from": "1", "start": "2026-01-01", "name": "app.js"}
    filled = {
        (method, re.sub(r"\{(\w+)\}|\\\(\w+\)", lambda match: examples.get(match.group(1), "1"), path).replace("/**", "/x"))
        for method, path in found
    }
    return sorted(filled | {("GET", path) for path in PAGES} | {("POST", path) for path in FORMS})


def is_open(path):
    path = path.partition("?")[0]
    return path in OPEN or re.fullmatch(r"/assets/[^/]*", path) is not None


@pytest.fixture(scope="module", autouse=True)
def cookies_in_clear(home):
    """At the end, looks through all that crossed the network for cookies and passphrases."""
    with network.Capture(home.net.server) as capture:
        yield capture
    seen = bytes(capture.bytes).lower()
    assert b"get /start" in seen, "the capture has nothing"
    for secret in (b"set-cookie", b"cookie:", b"longbox-session", household.PASSPHRASE.replace(" ", "+").encode()):
        assert secret not in seen, secret


def test_setup_prints_the_addresses_and_the_fingerprint_for_a_phone(home):
    assert f"http://{home.net.server.address}:8353/start" in home.output
    assert f"http://{household.NAME}:8353/start" in home.output
    assert re.search(r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}", home.output)


def test_openssl_and_a_linter_accept_the_certificates(home, tmp_path):
    leaf = tmp_path / "leaf.pem"
    leaf.write_text(home.leaf(), encoding="utf-8")
    for names in (["-verify_hostname", household.NAME], ["-verify_ip", home.net.server.address]):
        code, output = home.openssl("verify", "-x509_strict", "-purpose", "sslserver", *names, "-CAfile", home.authority, leaf)
        assert code == 0, output
    code, output = home.openssl("verify", "-x509_strict", "-CAfile", home.authority, home.authority)
    assert code == 0, output
    for certificate in (leaf, home.authority):
        linter = [sys.executable, "-m", "pkilint.bin.lint_pkix_cert", "lint", "-f", "JSON", "-s", "WARNING", certificate]
        done = subprocess.run(linter, capture_output=True, text=True, check=False, timeout=60)
        findings = [finding for result in json.loads(done.stdout)["results"] for finding in result["finding_descriptions"]]
        # The linter knows names with a dot only; in a home network, “nas” is one, too (RFC 5280, section 4.2.1.6).
        short = re.compile(r'Invalid domain name syntax: "[a-z0-9-]+"')
        assert [finding for finding in findings if not short.fullmatch(finding["message"])] == []


def test_openssl_rejects_a_wrong_name(home, tmp_path):
    leaf = tmp_path / "leaf.pem"
    leaf.write_text(home.leaf(), encoding="utf-8")
    code, output = home.openssl("verify", "-verify_hostname", "other.lan", "-CAfile", home.authority, leaf)
    assert code != 0 and "hostname mismatch" in output, output
    forged(home, tmp_path)
    code, output = home.openssl("verify", "-CAfile", home.authority, tmp_path / "forged.pem")
    assert code != 0 and "permitted subtree violation" in output, output


def forged(home, folder, name="bank.example"):
    """Signs a certificate for a name beyond the authority's limits, as somebody with its key could."""
    key, request, certificate = (folder / f"forged.{end}" for end in ("key", "csr", "pem"))
    extensions = folder / "extensions"
    lines = [f"subjectAltName=DNS:{name}", "extendedKeyUsage=serverAuth", "basicConstraints=CA:FALSE"]
    extensions.write_text("\n".join(lines), encoding="utf-8")
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/O=Longbox"]
    signing = ["-CA", home.authority, "-CAkey", home.data / "tls" / "authority.key.pem", "-CAcreateserial", "-days", "30"]
    for words in (
        ["req", *curve, "-keyout", key, "-out", request],
        ["x509", "-req", "-in", request, *signing, "-extfile", extensions, "-out", certificate],
    ):
        code, output = home.openssl(*words, cwd=folder)
        assert code == 0, output
    return key, certificate


def test_a_phone_that_does_not_trust_the_authority_sees_only_the_start_page(home):
    home.certutil("-N", "--empty-password")
    with home.phone() as page:
        page.goto(f"http://{home.net.server.address}:{home.port}/start")
        expect(page.get_by_role("heading", level=1)).to_have_text("Use Longbox on this device")
        expect(page.get_by_role("status")).to_contain_text("Not trusted yet.")
        with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
            page.goto(f"{home.address}/")


def test_a_phone_that_trusts_the_authority_can_sign_in_and_install(home, tmp_path):
    home.certutil("-A", "-t", "C,,", "-n", "Longbox", "-i", home.authority)
    with home.phone() as page:
        # As the QR code says; the page finds out that the name works, which stays when the address changes.
        page.goto(f"http://{home.net.server.address}:{home.port}/start")
        page.wait_for_url(f"{home.address}/start")
        page.get_by_role("link", name="Sign in").click()
        page.get_by_label("Passphrase").fill(household.PASSPHRASE)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{home.address}/")
        cookie = page.context.cookies()[0]
        assert cookie["name"] == "__Host-longbox-session" and cookie["secure"] and cookie["httpOnly"]
        page.evaluate(device.TAKEN_OVER)
        found = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert found == [], found
        page.goto(f"{home.address}/2/")
        page.goto(f"{home.address}/1/")
        # What a later test reads without the server. The texts are there since the worker took over.
        page.wait_for_function("() => caches.match('/comics/1/image')")
        with pytest.raises(Error, match="ERR_CERT_COMMON_NAME_INVALID"):
            page.goto(f"https://other.lan:{home.port}/")
        key, certificate = forged(home, tmp_path)
        words = ["openssl", "s_server", "-accept", 8444, "-key", key, "-cert", certificate, "-www", "-quiet"]
        impostor = subprocess.Popen(home.net.server.command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: listens(home, 8444), "the impostor listens")
            with pytest.raises(Error, match="ERR_CERT_"):
                page.goto("https://bank.example:8444/")
        finally:
            impostor.kill()
            impostor.wait()


def listens(home, port):
    """Whether something on the server's host accepts connections of the phone."""
    try:
        with home.net.phone.inside():
            socket.create_connection((home.net.server.address, port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


def test_a_stranger_sees_only_the_public_pages(home):
    plain, secure = [], []
    for method, path in routes():
        body = "" if method == "POST" else None
        fields = {"Origin": home.address} if method != "GET" else {}
        status, headers, _ = home.ask(home.net.stranger, method, path, fields, body)
        if not (is_open(path) or status == 401):
            secure.append((method, path, status))
        if headers["Set-Cookie"]:
            secure.append((method, path, "a cookie"))
        navigation = fields | {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}
        status, headers, _ = home.ask(home.net.stranger, method, path, navigation, body)
        leads = status == 303 and (headers["Location"] or "").startswith("/sign-in?to=")
        if not (is_open(path) or leads or status == 401):
            secure.append((method, path, "navigation", status))
        status, headers, _ = home.ask(home.net.stranger, method, path, fields, body, is_secure=False)
        location = f"https://{household.NAME}:{home.port}"
        if path in ("/start", "/ca.crt") and method == "GET":
            fine = status == 200
        else:
            fine = status == 403 if method != "GET" else status == 307 and headers["Location"].startswith(location)
        if not fine or headers["Set-Cookie"]:
            plain.append((method, path, status, headers["Location"]))
    assert (secure, plain) == ([], [])


def test_the_app_works_while_the_server_is_unreachable(home):
    with home.net.server.unplugged(), home.phone() as page:
        page.goto(f"{home.address}/1/")
        expect(page.get_by_role("img", name=re.compile("^Comic 1: "))).to_be_visible()


def test_guessing_passphrases_does_not_disturb_readers(home):
    """While a stranger guesses, signed-in readers read on, and the right passphrase still signs in."""
    status, cookie = home.sign_in(home.net.phone)
    assert status == 303
    is_over, answers, problems = threading.Event(), [], []

    def guess(share):
        body = "passphrase=wrong+words+indeed&to=/"
        fields = {"Origin": home.address, "Content-Type": "application/x-www-form-urlencoded"}
        statuses = []
        try:
            while len(statuses) < share:
                with home.connection(home.net.stranger, True) as connection:
                    # A connection serves many requests.
                    for _ in range(min(500, share - len(statuses))):
                        connection.request("POST", "/sign-in", body, fields)
                        response = connection.getresponse()
                        response.read()
                        statuses.append(response.status)
        except Exception as error:
            problems.append(error)
        answers.extend(statuses)

    def read():
        try:
            while not is_over.is_set():
                with home.connection(home.net.phone, True) as connection:
                    for number in (1, 2, 3) * 10:
                        start = time.monotonic()
                        connection.request("GET", f"/{number}/", headers={"Cookie": cookie})
                        response = connection.getresponse()
                        response.read()
                        times.append(time.monotonic() - start)
                        assert response.status == 200, response.status
                        if is_over.wait(0.02):
                            return
        except Exception as error:
            problems.append(error)

    times = []
    threads = [threading.Thread(target=guess, args=(WRONG // 4,)) for _ in range(4)]
    reader = threading.Thread(target=read)
    for thread in [*threads, reader]:
        thread.start()
    signed_in = [home.sign_in(home.net.phone)[0] for _ in range(10)]
    for thread in threads:
        thread.join()
    is_over.set()
    reader.join()
    assert problems == []
    assert signed_in == [303] * 10
    assert len(answers) == WRONG and set(answers) <= {401, 429}
    assert answers.count(401) <= 20, "hardly any guess may be checked"
    # How long a page takes depends on the machine, so only a reader who is locked out fails this.
    assert len(times) > 1 and max(times) < 60
    print(f"\n{answers.count(401)} of {WRONG} guesses were checked; {len(times)} pages, the slowest in {max(times):.2f} s")


def test_the_app_keeps_working_after_the_address_and_certificate_change(home):
    before = home.leaf()
    home.net.server.move(52)
    # The server looks at its addresses every half minute.
    words = [
        "s_client", "-connect", f"{home.net.server.address}:{home.port}", "-CAfile", home.authority,
        "-verify_return_error", "-verify_ip", home.net.server.address, "-brief",
    ]  # fmt: skip
    until(lambda: home.openssl(*words)[0] == 0, "the certificate has the new address", timeout=90, pause=0.5)
    assert home.leaf() != before
    with home.phone() as page:
        page.goto(f"{home.address}/settings")
        page.goto(f"{home.address}/3/")
        expect(page.get_by_role("img", name=re.compile("^Comic 3: "))).to_be_visible()
        # It is still signed in: the server itself answers.
        assert page.evaluate("fetch('/device.json', { cache: 'no-store' }).then(response => response.status)") == 200
        expect(page.get_by_role("link", name="Sign in again")).to_have_count(0)
    with home.phone() as page:
        page.goto(f"http://{home.net.server.address}:{home.port}/start")
        page.wait_for_url(f"{home.address}/start")
