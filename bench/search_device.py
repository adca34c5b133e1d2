# Longbox
# SPDX-License-Identifier: MIT
"""Search in the installed app: in Chromium's service worker, over all comics and explanations."""

import json
import statistics
import sys

import measure
import programs
import searching

# In the worker: answers a search, with the explanation texts that its snippets need.
ANSWER = """
const answer = async (device, question) => {
  const loaded = []
  for (;;) {
    const reply = device.respond({ ...question, isOffline: false, loaded }, { assets: "", version: "", base: "" })
    if (!reply.needs) return reply.response
    if (reply.needs.some(({ kind }) => kind !== "explanationText")) throw new Error("A search needs something else.")
    const kept = await longbox.explanationStore.some(reply.needs.map(({ key }) => Number(key)))
    const texts = new Map(kept.map(({ comic, text }) => [`${comic}`, text]))
    for (const need of reply.needs) {
      const text = texts.get(need.key)
      loaded.push({ need, loaded: text === undefined ? { state: "unreachable" } : { state: "value", value: text } })
    }
  }
}"""

# In the worker: opens the archive, then the explanation index, as the first search does; in milliseconds.
OPEN = """async (rounds) => {
  ANSWER
  const { explanationStore, newDevice, store } = longbox
  const [{ segments }, index] = await Promise.all([store.all(), explanationStore.index()])
  const question = { path: "/search", query: "q=q&deep=1" }
  const times = { started: [], archive: [], explanations: [], ready: [] }
  for (let round = 0; round < rounds; round += 1) {
    const marks = [performance.now()]
    const device = await newDevice()
    marks.push(performance.now())
    device.open(segments)
    device.load(undefined)
    marks.push(performance.now())
    if (index && !device.explain(index)) throw new Error("The index could not be read.")
    marks.push(performance.now())
    await answer(device, question)
    marks.push(performance.now())
    Object.values(times).forEach((list, place) => list.push(marks[place + 1] - marks[place]))
  }
  return times
}""".replace("ANSWER", ANSWER)

# In the worker: searches and renders the page, each query several times in a row, since the worker's clock is coarse.
SEARCH = """async ([queries, rounds]) => {
  ANSWER
  const current = await longbox.host.device()
  const times = []
  for (const query of queries) {
    const question = { path: "/search", query: `${new URLSearchParams({ q: query, deep: 1 })}` }
    const started = performance.now()
    for (let round = 0; round < rounds; round += 1) {
      const { status } = await answer(current, question)
      if (status !== 200) throw new Error(`${query}: ${status}`)
    }
    times.push((performance.now() - started) / rounds)
  }
  return times
}""".replace("ANSWER", ANSWER)

# In a page: searches as the search box does while typing; includes the round trip to the worker.
ASK = """async (queries) => {
  const times = []
  for (const query of queries) {
    const started = performance.now()
    const response = await fetch(`/search?${new URLSearchParams({ q: query, deep: 1, typing: 1 })}`)
    await response.text()
    times.push(performance.now() - started)
  }
  return times
}"""


# Searches by the topics that the wiki's editors give to most comics, alone and together, and with a word.
BY_TOPIC = ['with:"Black Hat"', "with:cueball", "about:math", "with:megan about:physics", "about:programming -with:cueball code"]


def queries(setting):
    """Queries that people typed, or else titles of comics."""
    written = setting.recording / "relevance" / "dev.tsv"
    if written.is_file():
        return [row["query"] for row in searching.relevance.read_queries(written)]
    records = (setting.recording / "xkcd" / "comics.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(record)["title"] for record in records[::16]]


def percentile(times, share):
    return sorted(times)[min(int(len(times) * share), len(times) - 1)]


def figure(name, value, unit="ms", goal=None):
    words = f"at most {goal} {unit}" if goal else ""
    return measure.Figure(name, value, None, "", unit, words, value <= goal if goal else None)


def measure_search_device(setting):
    from playwright.sync_api import sync_playwright

    import device  # from the browser tests; only this group needs Playwright
    from watch import CHROMIUM

    data = setting.scratch / "explained"
    imported = programs.longbox("import", "--text-only", setting.recording, data=data)
    if imported.returncode != 0:
        sys.exit(f"longbox import failed: {imported.stderr}")
    asked = queries(setting)
    rounds = 3 if setting.quick else 11
    with programs.server(data, programs.closed_address(), LONGBOX_FILL="false") as server, sync_playwright() as playwright:
        count = json.loads(programs.get(f"{server.address}/device.json")[2])["explanations"]["count"]
        device.when_explained(server.address, count)
        browser = playwright.chromium.launch(**CHROMIUM)
        with device.app(browser, server.address) as app:
            app.install()
            for name, is_explained in (("A", False), ("B", True)):
                if is_explained:
                    if count == 0:
                        break
                    assert app.in_worker("longbox.explanationDownload.refreshIndex()") == "done"
                times = app.context.service_workers[0].evaluate(OPEN, rounds)
                medians = {step: statistics.median(values) for step, values in times.items()}
                yield figure(f"device {name}, archive opened", medians["archive"], goal=15)
                yield figure("  instance started", medians["started"])
                if is_explained:
                    yield figure("  index of explanations opened", medians["explanations"])
                yield figure("  ready and first search", medians["ready"])
                app.context.service_workers[0].evaluate(SEARCH, [asked, 1])  # warm
                times = app.context.service_workers[0].evaluate(SEARCH, [asked, rounds])
                yield figure(f"device {name}, search and page, p50", percentile(times, 0.5))
                yield figure("  p99", percentile(times, 0.99), goal=5)
                if is_explained:
                    app.context.service_workers[0].evaluate(SEARCH, [BY_TOPIC, 1])  # warm
                    times = app.context.service_workers[0].evaluate(SEARCH, [BY_TOPIC, 10 * rounds])
                    yield figure("  with: and about:, search and page, slowest", max(times), goal=2)
                times = app.page.evaluate(ASK, asked)
                yield figure("  asked by a page, p50", percentile(times, 0.5))
                yield figure("  asked by a page, p99", percentile(times, 0.99))
            # Only texts were imported, and this server has no source for pictures.
            app.watch.complaints.clear()
        browser.close()
