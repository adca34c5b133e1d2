// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Device } from "../../src/worker/device.js"
import { Host } from "../../src/worker/host.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { responseReply, factsReply, fakeCore, fakePages, needsReply, quotaExceeded } from "./fakes.js"

const page = { path: "/353/", isOffline: false, loaded: [] }
const form = { path: "/favorites/set", form: "comic=1", isOffline: false, loaded: [] }
const archive = { revision: 1, base: 1, rules: 1, samples: 0, parts: 1 }

/** A host whose devices use `operations`; `started` holds their cores. */
async function newHost(operations, { index, failing = {} } = {}) {
  const store = new Store(fakeDatabases(failing), fakeRanges)
  await store.keepSegments(0, [Uint8Array.of(1).buffer], archive)
  const kept = { index }
  const explanations = {
    comics: async () => new Set(), index: async () => kept.index, keepIndex: async (segments) => { kept.index = segments },
  }
  const started = []
  const pages = fakePages()
  const newDevice = async () => {
    const core = fakeCore(typeof operations === "function" ? operations(started.length) : operations)
    started.push(core)
    return new Device(core)
  }
  const host = new Host({ store, explanations, pages, build: { assets: "a", version: "1", base: "" }, newDevice })
  return { host, store, started, pages, kept }
}

const operationsOf = (core) => core.calls.map(([operation]) => operation)

test("a response without a change stores nothing", async () => {
  const { host, store, started } = await newHost({ 6: () => responseReply({ body: "page" }) })
  const { response } = await host.respond(page)
  assert.equal(new TextDecoder().decode(response.body), "page")
  assert.equal((await store.all()).library, undefined)
  assert.deepEqual(operationsOf(started[0]), [1, 3, 6])
})

test("needs store nothing", async () => {
  const { host } = await newHost({ 6: () => needsReply([0, ""]) })
  assert.deepEqual((await host.respond(page)).needs, [{ kind: "latest", key: "" }])
})

test("a changed library is stored before the response; after a form, the disk has it", async () => {
  const { host, store } = await newHost({ 5: () => Uint8Array.of(42), 6: () => responseReply({ flags: 1 }) })
  const durabilities = []
  const { keepLibrary } = Store.prototype
  store.keepLibrary = (bytes, serial, durability) => {
    durabilities.push(durability)
    return keepLibrary.call(store, bytes, serial, durability)
  }
  await host.respond(page)
  assert.deepEqual((await store.all()).library, { bytes: Uint8Array.of(42), serial: 1 })
  await host.respond(form)
  assert.equal((await store.all()).library.serial, 2)
  assert.deepEqual(durabilities, ["relaxed", "strict"])
})

test("if another worker has stored a library, the request is repeated with that one", async () => {
  const { host, store, started } = await newHost({ 5: () => Uint8Array.of(42), 6: () => responseReply({ flags: 1 }) })
  await host.device()
  await store.keepLibrary(Uint8Array.of(7), 0, "strict")
  await host.respond(form)
  assert.equal(started.length, 2)
  assert.deepEqual(started[1].calls.find(([operation]) => operation === 4)[1], Uint8Array.of(7))
  assert.deepEqual((await store.all()).library, { bytes: Uint8Array.of(42), serial: 2 })
})

test("a request fails if other workers keep changing the library", async () => {
  const { host, store, started } = await newHost({ 6: () => responseReply({ flags: 1 }) })
  store.keepLibrary = async () => null
  await assert.rejects(host.respond(form), /could not be stored/)
  assert.equal(started.length, 4)
})

test("a new device starts after a trap", async () => {
  const { host, started } = await newHost((count) => ({
    6: () => {
      if (count === 0) throw new WebAssembly.RuntimeError("unreachable")
      return responseReply()
    },
  }))
  await assert.rejects(host.respond(page), WebAssembly.RuntimeError)
  await host.respond(page)
  assert.equal(started.length, 2)
})

for (const [name, ask, operation, reply] of [
  ["facts", (host) => host.facts(), 9, factsReply()],
  ["pictures", (host) => host.pictures("latest"), 10, new Uint8Array()],
  ["a sync's request", (host) => host.syncRequest(), 7, new Uint8Array()],
]) {
  test(`a new device starts after a trap in ${name}`, async () => {
    const { host, started } = await newHost((count) => ({
      [operation]: () => {
        if (count === 0) throw new WebAssembly.RuntimeError("unreachable")
        return reply
      },
    }))
    await assert.rejects(ask(host), WebAssembly.RuntimeError)
    await ask(host)
    assert.equal(started.length, 2)
  })
}

test("with storage full, a page is shown and a form fails", async () => {
  const failing = {}
  const { host, pages, started } = await newHost({ 6: () => responseReply({ flags: 1 }) }, { failing })
  failing.failure = quotaExceeded()
  assert.ok((await host.respond(page)).response)
  await assert.rejects(host.respond(form), { name: "QuotaExceededError" })
  assert.deepEqual(pages.messages, [{ kind: "full" }, { kind: "full" }])
  // The device does not keep what could not be stored.
  assert.equal(started.length, 2)
})

test("an unreadable library is set aside", async () => {
  const { host, store } = await newHost({ 4: () => null })
  await store.keepLibrary(Uint8Array.of(9), 0, "strict")
  await host.device()
  assert.deepEqual(await store.get("damaged-library"), Uint8Array.of(9))
})

test("the explanation index is loaded at the start, and removed if damaged", async () => {
  const index = [Uint8Array.of(1).buffer]
  const good = await newHost({}, { index })
  await good.host.device()
  assert.deepEqual(operationsOf(good.started[0]), [1, 3, 11])
  const bad = await newHost({ 11: () => null }, { index })
  await bad.host.device()
  assert.equal(bad.kept.index, undefined)
})

test("an archive that does not open changes nothing", async () => {
  const { host, store, started } = await newHost({ 2: () => null, 6: () => responseReply() })
  await host.device()
  const keep = () => store.keepSegments(1, [], { ...archive, revision: 2 })
  await assert.rejects(host.replaceArchive((stored) => [...stored, Uint8Array.of(2).buffer], keep))
  assert.deepEqual(await store.archive(), archive)
  await host.respond(page)
  assert.equal(operationsOf(started[0]).at(-1), 6)
})

test("facts are read again after the library has changed", async () => {
  let favorites = [1]
  const { host } = await newHost({ 6: () => responseReply({ flags: 1 }), 9: () => factsReply({ favorites }) })
  assert.deepEqual((await host.facts()).favorites, [1])
  favorites = [1, 2]
  assert.deepEqual((await host.facts()).favorites, [1])
  await host.respond(form)
  assert.deepEqual((await host.facts()).favorites, [1, 2])
})

test("after a sync none is due", async () => {
  let isDueForSync = 1
  const { host, store } = await newHost({ 8: () => Uint8Array.of(0, 0), 9: () => factsReply({ isDueForSync }) })
  assert.equal((await host.facts()).isDueForSync, true)
  isDueForSync = 0
  assert.deepEqual(await host.receiveSync(Uint8Array.of(1)), { progress: "settled", isChanged: false })
  assert.equal((await host.facts()).isDueForSync, false)
  assert.equal((await store.all()).library.serial, 1)
})

test("a sync is repeated if another worker has stored a library", async () => {
  const { host, store } = await newHost({ 8: () => Uint8Array.of(0, 1) })
  await host.device()
  await store.keepLibrary(Uint8Array.of(7), 0, "strict")
  assert.deepEqual(await host.receiveSync(Uint8Array.of(1)), { progress: "again", isChanged: false })
})
