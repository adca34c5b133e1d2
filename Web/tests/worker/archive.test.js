// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { ArchiveUpdates, header, isSegment } from "../../src/worker/archive.js"
import { DamagedArchive } from "../../src/worker/device.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { fakeConnection, fakeSegment } from "./fakes.js"

/** Updates that receive these segments in turn; `rejects` selects segments that can't be opened. */
async function newUpdates(responses, { known, rejects = () => false } = {}) {
  const store = new Store(fakeDatabases(), fakeRanges)
  const segments = Array.from({ length: known?.parts ?? 0 }, (_, index) => fakeSegment({ revision: 10 + index }))
  if (known) await store.keepSegments(0, segments, known)
  const log = { cleared: 0, clearedPictures: [], changes: 0 }
  const connection = fakeConnection({
    "/archive": () => {
      const next = responses.shift()
      return next === null ? new Response(null, { status: 204 }) : next instanceof Response ? next : new Response(next)
    },
  })
  const host = {
    replaceArchive: async (select, keep) => {
      if (rejects(select((await store.all()).segments))) throw new DamagedArchive()
      await keep()
    },
  }
  const explanations = { clear: async () => { log.cleared += 1 } }
  const pictures = { clear: async (except) => { log.clearedPictures.push(except) } }
  const updates = new ArchiveUpdates({ host, store, explanations, pictures, connection, onChange: async () => { log.changes += 1 } })
  return { updates, store, connection, log }
}

const known = { revision: 10, base: 10, rules: 3, samples: 0, parts: 1 }

test("the first archive is a whole segment", async () => {
  const { updates, store, connection, log } = await newUpdates([fakeSegment({ revision: 20 })])
  assert.equal(await updates.refresh(), true)
  assert.deepEqual(connection.sent, ["/archive?since=0&rules=0&samples=0"])
  assert.deepEqual(await store.archive(), { revision: 20, base: 20, rules: 3, samples: 0, parts: 1 })
  assert.equal(log.changes, 1)
})

test("a delta is added", async () => {
  const { updates, store, connection } = await newUpdates([fakeSegment({ revision: 12, base: 10 })], { known })
  assert.equal(await updates.refresh(), true)
  assert.deepEqual(connection.sent, ["/archive?since=10&rules=3&samples=0"])
  assert.deepEqual(await store.archive(), { ...known, revision: 12, parts: 2 })
  assert.equal((await store.all()).segments.length, 2)
})

test("an unchanged archive changes nothing", async () => {
  const { updates, store, log } = await newUpdates([null], { known })
  assert.equal(await updates.refresh(), false)
  assert.deepEqual(await store.archive(), known)
  assert.equal(log.changes, 0)
})

test("after many deltas, one that merges them is requested", async () => {
  const many = { revision: 34, base: 10, rules: 3, samples: 0, parts: 25 }
  const { updates, store, connection } = await newUpdates([fakeSegment({ revision: 36, base: 10 })], { known: many })
  await updates.refresh()
  assert.deepEqual(connection.sent, ["/archive?since=10&rules=3&samples=0"])
  assert.deepEqual(await store.archive(), { ...many, revision: 36, parts: 2 })
  assert.equal((await store.all()).segments.length, 2)
})

test("a delta that does not fit leads to a whole archive, once", async () => {
  const rejects = (segments) => segments.length === 2
  const { updates, store, connection } = await newUpdates(
    [fakeSegment({ revision: 12, base: 9 }), fakeSegment({ revision: 12 })], { known, rejects },
  )
  assert.equal(await updates.refresh(), true)
  assert.deepEqual(connection.sent, ["/archive?since=10&rules=3&samples=0", "/archive?since=0&rules=0&samples=0"])
  assert.equal((await store.archive()).parts, 1)
})

test("a whole archive is fetched even during a refresh", async () => {
  const { updates, store, connection } = await newUpdates([null, fakeSegment({ revision: 12 })], { known })
  assert.deepEqual(await Promise.all([updates.refresh(), updates.refetch()]), [false, true])
  assert.deepEqual(connection.sent, ["/archive?since=10&rules=3&samples=0", "/archive?since=0&rules=0&samples=0"])
  assert.equal((await store.archive()).revision, 12)
})

test("a refresh fails if the server sends only deltas that do not fit", async () => {
  const deltas = Array.from({ length: 5 }, () => fakeSegment({ revision: 12, base: 9 }))
  const { updates, store, connection } = await newUpdates(deltas, { known, rejects: () => true })
  await assert.rejects(updates.refresh(), DamagedArchive)
  assert.equal(connection.sent.length, 2)
  assert.deepEqual(await store.archive(), known)
})

test("a whole archive that can't be opened is not stored", async () => {
  const { updates, store } = await newUpdates([fakeSegment({ revision: 12 })], { known, rejects: () => true })
  await assert.rejects(updates.refresh(), DamagedArchive)
  assert.deepEqual(await store.archive(), known)
})

test("a proxy's error page is not stored", async () => {
  const { updates, store } = await newUpdates([new Response("<h1>Log in</h1>".repeat(20))], { known })
  await assert.rejects(updates.refresh())
  assert.deepEqual(await store.archive(), known)
})

for (const [from, to] of [[0, 1], [1, 0]]) {
  test(`${to ? "switching to" : "leaving"} the sample box clears explanations and pictures, which are of other comics`, async () => {
    const { updates, log } = await newUpdates([fakeSegment({ revision: 15, samples: to })], { known: { ...known, samples: from } })
    await updates.refresh()
    assert.equal(log.cleared, 1)
    assert.deepEqual(log.clearedPictures, [[]])
  })
}

test("another whole archive of the same box clears nothing", async () => {
  const { updates, log } = await newUpdates([fakeSegment({ revision: 15 })], { known })
  await updates.refresh()
  assert.deepEqual([log.cleared, log.clearedPictures], [0, []])
})

test("a refresh counts once its archive is stored", async () => {
  const { updates, store, connection } = await newUpdates([fakeSegment({ revision: 12 }), fakeSegment({ revision: 12 })], { known, rejects: () => true })
  await assert.rejects(updates.refreshIfDue(), DamagedArchive)
  assert.equal(await store.get("refreshed"), undefined)
  await assert.rejects(updates.refreshIfDue(), DamagedArchive)
  assert.equal(connection.sent.length, 2)
})

test("the archive is refreshed at most every five minutes, even if the worker stops", async () => {
  const { updates, store, connection } = await newUpdates([null], { known })
  await updates.refreshIfDue()
  await updates.refreshIfDue()
  assert.equal(connection.sent.length, 1)
  const again = new ArchiveUpdates({ store, connection })
  await again.refreshIfDue()
  assert.equal(connection.sent.length, 1)
})

test("a segment's header is read", () => {
  const segment = fakeSegment({ revision: 9, base: 4, rules: 2, samples: 3 })
  assert.deepEqual(header(segment), { revision: 9, base: 4, rules: 2, samples: 1 })
  assert.ok(isSegment(segment))
})

test("a proxy's error page is not a segment", () => {
  assert.ok(!isSegment(new TextEncoder().encode("<h1>Log in</h1>".repeat(20)).buffer))
  assert.ok(!isSegment(fakeSegment().slice(0, 63)))
})
