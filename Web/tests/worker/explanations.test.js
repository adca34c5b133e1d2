// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { ExplanationDownload, Explanations, ExplanationStore } from "../../src/worker/explanations.js"
import { fakeDatabases } from "./fake-databases.js"
import { fakeConnection, fakePages } from "./fakes.js"

/** Explanations from a server that can't give the one of comic 5. */
function newExplanations(responses = {}) {
  const store = new ExplanationStore(fakeDatabases())
  const explanation = (comic) => () => Response.json({ comic, beginning: "", whole: "<p>text</p>" })
  const connection = fakeConnection({
    "/explanations/4": explanation(4), "/explanations/5": () => new Response("", { status: 500 }), "/explanations/6": explanation(6), ...responses,
  })
  return { explanations: new Explanations({ store, connection, pages: fakePages(), headers: {} }), store, connection }
}

test("an explanation that can't be had doesn't keep others back", async () => {
  const { explanations, store } = newExplanations()
  await explanations.refresh([4, 5, 6])
  assert.deepEqual(await store.comics(), new Set([4, 6]))
})

test("without a connection, no more explanations are asked for", async () => {
  const { explanations, connection } = newExplanations()
  await explanations.refresh([7, 4])
  assert.deepEqual(connection.sent, ["/explanations/7"])
})

test("after two failures in a row, no more explanations are asked for", async () => {
  const { explanations, connection } = newExplanations({ "/explanations/8": () => new Response("", { status: 500 }) })
  await explanations.refresh([5, 8, 4])
  assert.deepEqual(connection.sent, ["/explanations/5", "/explanations/8"])
})

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
