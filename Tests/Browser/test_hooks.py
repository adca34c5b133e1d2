# Longbox
# SPDX-License-Identifier: MIT
"""Hooks for new comics: a program and ntfy on this machine, by a stand-in that answers as they do."""

import hashlib
import hmac
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import expect

import programs
from sources import FIRST, publish, publisher, when_known
from waiting import until

SECRET = "a secret of the household"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, dict(self.headers), body))
        answer = b'{"id":"abc","event":"message"}'
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@contextmanager
def receiver():
    """A web server on a free port; `received` has each request, `status` is what it answers."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.received, server.status = [], 200
        threading.Thread(target=server.serve_forever).start()
        try:
            yield server
        finally:
            server.shutdown()


def settings_for(server):
    port = server.server_port
    return {
        "LONGBOX_HOOKS": f"http://127.0.0.1:{port}/in/riddle-path, ntfy://127.0.0.1:{port}/riddle-topic",
        "LONGBOX_HOOKS_SECRET": SECRET,
    }


def is_shown(server, text):
    """Whether the server's page says something about both hooks."""
    return programs.get(server.address + "/settings/server")[2].decode().count(text) == 2


def test_a_new_comic_is_announced_once_and_shown_to_the_operator(recorded, tmp_path, open_page):
    with receiver() as there, publisher(recorded) as replay:
        settings = settings_for(there) | {"LONGBOX_POLL": 0.2, "LONGBOX_XKCD_RATE": 200, "LONGBOX_FILL": "false"}
        server = programs.server(tmp_path, replay.address, **settings)
        with server:
            when_known(server.address, FIRST)
            until(lambda: is_shown(server, f"Comics after {FIRST} are announced."), "both hooks are known")
            publish(replay)
            until(lambda: len(there.received) == 2, "two messages have come")
            (plain,) = [message for message in there.received if message[0] == "/in/riddle-path"]
            (ntfy,) = [message for message in there.received if message[0] == "/"]
            assert plain[1]["X-Longbox-Signature"] == hmac.new(SECRET.encode(), plain[2], hashlib.sha256).hexdigest()
            sent = json.loads(plain[2])
            assert sent["event"] == plain[1]["X-Longbox-Event"] == "comic" and "site" not in sent
            comic = json.loads(programs.get(f"{server.address}/api/comics/{FIRST + 1}")[2])
            assert sent["comic"].keys() == comic.keys()
            assert all(sent["comic"][name] == comic[name] for name in ("number", "title", "alt", "page", "source"))
            assert json.loads(ntfy[2])["topic"] == "riddle-topic"
            until(lambda: is_shown(server, f"Comic {FIRST + 1} was delivered"), "both deliveries are noted")
            page = open_page(server.address + "/settings/server")
            assert "riddle" not in page.content()
            button = page.get_by_role("button", name=f"Send a test to 2. ntfy at 127.0.0.1:{there.server_port}")
            button.click()
            expect(page.get_by_text("Test of hook 2: The service has taken it.")).to_be_visible()
            assert json.loads(there.received[2][2])["title"] == "A test from Longbox"
            page.reload()
            expect(page.get_by_text("Test of hook 2: The service has taken it.")).to_be_visible()
            assert len(there.received) == 3
            assert "riddle" not in server.logged()


def test_after_a_restart_nothing_is_repeated(recorded, tmp_path):
    with receiver() as there, publisher(recorded) as replay:
        settings = settings_for(there) | {"LONGBOX_POLL": 0.2, "LONGBOX_XKCD_RATE": 200, "LONGBOX_FILL": "false"}
        server = programs.server(tmp_path, replay.address, **settings)
        with server:
            when_known(server.address, FIRST)
            until(lambda: is_shown(server, f"Comics after {FIRST} are announced."), "both hooks are known")
            publish(replay)
            until(lambda: is_shown(server, f"Comic {FIRST + 1} was delivered"), "both deliveries are noted")
        with server.again() as again:
            when_known(again.address, FIRST + 1)
            publish(replay)
            until(lambda: is_shown(again, f"Comic {FIRST + 2} was delivered"), "the next ones are noted")
        numbers = [json.loads(body)["comic"]["number"] for path, _, body in there.received if path != "/"]
        assert numbers == [FIRST + 1, FIRST + 2] and len(there.received) == 4


def test_the_command_line_tests_hooks(recorded, tmp_path):
    with receiver() as there, publisher(recorded) as replay:
        settings = settings_for(there)
        with programs.server(tmp_path, replay.address, LONGBOX_FILL="false", **settings) as server:
            when_known(server.address, FIRST)
            programs.get(f"{server.address}/{FIRST}/")
            sent = programs.longbox("notify", "--test", data=tmp_path, **settings)
            assert sent.returncode == 0, sent.stderr
            assert sent.stdout.count("The service has taken it.") == 2 and "riddle" not in sent.stdout
            assert there.received[0][1]["X-Longbox-Event"] == "test"
            there.status = 403
            refused = programs.longbox("notify", "--test", "--hook", 2, "--json", data=tmp_path, **settings)
            (line,) = json.loads(refused.stdout)
            assert refused.returncode == 69
            assert (line["kind"], line["number"], line["delivered"]) == ("hook", 2, False) and "403" in line["result"]
            assert programs.longbox("notify", "--test", "--hook", 3, data=tmp_path, **settings).returncode == 66
            both = programs.longbox("notify", "--test", "--hook", 1, "--to", 1, data=tmp_path, **settings)
            assert both.returncode == 64


def test_a_wrong_address_is_named_without_its_secrets(tmp_path):
    result = programs.longbox("serve", data=tmp_path, LONGBOX_HOOKS="ntfys://host/topic,discord://riddle-token")
    assert result.returncode == 78 and "riddle" not in result.stderr
    assert "LONGBOX_HOOKS" in result.stderr and "discord://ID/TOKEN" in result.stderr and "number 2" in result.stderr
    short = programs.longbox("serve", data=tmp_path, LONGBOX_HOOKS_SECRET="riddle")
    assert short.returncode == 78 and "16 characters" in short.stderr and "riddle" not in short.stderr
