// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Store } from "../../src/worker/store.js"
import { LibrarySync } from "../../src/worker/sync.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { fakeConnection } from "./fakes.js"

function newSync({ outcomes = [], facts = { isDueForSync: true }, responses = { "/sync": () => new Response("reply") } } = {}) {
  const store = new Store(fakeDatabases(), fakeRanges)
  const connection = fakeConnection(responses)
  const log = { changes: 0, later: [] }
  const host = {
    facts: async () => facts,
    syncRequest: async () => Uint8Array.of(1),
    receiveSync: async () => outcomes.shift() ?? { progress: "settled", isChanged: false },
  }
  const registration = { sync: { register: async (tag) => { log.later.push(tag) } } }
  const sync = new LibrarySync({ host, store, connection, registration, onChange: () => { log.changes += 1 } })
  return { sync, store, connection, log }
}

test("a device without changes does not sync", async () => {
  const { sync, connection } = newSync({ facts: { isDueForSync: false } })
  await sync.run()
  assert.deepEqual(connection.sent, [])
  await sync.run({ isForced: true })
  assert.deepEqual(connection.sent, ["POST /sync"])
  await sync.run()
  assert.equal(connection.sent.length, 2, "a device that has synced once syncs again")
})

test("a sync continues while there is more, for at most five rounds", async () => {
  const again = { progress: "again", isChanged: true }
  const { sync, connection, log } = newSync({ outcomes: [again, again] })
  await sync.run()
  assert.equal(connection.sent.length, 3)
  assert.equal(log.changes, 1)
  const endless = newSync({ outcomes: Array.from({ length: 9 }, () => again) })
  await endless.sync.run()
  assert.equal(endless.connection.sent.length, 5)
})

test("a sync requested during another follows it, once", async () => {
  const { sync, connection } = newSync()
  await Promise.all([sync.run(), sync.run(), sync.run()])
  assert.equal(connection.sent.length, 2)
})

test("after a failure the browser is asked to sync later", async () => {
  const { sync, store, log } = newSync({ responses: {} })
  await assert.rejects(sync.run())
  assert.deepEqual(log.later, ["library"])
  assert.equal(await store.get("synced"), undefined)
})

test("a change is synced now, or without a connection later", async () => {
  const { sync, connection, log } = newSync()
  await sync.runOrWait()
  assert.deepEqual([connection.sent, log.later], [["POST /sync"], []])
  connection.isConnected = false
  await sync.runOrWait()
  assert.deepEqual([connection.sent, log.later], [["POST /sync"], ["library"]])
})

test("a library that the server refuses is sent again when the server asks for it", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 })
  for (const [status, seconds, wait] of [[507, "60", 60_000], [429, "1200", 1_200_000], [429, "80000", 3_600_000]]) {
    const rejection = () => new Response("full", { status, headers: { "retry-after": seconds } })
    const { sync, connection, log } = newSync({ responses: { "/sync": rejection } })
    await assert.rejects(sync.run())
    t.mock.timers.tick(wait - 1)
    await sync.run({ isForced: true })
    assert.equal(connection.sent.length, 1)
    assert.deepEqual(log.later, ["library", "library"], "the browser is asked to sync later")
    t.mock.timers.tick(1)
    await assert.rejects(sync.run())
    assert.equal(connection.sent.length, 2)
  }
  const { sync, connection } = newSync({ responses: { "/sync": () => new Response("later", { status: 503 }) } })
  for (let time = 0; time < 2; time += 1) await assert.rejects(sync.run())
  assert.equal(connection.sent.length, 2)
})

test("a device that never synced loads the library of its browser", async () => {
  const responses = (library) => ({ "/sync": () => new Response("reply"), "/device.json": () => Response.json({ library }) })
  const without = newSync({ facts: {}, responses: responses(false) })
  await without.sync.lookForLibrary()
  assert.deepEqual(without.connection.sent, ["/device.json"])
  const having = newSync({ facts: {}, responses: responses(true) })
  await having.sync.lookForLibrary()
  assert.deepEqual(having.connection.sent, ["/device.json", "POST /sync"])
  await having.sync.lookForLibrary()
  assert.equal(having.connection.sent.length, 2)
})

test("a sync that ends is reported with its time, and with what still waits", async () => {
  const before = Date.now()
  const facts = { isDueForSync: true }
  const { sync } = newSync({ facts })
  assert.deepEqual(await sync.state(), { at: 0, isWaiting: true })
  await sync.run()
  facts.isDueForSync = false
  const { at, isWaiting } = await sync.state()
  assert.ok(at >= before && at <= Date.now())
  assert.equal(isWaiting, false)
})
