// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { reselect, TabPlaces, TabState } from "../src/pages/tab-state.js"

/** A storage with these values, as a browser's `Storage`. */
function storage(values = {}) {
  const kept = new Map(Object.entries(values))
  return {
    kept,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => { kept.set(name, value) },
    removeItem: (name) => { kept.delete(name) },
    key: (index) => [...kept.keys()][index] ?? null,
    get length() { return kept.size },
  }
}

/** What Firefox gives the next page of a tab: a copy. */
const copied = ({ kept }) => storage(Object.fromEntries(kept))

test("a page from the back/forward cache gets what later pages have changed", () => {
  const local = storage({ "recent-searches": "[]" })
  const session = storage()
  const list = new TabState(session, local)
  list.takeOver()
  list.setItem("comic", "1")
  list.setItem("look", "dark")
  list.passOn()
  const comic = new TabState(copied(session), local)
  comic.takeOver()
  assert.equal(comic.getItem("comic"), "1")
  assert.deepEqual([...local.kept.keys()], ["recent-searches"], "it is there only between two pages")
  comic.setItem("comic", "7")
  comic.passOn()
  assert.equal(list.getItem("comic"), "1")
  list.takeOver()
  assert.deepEqual([list.getItem("comic"), list.getItem("look")], ["7", "dark"])
})

test("what a script changes while the page is left is passed on, too", () => {
  const [local, session] = [storage(), storage()]
  const list = new TabState(session, local)
  list.setItem("comic", "1")
  list.setItem("arrival", "{}")
  list.passOn()
  list.setItem("scrolls", "[]")
  list.removeItem("arrival")
  list.removeItem("none")
  const comic = new TabState(copied(storage({ "longbox-tab": session.kept.get("longbox-tab") })), local)
  comic.takeOver()
  assert.deepEqual(["comic", "scrolls", "arrival"].map((name) => comic.getItem(name)), ["1", "[]", null])
  list.takeOver()
  list.setItem("comic", "2")
  assert.equal(local.length, 0, "it is no longer being left")
})

test("tabs don't share their state, and one that was closed leaves nothing", () => {
  const local = storage()
  const [one, other] = [new TabState(storage(), local), new TabState(storage(), local)]
  one.setItem("comic", "1")
  one.passOn()
  other.takeOver()
  assert.equal(other.getItem("comic"), null)
  assert.equal(local.length, 0)
})

test("a damaged state counts as none", () => {
  for (const damaged of ["{", "null", "7", "[]", '{"id":7,"values":{}}', '{"id":"1","values":null}']) {
    const state = new TabState(storage({ "longbox-tab": damaged }), storage())
    assert.equal(state.getItem("comic"), null)
    state.setItem("comic", "1")
    assert.equal(state.getItem("comic"), "1")
  }
})

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
