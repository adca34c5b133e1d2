// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { ExplanationDownload, ExplanationStore } from "../../src/worker/explanations.js"
import { fakeDatabases } from "./fake-databases.js"
import { fakeConnection, fakePages } from "./fakes.js"

/** A download of two chunks with one explanation each; the second transfer breaks off while `state.isBroken`. */
function newDownload(state) {
  const explanations = new ExplanationStore(fakeDatabases())
  const chunk = (comic, isLast) => Response.json({
    change: comic, samples: false, isLast, count: 2, explanations: [{ comic, beginning: "<p>a</p>", whole: "" }],
  })
  const connection = fakeConnection({
    "/explanations?since=0&samples=0": () => chunk(1, false),
    "/explanations?since=1&samples=0": () => state.isBroken ? new Response('{"change": 2, "explan') : chunk(2, true),
    "/explanations/index": () => new Response(null, { status: 204 }),
  })
  const download = new ExplanationDownload({
    explanations, store: { archive: async () => undefined }, connection, pages: fakePages(),
    host: { exclusively: (step) => step(), drop() {} },
  })
  return { download, explanations }
}

test("a run may end after a chunk, and the next one goes on from there", async () => {
  const { download, explanations } = newDownload({})
  const totals = []
  const report = async (total) => { totals.push(total); return false }
  assert.equal(await download.run(async () => false, report), "running")
  assert.equal(await explanations.count(), 1)
  assert.equal(await download.run(async () => false, report), "done")
  assert.equal(await explanations.count(), 2)
  assert.deepEqual(totals, [2, 2])
})

test("a transfer that breaks off ends the download, and the next run goes on from there", async () => {
  const state = { isBroken: true }
  const { download, explanations } = newDownload(state)
  assert.equal(await download.run(async () => false), "offline")
  assert.equal(await explanations.count(), 1)
  state.isBroken = false
  assert.equal(await download.run(async () => false), "done")
  assert.equal(await explanations.count(), 2)
})
