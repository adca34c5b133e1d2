// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { News, Notifications } from "../../src/worker/news.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { fakeConnection, quotaExceeded } from "./fakes.js"

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
  assert.deepEqual(badges, [4, 3], "each number once")
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
  assert.deepEqual(badges, [3, 1])
})

test("the lists of comics are bounded", async () => {
  const { news, store, badges } = newNews()
  await news.noteArchive({ latest: 1_000, isSampleBox: false })
  await news.noteArchive({ latest: 3_000, isSampleBox: false })
  const { unseen } = await store.get("news")
  assert.deepEqual([unseen.length, unseen.at(-1), badges.at(-1)], [100, 3_000, 100])
})

/** Notifications on a device without a connection; `shown` has their titles. */
function newNotifications(failing = {}) {
  const shown = []
  const notifications = new Notifications({
    registration: { showNotification: async (title) => { shown.push(title) } },
    connection: fakeConnection(),
    news: new News(new Store(fakeDatabases(failing), fakeRanges), async () => {}),
    archive: { refresh: async () => { throw new TypeError("There is no connection.") } },
    host: { facts: async () => ({ keepsComics: false }) },
    base: "",
  })
  return { receive: (message) => notifications.receive({ json: () => message }), shown }
}

test("a comic is announced once", async () => {
  const { receive, shown } = newNotifications()
  await receive({ comic: 401, title: "New" })
  await receive({ comic: 401, title: "New" })
  assert.deepEqual(shown, ["#401 New"])
})

test("a full device shows each message", async () => {
  const { receive, shown } = newNotifications({ failure: quotaExceeded() })
  await receive({ comic: 401, title: "New" })
  await receive({ comic: 402, count: 2 })
  assert.deepEqual(shown, ["#401 New", "2 new comics"])
})

const noon = Date.UTC(2027, 0, 15, 12)
const key = "BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0-Pw"

/** A subscription that was made with a key in base64url. */
const fakeSubscription = (name, publicKey) => ({
  options: { applicationServerKey: Uint8Array.from(atob(publicKey.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0)).buffer },
  toJSON: () => ({ endpoint: `https://push.example.net/${name}` }),
})

/** A subscribed device, whose server has a key; `log` has what it did. */
function subscribedDevice(publicKey, old) {
  const log = []
  let current = old && { ...old, unsubscribe: async () => { log.push("unsubscribed"); current = null } }
  const connection = fakeConnection({
    "/api/push/key": () => new Response(JSON.stringify({ publicKey })),
    "/api/push/subscriptions": (_, { body }) => { log.push(JSON.parse(body)); return new Response("{}") },
  })
  const notifications = new Notifications({
    registration: {
      pushManager: {
        getSubscription: async () => current,
        subscribe: async ({ applicationServerKey }) => { current = fakeSubscription("new", applicationServerKey); return current },
      },
    },
    connection,
    store: new Store(fakeDatabases(), fakeRanges),
    locks: { request: (_, step) => step() },
  })
  return { notifications, connection, log }
}

test("a subscription with another key is made again, once, and replaces the old one", async () => {
  const { notifications, connection, log } = subscribedDevice(key, fakeSubscription("old", `${key.slice(0, -2)}Pg`))
  await notifications.renewIfKeyChanged(noon)
  const renewed = { endpoint: "https://push.example.net/new", replaces: "https://push.example.net/old" }
  assert.deepEqual(log, ["unsubscribed", renewed])
  await notifications.renewIfKeyChanged(noon + 1_000)
  assert.deepEqual(connection.sent, ["/api/push/key", "POST /api/push/subscriptions"])
})

test("a subscription with the server's key stays, and is compared once a day", async () => {
  const { notifications, connection, log } = subscribedDevice(key, fakeSubscription("old", key))
  for (const hour of [1, 2, 24, 26]) await notifications.renewIfKeyChanged(noon + hour * 3_600_000)
  assert.deepEqual([log, connection.sent], [[], ["/api/push/key", "/api/push/key"]])
})

test("a device without a subscription asks for no key", async () => {
  const { notifications, connection } = subscribedDevice(key, null)
  await notifications.renewIfKeyChanged(noon)
  assert.deepEqual(connection.sent, [])
})
