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

test("a repeated search moves to the top and takes the new mode", () => {
  assert.deepEqual(withSearch([search("dog"), search("cat")], search("cat", true), null), [search("cat", true), search("dog")])
})

test("a finished search replaces the unfinished one", () => {
  assert.deepEqual(texts(withSearch([search("pyth"), search("cat")], search("python"), "pyth")), ["python", "cat"])
  assert.deepEqual(texts(withSearch([search("python"), search("cat")], search("pyth"), "python")), ["pyth", "cat"])
  assert.deepEqual(texts(withSearch([search("pyth"), search("cat")], search("dog"), "pyth")), ["dog", "pyth", "cat"])
  assert.deepEqual(texts(withSearch([search("pyth"), search("cat")], search("python"), null)), ["python", "pyth", "cat"])
})

test("at most ten searches are kept", () => {
  const many = Array.from({ length: 10 }, (_, index) => search(`search ${index}`))
  assert.deepEqual(texts(withSearch(many, search("new"), null)), ["new", ...texts(many.slice(0, 9))])
})
