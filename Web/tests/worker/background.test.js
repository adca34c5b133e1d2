// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Background } from "../../src/worker/background.js"
import { News } from "../../src/worker/news.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { fakeConnection } from "./fakes.js"

/** Background work after comics 401 to 403 came out; `unread` holds those that the library doesn't have as read. */
async function newBackground(connection = fakeConnection({}, { isOnline: false })) {
  const unread = new Set([401, 402, 403])
  const store = new Store(fakeDatabases(), fakeRanges)
  const news = new News(store, async () => {})
  await news.noteArchive({ latest: 400, isSampleBox: false })
  await news.noteArchive({ latest: 403, isSampleBox: false })
  const log = []
  // The archive lacks comic 402.
  const readAmong = async (comics) => comics.filter((comic) => comic !== 402 && !unread.has(comic))
  const catchesUp = async () => { log.push("archive") }
  const background = new Background({
    connection, news,
    host: { facts: async () => ({ favorites: [], keepsComics: false }), readAmong },
    sync: { run: async () => {}, runOrWait: async () => {} },
    archive: { refresh: catchesUp },
    albums: { clearUnsaved: async () => {}, keepSaved: async () => {} },
    downloads: { run: async () => {} },
    explanations: { refresh: async () => {} },
    explanationDownload: { refresh: async () => {} },
    pictures: { keepFavorites: async () => {} },
  })
  return { background, unread, log, unseen: async () => (await store.get("news")).unseen }
}

const form = { form: "comic=401&on=yes" }
const changed = { response: { isLibraryChanged: true, viewed: 0 }, needs: [] }

test("a comic that was marked as read is no longer new", async () => {
  const { background, unread, unseen } = await newBackground()
  await background.after(form, { ...changed, response: { ...changed.response, isLibraryChanged: false } })
  assert.deepEqual(await unseen(), [401, 402, 403])
  unread.delete(401)
  await background.after(form, changed)
  assert.deepEqual(await unseen(), [402, 403])
})

test("a comic that was read on another device is no longer new", async () => {
  const { background, unread, unseen } = await newBackground()
  unread.clear()
  await background.afterSync()
  assert.deepEqual(await unseen(), [402])
})

test("a worker that was stopped while the server was away catches up once it is back", async () => {
  const connection = { ...fakeConnection({ "/device.json": new Response("{}") }), isKnown: false }
  const { background, log } = await newBackground(connection)
  await background.probe()
  assert.deepEqual(log, ["archive"])
  connection.isKnown = true
  await background.probe()
  assert.deepEqual([log, connection.sent], [["archive"], ["/device.json", "/device.json"]])
})

test("a worker that has just started asks whether the server is reached, unless something else shows it", async () => {
  const connection = { ...fakeConnection({ "/device.json": new Response("{}") }), isKnown: false }
  const { background } = await newBackground(connection)
  await background.learnConnection()
  assert.deepEqual(connection.sent, ["/device.json"])
  const other = background.learnConnection()
  connection.isKnown = true
  await Promise.all([other, background.learnConnection()])
  assert.deepEqual(connection.sent, ["/device.json"])
})
