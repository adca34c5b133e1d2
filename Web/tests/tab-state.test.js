// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { TabState } from "../src/pages/tab-state.js"

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
