// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { MessageReader, MessageWriter } from "../../src/worker/device.js"

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
