// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { shortcutKey } from "../src/pages/key-queue.js"

const pressed = (key, code, shiftKey = false) => shortcutKey({ key, code, shiftKey })

test("a letter is the layout's own, whatever Caps Lock says", () => {
  assert.equal(pressed("r", "KeyO"), "r")
  assert.equal(pressed("R", "KeyR"), "r")
  assert.equal(pressed("R", "KeyR", true), "R")
  assert.equal(pressed("r", "KeyR", true), "R")
})

test("without Latin letters the place of a key counts", () => {
  assert.equal(pressed("к", "KeyR"), "r")
  assert.equal(pressed("К", "KeyR", true), "R")
  assert.equal(pressed("К", "KeyR"), "r")
  assert.equal(pressed("φ", "KeyF"), "f")
  assert.equal(pressed("ר", "KeyR"), "r")
})

test("other keys stay", () => {
  for (const key of ["ArrowLeft", "/", "?", "+", "0", "Escape"]) assert.equal(pressed(key, "KeyA"), key)
  assert.equal(pressed("é", "Digit2"), "é")
})
