// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { DamagedArchive, Device, MessageReader, MessageWriter, readReply } from "../../src/worker/device.js"
import { factsReply, fakeCore, needsReply, responseReply } from "./fakes.js"

const build = { assets: "a1", version: "2.0", base: "/longbox", shared: "https://comics.example" }

function readRequest(message) {
  const reader = new MessageReader(message)
  const request = { flags: reader.byte() }
  reader.bytes(16)
  request.texts = Array.from({ length: 7 }, () => reader.text())
  request.loaded = reader.list(() => [reader.byte(), reader.text(), reader.byte(), reader.text()])
  assert.ok(reader.isAtEnd)
  return request
}

test("a request contains what was loaded for it", () => {
  const core = fakeCore({ 6: () => responseReply() })
  new Device(core).respond({
    path: "/353/", query: "a=b", form: "c=d", isOffline: true, isPrefetch: true,
    loaded: [
      { need: { kind: "explanationLead", key: "353" }, loaded: { state: "value", value: "<p>é</p>" } },
      { need: { kind: "album", key: "1?country=us" }, loaded: { state: "unreachable" } },
      { need: { kind: "storedAlbum", key: "2" }, loaded: { state: "absent" } },
    ],
  }, build)
  assert.deepEqual(readRequest(core.calls[0][1]), {
    flags: 7,
    texts: ["/353/", "a=b", "c=d", "a1", "2.0", "/longbox", "https://comics.example"],
    loaded: [[3, "353", 0, "<p>é</p>"], [8, "1?country=us", 2, ""], [10, "2", 1, ""]],
  })
})

test("an empty form counts as a form, a page request does not", () => {
  const core = fakeCore({ 6: () => responseReply() })
  const device = new Device(core)
  device.respond({ path: "/", form: "", isOffline: false, loaded: [] }, build)
  device.respond({ path: "/", form: null, isOffline: false, loaded: [] }, build)
  assert.deepEqual(core.calls.map(([, message]) => message[0]), [1, 0])
})

test("a reply contains needs or a response", () => {
  assert.deepEqual(readReply(needsReply([0, ""], [3, "353"], [11, ""])), {
    needs: [{ kind: "latest", key: "" }, { kind: "explanationLead", key: "353" }, { kind: "server", key: "" }],
  })
  const { needs, response } = readReply(responseReply({ status: 303, flags: 3, viewed: 353, location: "/353/", body: "é" }))
  assert.equal(needs, null)
  assert.equal(new TextDecoder().decode(response.body), "é")
  assert.deepEqual({ ...response, body: null }, {
    status: 303, isLibraryChanged: true, serverMayKnowMore: true, isFile: false, viewed: 353, location: "/353/", body: null,
  })
})

test("facts are read in order", () => {
  const core = fakeCore({ 9: () => factsReply({ latest: 3281, isDueForSync: 1, favorites: [7, 8], albums: ["/albums/1?country=us"] }) })
  assert.deepEqual(new Device(core).facts, {
    latest: 3281, isSampleBox: false, isDueForSync: true, keepsComics: false,
    favorites: [7, 8], albums: ["/albums/1?country=us"],
  })
})

test("pictures are requested by the number of their selection", () => {
  const core = fakeCore({ 10: () => new Uint8Array(Uint32Array.of(5, 2, 3, 2007, 4, 5, 6, 2006).buffer) })
  const [later, earlier] = [{ comic: 5, version: 2, size: 3, year: 2007 }, { comic: 4, version: 5, size: 6, year: 2006 }]
  assert.deepEqual(new Device(core).pictures("everything"), [later, earlier])
  assert.deepEqual(new Device(core).pictures("year-2006"), [earlier])
  assert.deepEqual(new Device(core).pictures("year-1999"), [])
  assert.deepEqual(core.calls.map(([, message]) => [...message]), [[2], [2], [2]])
})

test("an archive that does not open is damaged", () => {
  const core = fakeCore({ 2: ([first]) => (first === 9 ? null : new Uint8Array()) })
  const segments = [1, 2, 9].map((byte) => Uint8Array.of(byte).buffer)
  new Device(core).open(segments.slice(0, 2))
  assert.deepEqual(core.calls.map(([operation]) => operation), [1, 2])
  assert.throws(() => new Device(core).open(segments), DamagedArchive)
  assert.throws(() => new Device(core).open([]), DamagedArchive)
})

test("an unreadable library is replaced by an empty one", () => {
  const core = fakeCore({ 4: ([first]) => (first === 9 ? null : new Uint8Array()) })
  const device = new Device(core)
  assert.equal(device.load({ bytes: Uint8Array.of(1), serial: 4 }), true)
  assert.equal(device.load({ bytes: Uint8Array.of(9), serial: 5 }), false)
  assert.equal(device.load(undefined), true)
  assert.deepEqual(core.calls.map(([operation]) => operation), [4, 4, 3, 3])
})

test("a failed operation throws", () => {
  const device = new Device(fakeCore({ 6: () => null, 9: () => null }))
  assert.throws(() => device.respond({ path: "/", isOffline: false, loaded: [] }, build))
  assert.throws(() => device.facts)
})

test("a sync returns its progress and whether the library changed", () => {
  const device = new Device(fakeCore({ 8: () => Uint8Array.of(1, 1) }))
  assert.deepEqual(device.receive(Uint8Array.of(5)), { progress: "again", isChanged: true })
})

test("a reader reads what a writer wrote", () => {
  const message = new MessageWriter().byte(7).word32(0x01020304).text("é箱").word32(2).word32(5).word32(6).bytes(Uint8Array.of(9)).message
  assert.deepEqual([...message.subarray(0, 10)], [7, 4, 3, 2, 1, 5, 0, 0, 0, 0xc3])
  const reader = new MessageReader(message)
  assert.deepEqual([reader.byte(), reader.word32(), reader.text()], [7, 0x01020304, "é箱"])
  assert.deepEqual(reader.list(() => reader.word32()), [5, 6])
  assert.ok(!reader.isAtEnd)
  assert.deepEqual([...reader.bytes()], [9])
  assert.ok(reader.isAtEnd)
})

test("64-bit numbers are little-endian", () => {
  assert.deepEqual([...new MessageWriter().word64(0x0102030405060708n).message], [8, 7, 6, 5, 4, 3, 2, 1])
})

test("a text may be given as bytes", () => {
  assert.deepEqual(new MessageWriter().text(new TextEncoder().encode("é")).message, new MessageWriter().text("é").message)
})

test("a message that is too short is rejected", () => {
  assert.throws(() => new MessageReader(Uint8Array.of(9, 0, 0, 0, 65)).text(), RangeError)
})
