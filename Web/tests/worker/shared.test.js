// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { handle } from "../../src/shared/messages.js"
import { AsyncMutex, singleFlight, within } from "../../src/worker/timing.js"

test("a message reaches the handler of its kind", () => {
  const handlers = { download: ({ selection }) => `downloads ${selection}` }
  assert.equal(handle(handlers, { kind: "download", selection: "latest" }), "downloads latest")
  for (const message of [{ kind: "other" }, { kind: "toString" }, null, undefined]) assert.equal(handle(handlers, message), undefined)
})

test("within returns undefined after a failure or a timeout", async () => {
  assert.equal(await within(1_000, Promise.resolve(5)), 5)
  assert.equal(await within(1_000, Promise.reject(new Error("broken"))), undefined)
  assert.equal(await within(1, new Promise(() => {})), undefined)
})

test("a mutex runs steps one after another, even after a failure", async () => {
  const mutex = new AsyncMutex()
  const log = []
  const step = (name) => mutex.run(async () => {
    log.push(`${name} begins`)
    await Promise.resolve()
    log.push(`${name} ends`)
    if (name === "a") throw new Error("broken")
    return name
  })
  const [a, b] = await Promise.allSettled([step("a"), step("b")])
  assert.deepEqual([a.status, b.value], ["rejected", "b"])
  assert.deepEqual(log, ["a begins", "a ends", "b begins", "b ends"])
})

test("a call joins the one in progress", async () => {
  let calls = 0
  const work = singleFlight(async () => { calls += 1; return calls })
  assert.deepEqual(await Promise.all([work(), work()]), [1, 1])
  assert.equal(await work(), 2)
})
