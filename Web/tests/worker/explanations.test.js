// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Explanations, ExplanationStore } from "../../src/worker/explanations.js"
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
