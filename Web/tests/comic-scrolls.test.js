// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { ComicScrolls } from "../src/pages/comic-scrolls.js"

function storage(value) {
  const kept = new Map(value === undefined ? [] : [["scrolls", value]])
  return { kept, getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => { kept.set(name, text) } }
}

test("a long comic is shown where it was left, in a list or not", () => {
  const kept = storage()
  new ComicScrolls(kept).note("/1732/", 900)
  const scrolls = new ComicScrolls(kept)
  assert.equal(scrolls.of("/1732/"), 900)
  assert.equal(scrolls.of("/1732/?in=favorites"), 900)
  assert.equal(scrolls.of("/1731/"), 0)
  scrolls.note("/1732/?in=favorites", 0)
  assert.equal(scrolls.of("/1732/"), 0)
})

test("only the last hundred are kept, and what is at its top takes no place", () => {
  const kept = storage()
  const scrolls = new ComicScrolls(kept)
  for (let comic = 1; comic <= 150; comic += 1) scrolls.note(`/${comic}/`, comic % 10 === 0 ? 0 : comic)
  assert.ok(JSON.parse(kept.kept.get("scrolls")).length <= 100)
  assert.equal(scrolls.of("/149/"), 149)
  assert.equal(scrolls.of("/1/"), 0)
})

test("what is damaged counts as nothing", () => {
  for (const value of ["{", "null", "7", "{}"]) assert.equal(new ComicScrolls(storage(value)).of("/1/"), 0)
})
