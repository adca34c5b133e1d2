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

test("what was there at first is no news; what comes is, until somebody looks at it", async () => {
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

test("a notification and the archive tell of the same comic", async () => {
  const { news, store } = newNews()
  await news.noteArchive({ latest: 400, isSampleBox: false })
  assert.equal(await news.noteAnnounced(401), true)
  assert.equal(await news.noteAnnounced(401), false)
  await news.noteComic(401)
  await news.noteArchive({ latest: 401, isSampleBox: false })
  assert.deepEqual((await store.get("news")).unseen, [401])
})

test("the sample box has no news, and neither has the archive that follows it", async () => {
  const { news, store } = newNews()
  await news.noteArchive({ latest: 10, isSampleBox: true })
  await news.noteArchive({ latest: 12, isSampleBox: true })
  await news.noteComic(13)
  await news.noteArchive({ latest: 3281, isSampleBox: false })
  assert.deepEqual((await store.get("news")), { samples: 0, latest: 3281, unseen: [], announced: [] })
})

test("lists of news are bounded", async () => {
  const { news, store, badges } = newNews()
  await news.noteArchive({ latest: 1_000, isSampleBox: false })
  await news.noteArchive({ latest: 3_000, isSampleBox: false })
  const { unseen } = await store.get("news")
  assert.deepEqual([unseen.length, unseen.at(-1), badges.at(-1)], [100, 3_000, 100])
})
