// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"

// What the module asks of a browser; these pictures are not in a page.
const worker = new EventTarget()
Object.defineProperty(navigator, "serviceWorker", { value: worker, configurable: true })
globalThis.document = { querySelector: () => null, documentElement: { dataset: {} } }
const { passAllToWorker } = await import("../src/pages/pictures.js")

/** A picture that the browser has loaded at `startTime`; retrying it sets its source. */
function picture(startTime, name) {
  return {
    name, startTime, naturalWidth: 300, currentSrc: name, src: name, srcset: "", dataset: {}, complete: true,
    getAttribute: () => name,
  }
}

test("only pictures that were loaded before the worker took over are fetched again, each once", async (context) => {
  const [before, lost, after] = [picture(0, "/comics/1/image"), picture(0, "/comics/2/image"), picture(Infinity, "/comics/3/image")]
  const unknown = { ...picture(0, "/comics/4/image"), name: "" }
  const all = [before, lost, after, unknown]
  const fetched = []
  context.mock.method(performance, "getEntriesByName", (name) => [...all, ...fetched].filter((entry) => entry.name === name))
  globalThis.fetch = async (name) => {
    fetched.push({ name, startTime: performance.now() })
    return new Response("", { status: name === lost.name ? 404 : 200 })
  }
  passAllToWorker(all)
  passAllToWorker(all)
  assert.deepEqual(fetched.map(({ name }) => name), [before.name, lost.name])
  await Promise.resolve()
  await Promise.resolve()
  assert.equal(before.src, before.name)
  assert.match(lost.src, /again=/, "the worker's picture shows that it is missing")
})
