# Longbox
# SPDX-License-Identifier: MIT
"""The installed app: bytes to install, and response time of its service worker, warm and after a stop."""

import http.client
import json
import random
import statistics
from urllib.parse import urlsplit

import measure
import programs
from waiting import let_pass

# The page's time from the request to the first byte of the response.
ANSWERED = """(() => { const [entry] = performance.getEntriesByType('navigation')
  return entry.responseStart - entry.fetchStart })()"""


def transferred(address, path):
    """The size of a response's body in bytes, compressed as for a browser."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip, deflate, br"})
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    assert reply.status == 200, f"{path} answered {reply.status}"
    return len(body)


def cost_of_a_new_comic(setting):
    """The bytes that a device fetches after a new comic, without its picture."""
    records = (setting.recording / "xkcd" / "comics.jsonl").read_text(encoding="utf-8").splitlines()
    newest = max(range(len(records)), key=lambda index: json.loads(records[index])["num"])
    folder, data = setting.scratch / "growing", setting.scratch / "growing-library"
    folder.mkdir(exist_ok=True)
    for some in (records[:newest] + records[newest + 1 :], records):
        (folder / "comics.jsonl").write_text("".join(f"{record}\n" for record in some), encoding="utf-8")
        imported = programs.longbox("import", folder, data=data)
        assert imported.returncode == 0, imported.stderr
        with programs.server(data, programs.closed_address(), LONGBOX_FILL="false") as server:
            archive = json.loads(programs.get(f"{server.address}/device.json")[2])["archive"]
            if len(some) < len(records):
                before = archive
                continue
            assert archive["comics"] == before["comics"] + 1
            since = f"/archive?since={before['revision']}&rules={before['rules']}&samples=0"
            return transferred(server.address, "/device.json") + transferred(server.address, since)


def measure_installed(setting):
    from playwright.sync_api import sync_playwright

    import device  # from the browser tests; only this group needs Playwright
    from watch import CHROMIUM

    runs = 10 if setting.quick else 60
    numbers = [number for number in range(1, 3283) if number != 404]
    with setting.server() as server, sync_playwright() as playwright:
        described = json.loads(programs.get(f"{server.address}/device.json")[2])
        paths = ["/", "/sw.js", "/device.json", "/archive"] + [f"/assets/{file['name']}" for file in described["files"]]
        sizes = {path: transferred(server.address, path) for path in paths}
        total = sum(sizes.values()) / 1e6
        yield measure.Figure("first install, besides pictures", total, None, "", "MB", "at most 2.2 MB", total <= 2.2)
        yield measure.Figure("  of it the archive", sizes["/archive"] / 1e6, None, "", "MB")
        yield measure.Figure("  of it longbox.wasm", sizes["/assets/longbox.wasm"] / 1e3, None, "", "KB")

        comic = cost_of_a_new_comic(setting) / 1e3
        yield measure.Figure("a new comic, besides its picture", comic, None, "", "KB", "at most 3 KB", comic <= 3)

        browser = playwright.chromium.launch(**CHROMIUM)
        with device.app(browser, server.address) as app:
            app.install()
            for name, is_stopped, goal in (("warm", False, 8), ("after a stop", True, 50)):
                times = []
                for number in random.Random(1).sample(numbers, runs):
                    if is_stopped:
                        app.stop_worker()
                        let_pass(0.05, app.page)
                    times.append(app.open(f"/{number}/").evaluate(ANSWERED))
                    let_pass(0.05, app.page)
                middle, high = statistics.median(times), statistics.quantiles(times, n=20)[-1]
                yield measure.Figure(
                    f"service worker answers, {name}", middle, None, "", "ms", f"at most {goal} ms", middle <= goal
                )
                yield measure.Figure("  p95", high, None, "", "ms")
            # Not all pictures were recorded, and this server has no source.
            app.watch.complaints.clear()
        browser.close()
