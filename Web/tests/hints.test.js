// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { keptActs, nextHint } from "../src/pages/hints.js"

const page = { hasHiddenText: true, doubleTap: undefined }

test("hints come in order, each until it is done", () => {
  const done = new Set()
  const found = []
  for (let hint = nextHint(done, page); hint; hint = nextHint(done, page)) {
    found.push(hint.act)
    done.add(hint.act)
  }
  assert.deepEqual(found, ["tap", "double-tap", "title"])
})

test("a hint says what the settings make of a touch", () => {
  const done = new Set(["tap"])
  assert.equal(nextHint(done, page).text, "Double tap the comic to make it a favorite.")
  assert.equal(nextHint(done, { ...page, doubleTap: "zoom" }).text, "Double tap the comic to zoom.")
  assert.equal(nextHint(done, { ...page, doubleTap: "nothing" }).act, "title")
  assert.equal(nextHint(new Set(), { ...page, hasHiddenText: false }).act, "double-tap")
})

test("where nothing can be stored there are no hints, since they would never end", () => {
  const done = keptActs({ getItem: () => { throw new Error("blocked") } })
  assert.equal(nextHint(done, page), null)
  assert.deepEqual([...keptActs({ getItem: () => "tap title" })], ["tap", "title"])
  assert.equal(nextHint(keptActs({ getItem: () => null }), page).act, "tap")
})
