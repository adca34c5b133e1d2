// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { News } from "../../src/worker/news.js"
import { Notifications } from "../../src/worker/notifications.js"
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
