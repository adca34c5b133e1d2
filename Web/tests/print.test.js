// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"

import { cutsOf, strokesOfRows } from "../src/pages/print.js"

/** Rows of a picture 100 pixels wide: bands of [height, strokes]. */
const rows = (...bands) => bands.flatMap(([height, strokes]) => Array.from({ length: height }, () => strokes))

test("a row's strokes are counted at both edges, in any color", () => {
  const [white, black, red] = [[255, 255, 255, 255], [0, 0, 0, 255], [255, 0, 0, 255]]
  const pixels = [...white, ...white, ...white, ...white, ...white, ...black, ...black, ...white, ...red, ...red, ...white, ...white]
  assert.deepEqual(strokesOfRows(pixels, 4), [0, 2, 1])
})

test("faint paper is no stroke", () => {
  assert.deepEqual(strokesOfRows([250, 248, 243, 255, 255, 255, 255, 255], 2), [0])
})

test("a picture is cut in the middle of its white bands, and not within a panel", () => {
  assert.deepEqual(cutsOf(rows([80, 4], [10, 0], [70, 4], [4, 0], [60, 4]), 100), [0, 85, 162, 224])
})

test("a margin at the picture's edge is not cut off", () => {
  assert.deepEqual(cutsOf(rows([6, 0], [70, 4], [10, 0], [70, 4], [6, 0]), 100), [0, 81, 162])
})

test("a part that is too high for a page is cut where it is emptiest", () => {
  const cuts = cutsOf(rows([18, 30], [6, 2], [20, 30], [6, 2], [20, 30], [6, 2], [40, 30]), 100)
  assert.deepEqual(cuts, [0, 23, 49, 75, 109, 116])
})

test("slices have no gap, and none is too high for a page", () => {
  const strokes = Array.from({ length: 3_000 }, (_, row) => (row * 7_919) % 23)
  const cuts = cutsOf(strokes, 100)
  assert.equal(cuts[0], 0)
  assert.equal(cuts.at(-1), 3_000)
  for (const [index, cut] of cuts.entries()) if (index) assert.ok(cut > cuts[index - 1] && cut - cuts[index - 1] <= 85)
})

test("a picture without rows that could be read has only its ends", () => {
  assert.deepEqual(cutsOf([], 100), [0, 0])
})
