// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { count, sentenceOf, size, sizeOfExplanations, sizeOfPictures } from "../src/pages/settings-texts.js"

test("counts use the singular for one", () => {
  assert.deepEqual([0, 1, 2, 3281].map((number) => count(number, "comic")), ["0 comics", "1 comic", "2 comics", "3,281 comics"])
})

test("sizes are in MiB, with a decimal place below 100", () => {
  assert.deepEqual([0, 1 << 20, 1.55 * 2 ** 20, 250.4 * 2 ** 20].map(size), ["0.0 MiB", "1.0 MiB", "1.6 MiB", "250 MiB"])
})

test("the size of a download is described", () => {
  assert.equal(sizeOfPictures({ count: 0, missing: 0, missingSize: 0 }), "There are none.")
  assert.equal(sizeOfPictures({ count: 1, missing: 0, missingSize: 0 }), "1 picture, on this device already.")
  assert.equal(sizeOfPictures({ count: 50, missing: 2, missingSize: 1 << 20 }), "2 pictures of 50 to fetch, 1.0 MiB.")
  assert.equal(sizeOfPictures({ count: 50, missing: 2, missingSize: 0 }), "2 pictures of 50 to fetch, size not known yet.")
  assert.equal(sizeOfExplanations(null), "Not known without a connection.")
  assert.equal(sizeOfExplanations({ count: 0, missing: 0, size: 0, kept: 0 }), "There are none.")
  assert.equal(sizeOfExplanations({ count: 9, missing: 0, size: 9, kept: 9 }), "9 texts, on this device already.")
  assert.equal(
    sizeOfExplanations({ count: 3000, missing: 1000, size: 30 << 20, kept: 2000 }),
    "3,000 texts for reading and deep search, about 30.0 MiB; 2,000 on this device.",
  )
})

test("a download is described in each state", () => {
  const job = (state, more = {}) => sentenceOf({ selection: "latest", state, done: 3, total: 50, ...more })
  assert.equal(job("running"), "Downloading: 3 of 50 pictures.")
  assert.equal(job("paused"), "Paused: 3 of 50 pictures on this device.")
  assert.equal(job("offline"), "3 of 50 pictures on this device. It goes on when you are back online.")
  assert.equal(job("full"), "There is no more room on this device: 3 of 50 pictures stay on it.")
  assert.equal(job("done"), "Done: 50 pictures on this device.")
  assert.equal(job("done", { failed: 1 }), "1 picture could not be fetched. Download again later for these.")
  assert.equal(job("done", { selection: "explanations", total: 1 }), "Done: 1 explanation on this device.")
})
