// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { withSearch } from "../src/pages/recent-searches.js"

const search = (text, isDeep = false) => ({ text, isDeep })
const texts = (searches) => searches.map(({ text }) => text)

test("a new search comes first", () => {
  assert.deepEqual(texts(withSearch([search("cat")], search("dog"), null)), ["dog", "cat"])
})

test("a search that was made before moves up, with how it was made now", () => {
  assert.deepEqual(withSearch([search("dog"), search("cat")], search("cat", true), null), [search("cat", true), search("dog")])
})

test("what was remembered while typing is replaced by what it became", () => {
  assert.deepEqual(texts(withSearch([search("pyth"), search("cat")], search("python"), "pyth")), ["python", "cat"])
  assert.deepEqual(texts(withSearch([search("python"), search("cat")], search("pyth"), "python")), ["pyth", "cat"])
  assert.deepEqual(texts(withSearch([search("pyth"), search("cat")], search("dog"), "pyth")), ["dog", "pyth", "cat"])
  assert.deepEqual(texts(withSearch([search("pyth"), search("cat")], search("python"), null)), ["python", "pyth", "cat"])
})

test("ten are kept", () => {
  const many = Array.from({ length: 10 }, (_, index) => search(`search ${index}`))
  assert.deepEqual(texts(withSearch(many, search("new"), null)), ["new", ...texts(many.slice(0, 9))])
})
