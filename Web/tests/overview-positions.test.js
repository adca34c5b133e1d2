// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { labels, Positions } from "../src/pages/overview-positions.js"

const positions = new Positions([{ year: "2026", count: 94 }, { year: "2025", count: 156 }, { year: "2024", count: 1 }])

test("every comic has its own position on the scrubber", () => {
  for (const index of [0, 1, 93, 94, 249, 250]) assert.equal(positions.indexAt(positions.shareOf(index)), index)
  assert.equal(positions.indexAt(-1), 0)
  assert.equal(positions.indexAt(2), 250)
})

test("a comic's year is known", () => {
  assert.deepEqual([0, 93, 94, 249, 250].map((index) => positions.yearOf(index)), ["2026", "2026", "2025", "2025", "2024"])
})

test("Page Up and Page Down go from year to year", () => {
  assert.deepEqual([0, 50, 94, 95, 250].map((index) => positions.yearAfter(index)), [94, 94, 250, 250, 250])
  assert.deepEqual([0, 50, 94, 95, 250].map((index) => positions.yearBefore(index)), [0, 0, 0, 94, 94])
})

test("every other year is labeled", () => {
  assert.deepEqual(labels(positions).map(({ text }) => text), ["26", "·", "24"])
  assert.equal(labels(positions)[0].share, 0)
})

test("a page without comics has no positions", () => {
  const none = new Positions([])
  assert.deepEqual([none.indexAt(0.5), none.shareOf(0), none.yearOf(0), none.yearAfter(0)], [0, 0, "", 0])
})
