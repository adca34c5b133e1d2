// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { News, Notifications } from "../../src/worker/news.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { fakeConnection, quotaExceeded } from "./fakes.js"

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
