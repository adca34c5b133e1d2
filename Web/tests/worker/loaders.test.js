// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { needKinds } from "../../src/worker/device.js"
import { bitsOf, loaders } from "../../src/worker/respond.js"

const value = (text) => ({ state: "value", value: text })
const [absent, unreachable, elsewhere] = ["absent", "unreachable", "elsewhere"].map((state) => ({ state }))
const online = { isOnline: true }
const offline = { isOnline: false }

const table = ({ archive = {}, explanations = {}, albums = {}, pictures = {} } = {}) => loaders({ archive, explanations, albums, pictures })

test("each kind of need has a loader", () => {
  assert.deepEqual(Object.keys(table()), [...needKinds])
})

test("a comic is found once the archive has changed", async () => {
  let isNew = true
  let asked = 0
  const { latest, comic } = table({ archive: { refresh: async () => { asked += 1; return isNew } } })
  assert.deepEqual(await latest([""], online), [value("")])
  assert.deepEqual(await comic(["5", "6"], online), [value(""), value("")])
  isNew = false
  assert.deepEqual(await comic(["5"], online), [unreachable])
  assert.equal(asked, 3)
  assert.deepEqual(await comic(["5"], offline), [unreachable])
  assert.equal(asked, 3, "without a connection nothing is asked")
})

test("a comic is unreachable if the archive can't be fetched", async () => {
  const { comic } = table({ archive: { refresh: async () => { throw new Error("no archive") } } })
  assert.deepEqual(await comic(["5"], online), [unreachable])
})

test("a picture's facts are left to the next archive refresh", async () => {
  assert.deepEqual(await table().picture(["5"], online), [unreachable])
})

test("beginnings of explanations are read together and never fetched", async () => {
  const asked = []
  const { explanationLead } = table({
    explanations: { some: async (comics) => { asked.push(comics); return [{ comic: 6, beginning: "<p>six</p>" }, { comic: 7, beginning: "" }] } },
  })
  assert.deepEqual(await explanationLead(["5", "6", "7"], online), [unreachable, value("<p>six</p>"), unreachable])
  assert.deepEqual(asked, [[5, 6, 7]])
})

test("stored texts of explanations are read together", async () => {
  const kept = [{ comic: 6, text: "six" }, { comic: 7 }]
  const { explanationText } = table({ explanations: { some: async () => kept } })
  assert.deepEqual(await explanationText(["5", "6", "7"], online), [unreachable, value("six"), unreachable])
})

test("an explanation is found, absent or unreachable", async () => {
  const known = { 5: { whole: "<p>five</p>" }, 6: null, 7: undefined }
  const { explanation } = table({ explanations: { find: async (comic, { isOnline }) => (isOnline ? known[comic] : undefined) } })
  assert.deepEqual(await explanation(["5", "6", "7"], online), [value("<p>five</p>"), absent, unreachable])
  assert.deepEqual(await explanation(["6"], offline), [unreachable])
})

test("an uncached album is left to the server, then cached", async () => {
  const shown = []
  const albums = { page: async (key) => (key === "1" ? "an album" : null), keepShown: async (key) => { shown.push(key) } }
  const { album } = table({ albums })
  const [kept, other] = await album(["1", "2?country=us"], online)
  assert.deepEqual(kept, value("an album"))
  assert.equal(other.state, "elsewhere")
  await other.afterwards()
  assert.deepEqual(shown, ["2?country=us"])
  assert.deepEqual(await album(["2"], offline), [unreachable])
})

test("a quiz on an uncached album is left to the server", async () => {
  const { quizAlbum } = table({ albums: { quiz: async (key) => (key === "1" ? "an album" : null) } })
  assert.deepEqual(await quizAlbum(["1", "2"], online), [value("an album"), elsewhere])
  assert.deepEqual(await quizAlbum(["2"], offline), [unreachable])
})

test("only saved albums on this device count", async () => {
  const { storedAlbum } = table({ albums: { saved: async (key) => (key === "1" ? "an album" : null) } })
  assert.deepEqual(await storedAlbum(["1", "2"], online), [value("an album"), absent])
})

for (const kind of ["artists", "discography", "server"]) {
  test(`${kind} is left to the server`, async () => {
    assert.deepEqual(await table()[kind]([""], online), [elsewhere])
    assert.deepEqual(await table()[kind]([""], offline), [unreachable])
  })
}

test("each stored comic is one bit", async () => {
  const { storedComics } = table({ pictures: { kept: async () => new Set([1, 9, 16]) } })
  assert.deepEqual(await storedComics([""], offline), [value(Uint8Array.of(0b10, 0b10, 0b1))])
  assert.deepEqual(bitsOf(new Set()), Uint8Array.of(0))
})
