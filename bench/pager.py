# Longbox
# SPDX-License-Identifier: MIT
"""The installed app on a slow phone: time from a tap to the next comic's paint; also the bytes of a first visit."""

import itertools
import json
import statistics

import measure
import programs
from waiting import let_pass

# Milliseconds from lifting the finger to the frame with the next comic's picture: the click's duration by Event Timing
# (https://www.w3.org/TR/event-timing/), in steps of 8. If that frame lacks the picture, the time to the first that has
# it.
WATCH = """() => {
  const before = document.querySelector('.pages > .stage .picture img')
  const isThere = () => {
    const image = document.querySelector('.pages > .stage .picture img')
    return image && image !== before && image.complete
  }
  const shown = new Promise(resolve => addEventListener('click', ({ timeStamp }) => setTimeout(() => {
    if (isThere()) return resolve(0)
    const look = () => requestAnimationFrame(() => isThere() ? setTimeout(() => resolve(performance.now() - timeStamp)) : look())
    look()
  }), { once: true, capture: true }))
  const click = new Promise(resolve => new PerformanceObserver((list, observer) => {
    const entry = list.getEntriesByName('click').at(-1)
    if (!entry) return
    observer.disconnect()
    resolve(entry.duration)
  }).observe({ type: 'event', durationThreshold: 16 }))
  window.painted = Promise.all([shown, click]).then(times => Math.max(...times))
}"""
# Marks each tap in the trace.
MARK = "() => addEventListener('click', () => performance.mark('longbox-tap'), { capture: true })"
# What the trace holds: marks, tasks of the main thread, and frames that were drawn.
CATEGORIES = ["blink.user_timing", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame"]
# A page is at its place 350 ms after the tap; the rest is for what comes after.
TURN = 400_000
# Frames whose work takes over 50 ms, by the Long Animation Frames API (https://w3c.github.io/long-animation-frames/).
WATCH_FRAMES = """() => {
  globalThis.longFrames = []
  new PerformanceObserver(list => longFrames.push(...list.getEntries())).observe({ type: 'long-animation-frame' })
}"""
LONG_FRAMES = """turn => performance.getEntriesByName('longbox-tap').filter(tap => longFrames.some(frame =>
  frame.startTime + frame.duration > tap.startTime && frame.startTime < tap.startTime + turn)).length"""
SHIFT = """() => new Promise(resolve => new PerformanceObserver(list => resolve(
  list.getEntries().filter(entry => !entry.hadRecentInput).reduce((sum, entry) => sum + entry.value, 0)
)).observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => resolve(0), 300))"""


def first_visit(browser, address):
    """The bytes on the wire of a first visit without pictures, and of its compressed scripts without headers."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    kinds, sizes, bodies = {}, {}, {}
    tools.on(
        "Network.responseReceived",
        lambda event: kinds.update({event["requestId"]: (event["type"], event["response"]["url"])}),
    )
    tools.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    tools.on(
        "Network.dataReceived",
        lambda event: bodies.update({event["requestId"]: bodies.get(event["requestId"], 0) + event["encodedDataLength"]}),
    )
    page.goto(address)
    # Requests that come late belong to the visit, too.
    let_pass(1, page)
    context.close()
    # Not the neighbours, which come after the page.
    counted = {key: size for key, size in sizes.items() if kinds[key][0] not in ("Image", "Fetch") or "icon" in kinds[key][1]}
    scripts = sum(size for key, size in bodies.items() if kinds[key][0] == "Script")
    return sum(counted.values()), scripts


def turns_in(trace):
    """The longest task of the main thread and the longest time between two frames of each turn, in milliseconds."""
    events = json.loads(trace)["traceEvents"]
    taps = sorted((event["ts"], event["pid"], event["tid"]) for event in events if event["name"] == "longbox-tap")
    for begin, process, thread in taps:
        in_turn = [event for event in events if event["pid"] == process and begin - 50_000 <= event.get("ts", 0) < begin + TURN]
        tasks = [event for event in in_turn if event["tid"] == thread and event["name"] == "RunTask"]
        frames = sorted(event["ts"] for event in in_turn if event["name"] == "DrawFrame" and event["ts"] >= begin)
        gaps = [later - earlier for earlier, later in itertools.pairwise(frames)]
        yield max((task.get("dur", 0) for task in tasks), default=0) / 1e3, max(gaps, default=0) / 1e3


def measure_pager(setting):
    from playwright.sync_api import sync_playwright

    import device  # from the browser tests; only this group needs Playwright
    import recording
    from watch import CHROMIUM

    runs = 5 if setting.quick else 40
    data = setting.scratch / "own-library"
    imported = programs.longbox("import", recording.make(setting.scratch / "own") / "xkcd", data=data)
    assert imported.returncode == 0, imported.stderr
    with programs.server(data, programs.closed_address(), LONGBOX_FILL="false") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        whole, scripts = first_visit(browser, f"{server.address}/353/")
        yield measure.Figure("first visit, without pictures", whole / 1e3, None, "", "KB", "at most 42 KB", whole <= 42_000)
        small = scripts <= 22_500
        yield measure.Figure("  scripts in it, without headers", scripts / 1e3, None, "", "KB", "at most 22.5 KB", small)
        with device.app(browser, server.address) as app:
            app.install()
            page = app.open("/20/")
            app.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
            times = []
            page.evaluate(MARK)
            page.evaluate(WATCH_FRAMES)
            browser.start_tracing(page=page, categories=CATEGORIES)
            for _ in range(runs):
                # Time for the view, and for the next comic's prefetch.
                let_pass(1.2, page)
                page.evaluate(WATCH)
                page.get_by_role("link", name="Next comic", exact=True).tap()
                times.append(page.evaluate("painted"))
            let_pass(0.5, page)
            turns = list(turns_in(browser.stop_tracing()))
            assert len(turns) == runs, f"{len(turns)} turns are in the trace"
            middle, high = statistics.median(times), statistics.quantiles(times, n=20)[-1]
            yield measure.Figure("tap to the next comic, CPU at a quarter", middle, None, "", "ms", "at most 60 ms", middle <= 60)
            yield measure.Figure("  p95", high, None, "", "ms")
            long = page.evaluate(LONG_FRAMES, TURN / 1e3)
            yield measure.Figure(f"  turns of {runs} with a frame over 50 ms", long, None, "", "", "none", long == 0)
            tasks, gaps = zip(*turns, strict=True)
            yield measure.Figure("  longest task of a turn", max(tasks), None, "", "ms", "at most 50 ms", max(tasks) <= 50)
            yield measure.Figure("    median of the turns", statistics.median(tasks), None, "", "ms")
            # A screen of 60 Hz shows frames each 16.7 ms, so three of them are 50 ms.
            yield measure.Figure("  longest time between two frames of a turn", max(gaps), None, "", "ms")
            yield measure.Figure("    median of the turns", statistics.median(gaps), None, "", "ms")
            shift = page.evaluate(SHIFT)
            yield measure.Figure("  layout shift", shift, None, "", "", "0", shift == 0)
            app.watch.complaints.clear()
        browser.close()
