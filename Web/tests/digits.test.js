// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { digitsOf } from "../src/pages/digits.js"

test("a comic number keeps its digits", () => {
  assert.deepEqual(["353", "#353", "12ab5", "https://xkcd.com/1732/", "-7", "x"].map(digitsOf), ["353", "353", "125", "1732", "7", ""])
})
