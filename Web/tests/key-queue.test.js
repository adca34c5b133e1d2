// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { KeyQueue, shortcutKey } from "../src/pages/key-queue.js"

const keyOf = (key) => ({ key, isShifted: false, isInDetails: false })

/** A queue that records which keys acted, and a step for it to wait for. */
function arrange(act = () => {}) {
  const acted = []
  const step = Promise.withResolvers()
  const queue = new KeyQueue(({ key }) => {
    acted.push(key)
    act(key, queue)
  })
  return { acted, queue, step, press: (...keys) => keys.forEach((key) => queue.press(keyOf(key), false)) }
}

test("a key acts at once if no step is in progress", () => {
  const { acted, press } = arrange()
  press("a")
  assert.deepEqual(acted, ["a"])
})

test("keys wait for a step, then act in order", async () => {
  const { acted, queue, step, press } = arrange()
  queue.waitFor(step.promise)
  press("a", "b", "c")
  assert.deepEqual(acted, [])
  assert.ok(queue.has(({ key }) => key === "b"))
  step.resolve()
  await step.promise
  assert.deepEqual(acted, ["a", "b", "c"])
  assert.ok(!queue.has(({ key }) => key === "b"))
})

test("keys act after the step has failed", async () => {
  const { acted, queue, step, press } = arrange()
  queue.waitFor(step.promise)
  press("a")
  step.reject(new Error("offline"))
  await step.promise.catch(() => {})
  assert.deepEqual(acted, ["a"])
})

test("a key waits for the step that the previous key started", async () => {
  const turn = Promise.withResolvers()
  const { acted, queue, step, press } = arrange((key, queue) => { if (key === "turn") queue.waitFor(turn.promise) })
  queue.waitFor(step.promise)
  press("turn", "b")
  step.resolve()
  await step.promise
  assert.deepEqual(acted, ["turn"])
  turn.resolve()
  await turn.promise
  assert.deepEqual(acted, ["turn", "b"])
})

test("keys wait for all steps", async () => {
  const { acted, queue, step, press } = arrange()
  const other = Promise.withResolvers()
  queue.waitFor(step.promise)
  queue.waitFor(other.promise)
  press("a")
  step.resolve()
  await step.promise
  assert.deepEqual(acted, [])
  other.resolve()
  await other.promise
  assert.deepEqual(acted, ["a"])
})

test("repeats of a held key are dropped while waiting, and at most sixteen keys wait", async () => {
  const { acted, queue, step, press } = arrange()
  queue.waitFor(step.promise)
  press("a")
  queue.press(keyOf("a"), true)
  press(..."bcdefghijklmnopqrs")
  step.resolve()
  await step.promise
  assert.equal(acted.join(""), "abcdefghijklmnop")
})

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
