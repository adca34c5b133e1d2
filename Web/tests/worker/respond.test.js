// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { RequestLoop } from "../../src/worker/respond.js"
import { fakeConnection } from "./fakes.js"

const need = (kind, key = "") => ({ kind, key })
const response = (more = {}) => ({ needs: null, response: { serverMayKnowMore: false, ...more } })
const value = (text) => ({ state: "value", value: text })

/** A loop over a device with these replies; `rounds` records the requests. */
function newLoop(replies, loaders = {}, connection = fakeConnection()) {
  const rounds = []
  const host = {
    respond: async (round) => {
      rounds.push({ ...round, loaded: [...round.loaded] })
      return replies[Math.min(rounds.length, replies.length) - 1]
    },
  }
  return { loop: new RequestLoop({ host, loaders, connection }), rounds }
}

test("a response without needs is returned at once", async () => {
  const { loop, rounds } = newLoop([response({ status: 200 })])
  const outcome = await loop.respond({ path: "/" })
  assert.deepEqual(outcome, { response: { serverMayKnowMore: false, status: 200 }, needs: [], isForServer: false, afterwards: [] })
  assert.deepEqual(rounds, [{ path: "/", isOffline: false, loaded: [] }])
})

test("needs are loaded by kind, and passed on with all earlier ones", async () => {
  const asked = []
  const loader = async (keys) => {
    asked.push(keys)
    return keys.map((key) => value(`of ${key}`))
  }
  const { loop, rounds } = newLoop(
    [{ needs: [need("album", "1"), need("explanationLead", "5"), need("explanationLead", "6")] }, { needs: [need("album", "2")] }, response()],
    { explanationLead: loader, album: loader },
  )
  const outcome = await loop.respond({ path: "/favorites" })
  assert.deepEqual(asked, [["1"], ["5", "6"], ["2"]])
  assert.deepEqual(rounds[2].loaded, [
    { need: need("album", "1"), loaded: value("of 1") },
    { need: need("explanationLead", "5"), loaded: value("of 5") },
    { need: need("explanationLead", "6"), loaded: value("of 6") },
    { need: need("album", "2"), loaded: value("of 2") },
  ])
  assert.equal(outcome.needs.length, 4)
})

test("needs are unreachable if their loader fails or returns too little", async () => {
  const { loop, rounds } = newLoop([{ needs: [need("album", "1"), need("latest")] }, response()], {
    album: async () => { throw new Error("broken") },
    latest: async () => [],
  })
  await loop.respond({ path: "/" })
  assert.deepEqual(rounds[1].loaded.map(({ loaded }) => loaded), [{ state: "unreachable" }, { state: "unreachable" }])
})

test("a loader can leave the request to the server", async () => {
  const afterwards = async () => {}
  const { loop, rounds } = newLoop([{ needs: [need("album", "1"), need("latest")] }], {
    album: async () => [{ state: "elsewhere", afterwards }],
    latest: async () => [value("")],
  })
  assert.deepEqual(await loop.respond({ path: "/albums/1" }), { response: null, needs: [], isForServer: true, afterwards: [afterwards] })
  assert.equal(rounds.length, 1)
})

test("the device may prefer the server's response, but only while online", async () => {
  const better = response({ serverMayKnowMore: true })
  assert.equal((await newLoop([better]).loop.respond({ path: "/" })).isForServer, true)
  assert.equal((await newLoop([better]).loop.respond({ path: "/" }, { isOffline: true })).isForServer, false)
  const offline = fakeConnection({}, { isOnline: false })
  assert.equal((await newLoop([better], {}, offline).loop.respond({ path: "/" })).isForServer, false)
  // The server may be back, although the last request failed.
  const unreached = fakeConnection({}, { isConnected: false })
  assert.equal((await newLoop([better], {}, unreached).loop.respond({ path: "/" })).isForServer, true)
})

test("the device and the loaders receive the connection's state", async () => {
  const contexts = []
  const loaders = { latest: async (_keys, context) => { contexts.push(context); return [value("")] } }
  const connection = fakeConnection()
  const { loop, rounds } = newLoop([{ needs: [need("latest")] }, response(), { needs: [need("latest")] }, response()], loaders, connection)
  await loop.respond({ path: "/" })
  await loop.respond({ path: "/" }, { isOffline: true })
  assert.deepEqual(contexts, [{ isOnline: true }, { isOnline: false }])
  assert.deepEqual(rounds.map(({ isOffline }) => isOffline), [false, false, true, true])
})

test("loading may find the server out of reach", async () => {
  const connection = fakeConnection()
  const loaders = { latest: async () => { connection.isConnected = false; return [] } }
  const { loop, rounds } = newLoop([{ needs: [need("latest")] }, response()], loaders, connection)
  await loop.respond({ path: "/" })
  assert.equal(rounds[1].isOffline, true)
})

test("a request fails after six rounds of needs", async () => {
  const { loop, rounds } = newLoop([{ needs: [need("latest")] }], { latest: async () => [value("")] })
  await assert.rejects(loop.respond({ path: "/" }), /still has needs after 6 rounds/)
  assert.equal(rounds.length, 6)
})
