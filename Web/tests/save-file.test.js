// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { save } from "../src/pages/save-file.js"

/** What is saved and said after a link was pressed whose address has this response. */
async function pressed(respond) {
  const [saved, said] = [[], []]
  globalThis.document = { createElement: () => ({ click() { saved.push([this.download, this.href.split(":")[0]]) } }) }
  globalThis.fetch = respond
  await save({ href: "/comics/1/image?v=1", download: "xkcd-1.png" }, (text, { isError }) => { said.push(isError) })
  return { saved, said }
}

test("a file is saved under the link's name", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] })
  assert.deepEqual(await pressed(async () => new Response("a picture")), { saved: [["xkcd-1.png", "blob"]], said: [] })
})

test("a file that can't be had is not saved, and the reader hears of it", async () => {
  const broken = () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) }))
  for (const respond of [async () => new Response("", { status: 504 }), async () => { throw new TypeError() }, async () => broken()]) {
    assert.deepEqual(await pressed(respond), { saved: [], said: [true] })
  }
})
