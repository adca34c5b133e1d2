// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { keepTick, keptTick } from "../src/pages/deep-search.js"

const newStorage = () => {
  const items = new Map()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => { items.set(key, value) },
    removeItem: (key) => { items.delete(key) },
  }
}

test("the tick stays as it was left, until the setting decides", () => {
  const storage = newStorage()
  assert.equal(keptTick(storage), null)
  for (const tick of [true, false, null]) {
    keepTick(tick, storage)
    assert.equal(keptTick(storage), tick)
  }
})

test("without storage, the setting decides", () => {
  const blocked = () => { throw new Error("blocked") }
  const storage = { getItem: blocked, setItem: blocked, removeItem: blocked }
  keepTick(true, storage)
  assert.equal(keptTick(storage), null)
})

test("a value of another version is ignored", () => {
  assert.equal(keptTick({ getItem: () => "maybe" }), null)
})
