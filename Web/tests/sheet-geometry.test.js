// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"

import { settle, velocityOf } from "../src/pages/sheet-geometry.js"

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

test("the speed is that of the last tenth of a second", () => {
  assert.equal(velocityOf([{ y: 0, time: 0 }, { y: 100, time: 150 }, { y: 150, time: 200 }], 200), 1)
  assert.equal(velocityOf([{ y: 0, time: 0 }, { y: 100, time: 50 }], 300), 0)
})
