// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { count, figuresOf, sentenceOf, sentenceOfSync, size, sizeOfExplanations, sizeOfPictures } from "../src/pages/settings-texts.js"

test("counts use the singular for one", () => {
  assert.deepEqual([0, 1, 2, 3281].map((number) => count(number, "comic")), ["0 comics", "1 comic", "2 comics", "3,281 comics"])
})

test("sizes are in MB with a decimal place below 100, or in GB", () => {
  assert.deepEqual([0, 1e6, 1.55e6, 250.4e6, 10.24e9].map(size), ["0.0 MB", "1.0 MB", "1.6 MB", "250 MB", "10.2 GB"])
})

test("what a browser doesn't tell is not given as 0", () => {
  const sizes = { pictureSize: 5e6, albums: { count: 1, size: 1e6 } }
  const { used, rest, usedText, restText } = figuresOf(sizes, 10e6)
  assert.deepEqual([used, rest, usedText, restText], [10e6, 4e6, "10.0 MB used", "Texts, search and Longbox itself, 4.0 MB"])
  assert.equal(figuresOf(sizes, 2e6).used, 6e6, "an estimate may be too low")
  const unknown = figuresOf(sizes)
  assert.deepEqual([unknown.used, unknown.rest, unknown.usedText], [6e6, 0, "6.0 MB of pictures and albums"])
  assert.doesNotMatch(unknown.restText, /\d/)
})

test("the size of a download is described", () => {
  const pictures = (more) => sizeOfPictures({ count: 50, size: 3e6, missing: 0, missingSize: 0, unsized: 0, absent: 0, ...more })
  assert.equal(pictures({ count: 0 }), "No comics yet.")
  assert.equal(sizeOfPictures({ count: 0, size: 0, missing: 0, missingSize: 0, unsized: 0, absent: 0 }, "No favorites yet."), "No favorites yet.")
  assert.equal(pictures({ count: 1 }), "1 comic, 3.0 MB")
  assert.equal(pictures({ missing: 50, missingSize: 3e6 }), "50 comics, 3.0 MB")
  assert.equal(pictures({ missing: 50, missingSize: 1e6, unsized: 30 }), "50 comics, more than 1.0 MB")
  assert.equal(pictures({ missing: 2, missingSize: 1e6 }), "2 of 50 comics to download, 1.0 MB")
  assert.equal(pictures({ missing: 2, unsized: 2 }), "2 of 50 comics to download")
  assert.equal(pictures({ absent: 7 }), "43 comics, 7 not available on xkcd.com")
  assert.equal(pictures({ absent: 7, missing: 43, missingSize: 2e6 }), "43 comics, 2.0 MB, 7 not available on xkcd.com")
})

test("the size of the explanations is described", () => {
  assert.equal(sizeOfExplanations(null), "Size unknown while offline.")
  assert.equal(sizeOfExplanations({ count: 0, missing: 0, size: 0, kept: 0 }), "No explanations yet.")
  assert.equal(sizeOfExplanations({ count: 9, missing: 0, size: 9e6, kept: 9 }), "9 explanations, 9.0 MB, for reading and deep search")
  assert.equal(sizeOfExplanations({ count: 3000, missing: 1000, size: 30e6, kept: 2000 }), "2,000 of 3,000 explanations, 30.0 MB")
})

test("a download is described in each state", () => {
  const job = (state, more = {}) => sentenceOf({ selection: "latest", state, done: 3, total: 50, ...more })
  assert.equal(job("running"), "Downloading: 3 of 50 comics.")
  assert.equal(job("offline"), "3 of 50 comics saved. It goes on when you are back online.")
  assert.equal(
    job("offline", { selection: "explanations", done: 0, total: 0 }), "0 explanations saved. It goes on when you are back online.",
  )
  assert.equal(job("full"), "No space left on this device: 3 of 50 comics saved.")
  assert.equal(job("done", { done: 50 }), "50 comics saved.")
  assert.equal(job("done", { done: 43, absent: 7 }), "43 comics saved, 7 not available on xkcd.com.")
  assert.equal(
    job("done", { done: 42, absent: 7, failed: 1 }),
    "42 comics saved, 7 not available on xkcd.com, 1 couldn’t be fetched. Download again later for these.",
  )
  assert.equal(job("done", { selection: "explanations", done: 1, total: 1 }), "1 explanation saved.")
})

test("the time of the last sync is described, and what waits", () => {
  const now = new Date(2026, 10, 28, 12, 30)
  assert.equal(sentenceOfSync({ at: 0, isWaiting: false }, now), "Not synced yet.")
  assert.match(sentenceOfSync({ at: now.getTime() - 60_000, isWaiting: false }, now), /^Last synced today at .*12.29.*\.$/)
  assert.match(sentenceOfSync({ at: now.getTime() - 86_400_000, isWaiting: true }, now), /^Last synced .*2026.* at .*\. A change waits for the connection\.$/)
})
