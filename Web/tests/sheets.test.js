// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { dragOf, settle, stepOf, velocityOf } from "../src/pages/sheets.js"

const stops = { half: 400, full: 800 }

/** @type {["half" | "full", number, number, string][]} */
const drags = [
  ["half", 400, 0, "half"],
  ["half", 539, 0, "half"],
  ["half", 541, 0, "full"],
  ["half", 301, 0, "half"],
  ["half", 299, 0, "closed"],
  ["half", 390, 0.4, "closed"],
  ["half", 410, -0.4, "full"],
  ["full", 661, 0, "full"],
  ["full", 659, 0, "half"],
  ["full", 299, 0, "closed"],
  ["full", 700, 0.4, "half"],
  ["full", 250, 0.4, "closed"],
  ["full", 700, 2, "closed"],
]

for (const [from, height, speed, stop] of drags) {
  test(`a sheet dragged from ${from} to ${height} at ${speed} px/ms: ${stop}`, () => {
    assert.equal(settle({ height, speed, from, ...stops }), stop)
  })
}

for (const [height, speed, stop] of /** @type {[number, number, string][]} */ ([[300, 0, "half"], [220, 0, "closed"], [290, 0.4, "closed"]])) {
  test(`a sheet of one height dragged to ${height} at ${speed} px/ms: ${stop}`, () => {
    assert.equal(settle({ height, speed, from: "half", half: 300, full: 300 }), stop)
  })
}

/** What the finger drags, how far it moves across and down, expected */
const fingers = [
  ["a half sheet grows", {}, [2, -20], "resize"],
  ["a half sheet shrinks", {}, [2, 20], "resize"],
  ["a half sheet that was scrolled by a wheel shrinks", { isAtTop: false }, [2, 20], "resize"],
  ["a full sheet scrolls", { isFull: true }, [2, -20], "scroll"],
  ["a full sheet that is scrolled scrolls back", { isFull: true, isAtTop: false }, [2, 20], "scroll"],
  ["a full sheet at its top shrinks", { isFull: true }, [2, 20], "resize"],
  ["a finger to the side changes the segment", {}, [20, 10], "swipe"],
  ["a finger to the side scrolls a table", { scrollsSideways: true }, [20, 10], "scroll"],
]
for (const [name, state, [across, down], kind] of fingers) {
  test(name, () => assert.equal(dragOf({ across, down, isFull: false, isAtTop: true, scrollsSideways: false, ...state }), kind))
}

test("a swipe to the left leads to the next segment", () => {
  assert.deepEqual([-46, 46, -44, 44, 0].map(stepOf), [1, -1, 0, 0, 0])
})

test("the speed is that of the last tenth of a second", () => {
  assert.equal(velocityOf([{ y: 0, time: 0 }, { y: 100, time: 150 }, { y: 150, time: 200 }], 200), 1)
  assert.equal(velocityOf([{ y: 0, time: 0 }, { y: 100, time: 50 }], 300), 0)
})
