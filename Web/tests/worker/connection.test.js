// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Connection } from "../../src/worker/connection.js"

// This runtime has no network state.
Object.defineProperty(navigator, "onLine", { value: true, configurable: true })

/** A connection whose server responds with these statuses in turn; `heard` has the messages to pages. */
function connectionTo(...statuses) {
  const heard = []
  globalThis.fetch = async () => new Response("", { status: statuses.shift(), headers: { "content-security-policy": "x" } })
  const connection = new Connection({ broadcast: async (message) => { heard.push(message) } })
  return { connection, heard }
}

test("a 401 signs out, and a successful response of the server ends that", async () => {
  const { connection, heard } = connectionTo(200, 401, 401, 200)
  await connection.send("/archive", { cache: "no-cache" })
  assert.equal(connection.isSignedOut, false)
  await connection.send("/archive", { cache: "no-cache" })
  await connection.send("/sync", { method: "POST", cache: "no-store" })
  assert.equal(connection.isSignedOut, true)
  assert.equal(connection.isConnected, false)
  await connection.send("/sync", { method: "POST", cache: "no-store" })
  assert.equal(connection.isSignedOut, false)
  assert.deepEqual(heard.map(({ isReached, isSignedOut }) => [isReached, isSignedOut]), [[true, false], [true, true], [true, false]])
})

test("until a response has come, nothing is known, and pages hear nothing", async () => {
  const { connection, heard } = connectionTo(200, 401)
  assert.deepEqual([connection.isKnown, connection.isConnected, heard], [false, true, []])
  // This doesn't show whether the device is signed in.
  await connection.send("/healthz", { cache: "no-store" })
  assert.deepEqual([connection.isKnown, heard.shift()], [true, { kind: "connection", isReached: true }])
  connection.noteReached(false)
  heard.length = 0
  // Pages hear at once that the server is back and wants a sign-in.
  await connection.send("/device.json", { cache: "no-store" })
  assert.deepEqual(heard, [{ kind: "connection", isReached: true, isSignedOut: true }])
})

test("a response that the browser may have kept doesn't show that the server is reached", async () => {
  const { connection } = connectionTo()
  /** Whether a response to a request shows that, after the server was out of reach. */
  const shows = async (request, options, caching = "public, max-age=31536000, immutable") => {
    const headers = { "content-security-policy": "x", ...(caching && { "cache-control": caching }) }
    globalThis.fetch = async () => new Response("", { headers })
    connection.noteReached(false)
    await connection.send(request, options)
    return connection.isReached
  }
  const icon = new Request("http://localhost/assets/icon-180.png?v=1")
  assert.equal(await shows(icon), false)
  assert.equal(await shows(icon, {}, ""), false, "browsers may keep it for a while")
  assert.equal(await shows(icon, {}, "public, no-cache"), true)
  assert.equal(await shows("/assets/style.css?v=1", { cache: "no-cache" }), true)
  assert.equal(await shows("/sync", { method: "POST" }, ""), true)
  assert.equal(await shows("/albums/1", { cache: "force-cache" }, "no-cache"), false, "on Back, an old page is shown")
  assert.equal(await shows("/albums/1", { cache: "force-cache" }, "no-store"), true)
})

test("an old request that ends late doesn't change the state", async () => {
  const { connection, heard } = connectionTo()
  const ends = []
  globalThis.fetch = () => new Promise((resolve, reject) => { ends.push({ resolve, reject }) })
  const [first, second] = [connection.send("/comics/1/image"), connection.send("/comics/2/image")]
  ends[1].reject(new TypeError("There is no connection."))
  await assert.rejects(second)
  ends[0].resolve(new Response(""))
  await first
  assert.deepEqual(heard.map(({ isReached }) => isReached), [false])
  assert.equal(connection.isConnected, false)
})

test("a cached or public response doesn't end the signed-out state", async () => {
  const { connection } = connectionTo(401, 200, 200, 200, 200)
  await connection.send("/archive", { cache: "no-cache" })
  await connection.send("/comics/1/image?v=1")
  await connection.send("/healthz", { cache: "no-store" })
  await connection.send("/assets/style.css", { cache: "no-cache" })
  await connection.send(new Request("http://localhost/comics/1/image"))
  assert.equal(connection.isSignedOut, true)
})

test("what a redirect led to doesn't end the signed-out state", async () => {
  const { connection } = connectionTo(401)
  await connection.send("/archive", { cache: "no-cache" })
  globalThis.fetch = async () => Object.defineProperty(new Response("<h1>Log in</h1>", { headers: { "content-security-policy": "x" } }), "redirected", { value: true })
  await connection.send("/device.json", { cache: "no-store" })
  assert.equal(connection.isSignedOut, true)
})

test("paths are requested below the base path", async () => {
  const asked = []
  globalThis.fetch = async (request) => {
    asked.push(typeof request === "string" ? request : request.url)
    return new Response("", { headers: { "content-security-policy": "x" } })
  }
  const connection = new Connection({ broadcast: async () => {} }, "/longbox")
  await connection.send("/archive?since=1")
  await connection.send(new Request("http://localhost/longbox/comics/1/image"))
  assert.deepEqual(asked, ["/longbox/archive?since=1", "http://localhost/longbox/comics/1/image"])
})

test("the worker waits until it knows of the network, too", async () => {
  const { connection } = connectionTo()
  let looks = 0
  Object.defineProperty(navigator, "onLine", { get: () => (looks += 1) > 2, configurable: true })
  await connection.untilOnline()
  assert.equal(connection.isConnected, true)
  assert.equal(looks, 4)
})
