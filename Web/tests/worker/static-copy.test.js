// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { gzipSync } from "node:zlib"
import { test } from "node:test"
import { StaticCopy, useServersAddress } from "../../src/worker/static-copy.js"

const manifest = {
  archive: { samples: false },
  explanations: { count: 3 },
  copy: {
    archive: { revision: 30, rules: 4, whole: "archive/30-a.lbx.gz", deltas: { 20: "archive/20-30-b.lbx.gz" } },
    index: { revision: 9, rules: 1, whole: "archive/explanations-9-c.lbx.gz", deltas: {} },
    packLength: 20,
    packs: { 0: { file: "explanations/0-d.json", change: 900 }, 1: { file: "explanations/1-e.json", change: 100 } },
    jpeg: [5],
    gif: [],
  },
}

/** A copy below /box, and the paths that it asked for. */
function copyOf(files) {
  const asked = []
  globalThis.fetch = async (request) => {
    const path = typeof request === "string" ? request : new URL(request.url).pathname
    asked.push(path)
    const body = { "/box/device.json": JSON.stringify(manifest), ...files }[path]
    return body instanceof Response ? body : new Response(body ?? null, { status: body === undefined ? 404 : 200 })
  }
  return { copy: new StaticCopy({ base: "/box", assets: "v1" }), asked }
}

test("a device gets a delta, nothing, or the whole archive", async () => {
  const { copy, asked } = copyOf({
    "/box/archive/20-30-b.lbx.gz": gzipSync("delta"), "/box/archive/30-a.lbx.gz": gzipSync("whole"),
  })
  assert.equal(await (await copy.send("/archive?since=20&rules=4&samples=0")).text(), "delta")
  assert.equal((await copy.send("/archive?since=30&rules=4&samples=0")).status, 204)
  for (const query of ["since=0", "since=19&rules=4", "since=20&rules=3", "since=20&rules=4&samples=1", "since=31&rules=4"]) {
    assert.equal(await (await copy.send(`/archive?${query}`)).text(), "whole", query)
  }
  assert.ok(asked.every((path) => path.startsWith("/box/")))
})

test("gzipped files that the host has already unpacked are read", async () => {
  const { copy } = copyOf({ "/box/archive/30-a.lbx.gz": "whole" })
  assert.equal(await (await copy.send("/archive?since=0")).text(), "whole")
})

test("explanations come by packs, in the order of their changes", async () => {
  const { copy } = copyOf({
    "/box/explanations/0-d.json": '[{"comic":1},{"comic":20}]', "/box/explanations/1-e.json": '[{"comic":21}]',
  })
  const chunk = async (since) => (await copy.send(`/explanations?since=${since}&samples=0`)).json()
  assert.deepEqual(await chunk(0), { samples: false, count: 3, change: 100, isLast: false, explanations: [{ comic: 21 }] })
  assert.deepEqual((await chunk(100)).explanations, [{ comic: 1 }, { comic: 20 }])
  assert.equal((await chunk(100)).isLast, true)
  assert.deepEqual(await chunk(900), { samples: false, count: 3, change: 900, isLast: true, explanations: [] })
  // The copy was replaced by one with fewer changes.
  assert.equal((await chunk(901)).change, 100)
  assert.deepEqual(await (await copy.send("/explanations/20")).json(), { comic: 20 })
  assert.equal((await copy.send("/explanations/2")).status, 404)
  assert.equal((await copy.send("/explanations/400")).status, 404)
})

test("pictures and files have their version in their path", async () => {
  const { copy, asked } = copyOf({})
  for (const [address, path] of [
    ["/comics/5/image?v=0a", "/box/pictures/5-0a.jpg"], ["/comics/6/image@2x?v=0a", "/box/pictures/6-0a@2x.png"],
    ["/comics/6/thumbnail?v=0a", "/box/thumbnails/6-0a.webp"], ["/assets/app.js?v=v1", "/box/assets/v1/app.js"],
    ["/device.json", "/box/device.json"],
  ]) {
    await copy.send(address)
    assert.equal(asked.at(-1), path)
  }
  assert.equal((await copy.send("/comics/5/image")).status, 404)
})

test("an error of the host or an unexpected page counts as no connection", async () => {
  const { copy } = copyOf({ "/box/device.json": new Response("", { status: 502 }) })
  await assert.rejects(copy.send("/device.json"), TypeError)
  const { copy: captive } = copyOf({ "/box/device.json": "<html>Sign in to this network</html>" })
  await assert.rejects(captive.send("/archive?since=1"), TypeError)
})

test("the address of a file is mapped to the server's address", () => {
  for (const [address, expected] of [
    ["/comics/", "/comics"], ["/353/", "/353/"], ["/353/index.html", "/353/"], ["/", "/"], ["/index.html", "/"],
    ["/353/explanation/", "/353/explanation"], ["/search/?q=a", "/search?q=a"],
    ["/pictures/5-0a1b2c3d@2x.jpg", "/comics/5/image@2x?v=0a1b2c3d"], ["/thumbnails/5-0a1b2c3d.webp", "/comics/5/thumbnail?v=0a1b2c3d"],
  ]) {
    const url = new URL(address, "https://box.example")
    useServersAddress(url)
    assert.equal(url.pathname + url.search, expected)
  }
})
