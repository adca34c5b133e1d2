// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { News } from "../../src/worker/news.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"

function newNews() {
  const store = new Store(fakeDatabases(), fakeRanges)
  const badges = []
  return { news: new News(store, async (count) => { badges.push(count) }), store, badges }
}

test("the first archive is no news; later comics are, until they are viewed", async () => {
  const { news, store, badges } = newNews()
  await news.noteArchive({ latest: 400, isSampleBox: false })
  await news.noteArchive({ latest: 405, isSampleBox: false })
  await news.noteArchive({ latest: 405, isSampleBox: false })
  assert.deepEqual((await store.get("news")).unseen, [401, 402, 403, 405], "there is no comic 404")
  await news.noteViewed(403)
  await news.noteViewed(17)
  assert.deepEqual((await store.get("news")).unseen, [401, 402, 405])
  assert.deepEqual(badges, [0, 4, 4, 3])
})

test("a notification and the archive count the same comic once", async () => {
  const { news, store } = newNews()
  await news.noteArchive({ latest: 400, isSampleBox: false })
  assert.equal(await news.noteAnnounced(401), true)
  assert.equal(await news.noteAnnounced(401), false)
  await news.noteComic(401)
  await news.noteArchive({ latest: 401, isSampleBox: false })
  assert.deepEqual((await store.get("news")).unseen, [401])
})

test("neither the sample box nor the archive after it brings news", async () => {
  const { news, store } = newNews()
  await news.noteArchive({ latest: 10, isSampleBox: true })
  await news.noteArchive({ latest: 12, isSampleBox: true })
  await news.noteComic(13)
  await news.noteArchive({ latest: 3281, isSampleBox: false })
  assert.deepEqual((await store.get("news")), { samples: 0, latest: 3281, unseen: [], announced: [] })
})

test("comics that were marked as read are no longer new", async () => {
  const { news, store, badges } = newNews()
  await news.noteArchive({ latest: 400, isSampleBox: false })
  await news.noteArchive({ latest: 403, isSampleBox: false })
  await news.noteRead(async (comics) => comics.filter((comic) => comic <= 402))
  assert.deepEqual((await store.get("news")).unseen, [403])
  await news.noteRead(async () => [])
  assert.deepEqual(badges, [0, 3, 1])
})

test("the lists of comics are bounded", async () => {
  const { news, store, badges } = newNews()
  await news.noteArchive({ latest: 1_000, isSampleBox: false })
  await news.noteArchive({ latest: 3_000, isSampleBox: false })
  const { unseen } = await store.get("news")
  assert.deepEqual([unseen.length, unseen.at(-1), badges.at(-1)], [100, 3_000, 100])
})
