// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { ExplanationStore } from "../../src/worker/explanations.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { quotaExceeded } from "./fakes.js"

const newStore = (options) => new Store(fakeDatabases(options), fakeRanges)

test("a library based on an older one is not stored", async () => {
  const store = newStore()
  assert.equal(await store.keepLibrary(Uint8Array.of(1), 0, "strict"), 1)
  assert.equal(await store.keepLibrary(Uint8Array.of(2), 0, "strict"), null)
  assert.deepEqual((await store.all()).library, { bytes: Uint8Array.of(1), serial: 1 })
  assert.equal(await store.keepLibrary(Uint8Array.of(3), 1, "relaxed"), 2)
})

test("segments replace those from an index on", async () => {
  const store = newStore()
  const [a, b, c] = [1, 2, 3].map((byte) => Uint8Array.of(byte).buffer)
  const archive = { revision: 1, base: 1, rules: 1, samples: 0, parts: 2 }
  await store.keepSegments(0, [a, b], archive)
  await store.keepSegments(1, [c], archive)
  assert.deepEqual((await store.all()).segments, [a, c])
  assert.deepEqual(await store.archive(), archive)
})

test("a value is updated in one transaction", async () => {
  const store = newStore()
  assert.equal(await store.get("refreshed"), undefined)
  await Promise.all(Array.from({ length: 10 }, () => store.change("refreshed", (before = 0) => before + 1)))
  assert.equal(await store.get("refreshed"), 10)
})

test("a failed transaction stores nothing", async () => {
  const options = {}
  const store = newStore(options)
  await store.set("refreshed", 1)
  options.failure = quotaExceeded()
  await assert.rejects(store.set("refreshed", 2), { name: "QuotaExceededError" })
  options.failure = undefined
  assert.equal(await store.get("refreshed"), 1)
})

test("the database is asked only for stored explanations", async () => {
  const databases = fakeDatabases()
  const [store, earlier] = [new ExplanationStore(databases), new ExplanationStore(databases)]
  await earlier.keep([{ comic: 1, beginning: "<p>1</p>", whole: "" }])
  assert.deepEqual([...(await store.comics())], [1])
  await store.keep([{ comic: 2, beginning: "<p>2</p>", whole: "" }])
  assert.deepEqual((await store.some([1, 2, 3])).map(({ comic }) => comic), [1, 2])
  assert.deepEqual(await store.count(), 2)
  await store.clear([2])
  assert.deepEqual((await store.some([1, 2, 3])).map(({ comic }) => comic), [2])
})

test("explanations are stored with their progress, and cleared except for some", async () => {
  const store = new ExplanationStore(fakeDatabases())
  const explanation = (comic) => ({ comic, beginning: `<p>${comic}</p>`, whole: "" })
  await store.keep([explanation(1), explanation(2), explanation(3)], { change: 3, samples: 0 })
  await store.keepIndex([Uint8Array.of(1).buffer])
  assert.equal(await store.count(), 3)
  assert.deepEqual((await store.some([2, 9])).map(({ comic }) => comic), [2])
  assert.ok((await store.some([2]))[0].keptAt > 0)
  assert.deepEqual(await store.progress(), { change: 3, samples: 0 })
  await store.clear([2])
  assert.deepEqual((await store.some([1, 2, 3])).map(({ comic }) => comic), [2])
  assert.deepEqual([await store.progress(), await store.index()], [undefined, undefined])
})
