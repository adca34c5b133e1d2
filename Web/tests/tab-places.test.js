// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { reselect, TabPlaces } from "../src/pages/tab-state.js"

test("each tab keeps its own place", () => {
  const values = new Map()
  const storage = { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => values.set(key, value) }
  const places = new TabPlaces(storage)
  assert.equal(places.of("Comics"), null)
  places.note("Comics", { address: "/353/", scroll: 0 })
  places.note("Search", { address: "/search?q=cat", scroll: 300 })
  places.note("Comics", { address: "/354/", scroll: 12 })
  assert.deepEqual(new TabPlaces(storage).of("Comics"), { address: "/354/", scroll: 12 })
  assert.deepEqual(new TabPlaces(storage).of("Search"), { address: "/search?q=cat", scroll: 300 })
  for (const damaged of ["{", "null", "7"]) {
    values.set("places", damaged)
    assert.equal(places.of("Comics"), null)
  }
})

test("the current tab leads to its top first, then to its own page", () => {
  assert.equal(reselect({ scroll: 500, path: "/353/", home: "/" }), "top")
  assert.equal(reselect({ scroll: 0, path: "/353/", home: "/" }), "follow")
  assert.equal(reselect({ scroll: 500, path: "/", home: "/" }), "top")
  assert.equal(reselect({ scroll: 0, path: "/", home: "/" }), "stay")
})

test("the current tab fetches its own page again if that is old", () => {
  assert.equal(reselect({ scroll: 0, path: "/", home: "/", isOld: true }), "follow")
  assert.equal(reselect({ scroll: 500, path: "/", home: "/", isOld: true }), "follow")
  assert.equal(reselect({ scroll: 500, path: "/comics", home: "/", isOld: true }), "top")
})
