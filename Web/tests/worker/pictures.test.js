// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Pictures } from "../../src/worker/pictures.js"
import { Storage } from "../../src/worker/downloads.js"
import { Store } from "../../src/worker/store.js"
import { useFakeCaches } from "./fake-caches.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { fakeConnection, fakePages, quotaExceeded } from "./fakes.js"

const image = (size) => () => new Response(new Uint8Array(size), { headers: { "content-type": "image/png" } })

const all = async () => [1, 2, 3].map((comic) => ({ comic, version: 0, size: comic === 2 ? 0 : 100 }))

/** Pictures of comics 1 and 2; xkcd.com has none of comic 3. */
function newPictures(options) {
  const kept = useFakeCaches(options)
  const connection = fakeConnection({
    "/comics/1/image": image(100), "/comics/2/image": image(50), "/comics/3/image": () => new Response("", { status: 404 }),
  })
  const pictures = new Pictures({
    host: { facts: async () => ({ keepsComics: true, favorites: [3] }), pictures: all }, connection, pages: fakePages(),
    store: new Store(fakeDatabases(), fakeRanges), base: "",
  })
  return { pictures, connection, kept }
}

test("what is on this device is counted", async () => {
  const { pictures } = newPictures()
  assert.deepEqual([await pictures.kept(), await pictures.size()], [new Set(), 0])
  assert.equal(await pictures.download({ comic: 1, version: 0 }), "kept")
  assert.equal(await pictures.download({ comic: 2, version: 0 }), "kept")
  assert.deepEqual([await pictures.kept(), await pictures.size()], [new Set([1, 2]), 150])
})

test("a picture whose transfer breaks off can't be reached", async () => {
  const { pictures, connection, kept } = newPictures()
  connection.send = async () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) }))
  assert.equal(await pictures.download({ comic: 1, version: 0 }), "offline")
  assert.deepEqual(kept.paths("longbox-pictures"), [])
})

test("what a redirect led to is not kept as a picture", async () => {
  const { pictures, connection, kept } = newPictures()
  const page = () => Object.defineProperty(new Response("<h1>Log in</h1>"), "redirected", { value: true })
  connection.send = async () => page()
  assert.equal(await pictures.download({ comic: 1, version: 0 }), "failed")
  const work = []
  const respond = (path) => {
    const url = new URL(path, "https://box.example")
    return pictures.respond({ request: new Request(url), waitUntil: (step) => work.push(step) }, url)
  }
  await respond("/comics/1/image?v=2")
  await Promise.all(work)
  assert.deepEqual(kept.paths("longbox-pictures"), [])
  // A kept picture is shown in its place, as after a 401.
  connection.send = async () => image(100)()
  await pictures.download({ comic: 1, version: 1 })
  connection.send = async () => page()
  assert.equal((await (await respond("/comics/1/image?v=2")).arrayBuffer()).byteLength, 100)
})

test("a missing picture is a GIF of 1 by 1 pixels with the server's status", async () => {
  const { pictures, connection } = newPictures()
  const answered = async (path, destination = "image") => {
    const url = new URL(path, "https://box.example")
    const response = await pictures.respond({ request: { url: url.href, destination }, waitUntil() {} }, url)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const view = new DataView(bytes.buffer)
    assert.deepEqual([response.headers.get("cache-control"), response.headers.get("content-type")], ["no-store", "image/gif"])
    assert.deepEqual([view.getUint16(6, true), view.getUint16(8, true)], [1, 1])
    return response.status
  }
  assert.equal(await answered("/comics/3/image?v=1"), 404)
  connection.send = async () => Object.defineProperty(new Response("<h1>Log in</h1>"), "redirected", { value: true })
  assert.equal(await answered("/comics/1/image?v=1"), 404, "a page is no picture")
  connection.send = async () => { throw new TypeError("There is no connection.") }
  assert.equal(await answered("/comics/1/image?v=1"), 200)
  assert.equal(await answered("/comics/1/image?v=1", ""), 504, "a script would take it for the picture")
})

test("a larger version is kept once it was opened, and replaced by no smaller picture", async () => {
  const { pictures, connection, kept } = newPictures()
  connection.send = async () => image(400)()
  const work = []
  const respond = (path) => {
    const url = new URL(path, "https://box.example")
    return pictures.respond({ request: new Request(url), waitUntil: (step) => work.push(step) }, url)
  }
  await pictures.download({ comic: 1, version: 0 })
  await pictures.download({ comic: 2, version: 0 })
  await respond("/comics/1/larger?v=0a")
  await Promise.all(work)
  assert.deepEqual(kept.paths("longbox-pictures").toSorted(), ["/comics/1/image", "/comics/1/larger", "/comics/2/image"])
  assert.deepEqual(await pictures.kept(), new Set([1, 2]))
  connection.send = async () => { throw new TypeError("network error") }
  assert.equal((await (await respond("/comics/1/larger?v=0a")).arrayBuffer()).byteLength, 400)
  assert.equal((await respond("/comics/2/larger?v=0a")).headers.get("content-type"), "image/gif")
})

test("a full device is asked to keep favorites only once", async () => {
  const { pictures, connection } = newPictures({ failure: quotaExceeded() })
  await pictures.keepFavorites()
  assert.deepEqual(connection.sent, ["/comics/1/image"])
})

test("a picture that xkcd.com doesn't have is remembered as absent for a week", async () => {
  const { pictures, connection } = newPictures()
  assert.equal(await pictures.download({ comic: 3, version: 0 }), "absent")
  assert.deepEqual(await pictures.absent(), new Set([3]))
  const before = connection.sent.length
  await pictures.keepFavorites()
  assert.equal(connection.sent.filter((path) => String(path).includes("/3/")).length, 1, "favorites are not asked for again")
  assert.ok(connection.sent.length > before)
  const now = Date.now
  Date.now = () => now() + 7 * 24 * 3_600_000
  try {
    assert.deepEqual(await pictures.absent(), new Set())
  } finally {
    Date.now = now
  }
})

test("the sizes say what is missing, what is absent, and what is not known", async () => {
  const { pictures } = newPictures()
  const storage = new Storage({
    host: { pictures: all, facts: async () => ({ favorites: [1] }) }, pictures,
    albums: { sizes: async () => ({ count: 0, size: 0 }) }, downloads: { explanationSizes: async () => null },
  })
  await pictures.download({ comic: 1, version: 0 })
  await pictures.download({ comic: 3, version: 0 })
  const { sizes, kept, pictureSize, favorites } = await storage.sizes()
  assert.deepEqual(sizes.everything, { count: 3, size: 200, missing: 1, missingSize: 0, unsized: 1, absent: 1 })
  assert.deepEqual([kept, pictureSize, favorites, sizes.explanations], [1, 100, 1, null])
})
