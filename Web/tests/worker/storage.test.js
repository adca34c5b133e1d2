// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Storage } from "../../src/worker/downloads.js"

/**
 * Storage with ten pictures, one of them a favorite's; the archive comes when `archive` is resolved, and `cleared` has the
 * comics whose explanations each clearing kept.
 */
function newStorage() {
  const cleared = []
  const archive = Promise.withResolvers()
  let kept = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const comics = [...kept].toReversed().map((comic) => ({ comic, size: 10 * comic, year: comic > 7 ? 2007 : 2006 }))
  const storage = new Storage({
    host: {
      pictures: async () => comics,
      facts: async () => ({ favorites: [3] }),
      exclusively: (step) => step(),
      drop() {},
    },
    pictures: {
      kept: async () => new Set(kept),
      absent: async () => new Set(),
      size: async () => kept.size * 10,
      clear: async (except) => { kept = new Set(except) },
    },
    albums: { sizes: async () => ({}), clearShown: async () => {} },
    downloads: { stop: async () => {}, settled: async () => {}, explanationSizes: async () => null },
    explanations: { clear: async (except) => { cleared.push(except) } },
    archive: { refetch: () => archive.promise },
    connection: { isConnected: true },
  })
  return { storage, archive, cleared }
}

test("sizes are counted after clearing, not within it", async () => {
  const { storage, archive } = newStorage()
  assert.equal((await storage.sizes()).kept, 10)
  const cleared = storage.clear()
  const order = []
  const sizes = storage.sizes().then((found) => { order.push("sizes"); return found })
  cleared.then(() => order.push("cleared"))
  archive.resolve()
  const { kept, pictureSize, sizes: { everything } } = await sizes
  assert.deepEqual([kept, pictureSize, everything.missing], [1, 10, 9])
  assert.deepEqual(order, ["cleared", "sizes"])
})

test("sizes are counted after clearing without a connection, too", async () => {
  const { storage, archive } = newStorage()
  const cleared = storage.clear()
  archive.reject(new TypeError("There is no connection."))
  await cleared
  assert.equal((await storage.sizes()).kept, 1)
})

test("the sizes of years are the sums of their pictures, the latest year first", async () => {
  const { storage, archive } = newStorage()
  archive.resolve()
  await storage.clear()
  const found = (await storage.sizes()).years.map(({ year, count, size, missing, missingSize }) => [year, count, size, missing, missingSize])
  assert.deepEqual(found, [[2007, 3, 270, 3, 270], [2006, 7, 280, 6, 250]])
})

test("clearing keeps the explanations of favorites", async () => {
  const { storage, archive, cleared } = newStorage()
  archive.resolve()
  await storage.clear()
  assert.deepEqual(cleared, [[3]])
})
