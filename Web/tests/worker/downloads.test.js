// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Downloads, Storage } from "../../src/worker/downloads.js"
import { Store } from "../../src/worker/store.js"
import { fakeDatabases, fakeRanges } from "./fake-databases.js"
import { fakeConnection, fakePages } from "./fakes.js"

const comics = (count) => Array.from({ length: count }, (_, index) => ({ comic: index + 1, version: 0, size: 10 }))

/**
 * Downloads of ten pictures; `outcome` gives the result for each, and `kept` holds the cached ones. Of eight explanations,
 * four are cached; `endings` are those of the runs that download them, and `goesOn` has whether each was to go on.
 */
function newDownloads({ outcome = () => "kept", endings = ["done"], onExplanations = () => {}, server } = {}) {
  const store = new Store(fakeDatabases(), fakeRanges)
  const pages = fakePages()
  const [kept, absent] = [new Set(), new Set()]
  const [asked, goesOn] = [[], []]
  const pictures = {
    kept: async () => new Set(kept),
    absent: async () => new Set(absent),
    download: async ({ comic }) => {
      asked.push(comic)
      const result = await outcome(comic)
      if (result === "kept") kept.add(comic)
      if (result === "absent") absent.add(comic)
      return result
    },
  }
  const explanations = {
    store: { count: async () => 4, progress: async () => undefined },
    download: {
      run: async (isStopped, report) => {
        onExplanations()
        const ending = endings.shift()
        if (ending !== "offline") goesOn.push(await report(8))
        return (await isStopped()) ? "stopped" : ending
      },
    },
  }
  const downloads = new Downloads({
    store, host: { pictures: async () => comics(10) }, pictures, explanations,
    connection: fakeConnection(server ?? { "/device.json": () => Response.json({ explanations: { count: 8, size: 800 } }) }), pages,
  })
  return { downloads, store, pages, kept, absent, asked, goesOn }
}

test("a download fetches missing pictures", async () => {
  const { downloads, kept, asked, pages } = newDownloads()
  kept.add(3)
  await downloads.start("everything")
  assert.deepEqual(asked.toSorted((a, b) => a - b), [1, 2, 4, 5, 6, 7, 8, 9, 10])
  assert.deepEqual(await downloads.current(), { selection: "everything", state: "done", failed: 0, done: 10, total: 10 })
  assert.deepEqual(pages.messages.at(-1).job, await downloads.current())
  assert.ok(pages.messages.some(({ job }) => job.state === "running" && job.done > 1))
})

test("a picture that xkcd.com doesn't have is counted as absent, and is not requested again", async () => {
  const { downloads, asked } = newDownloads({ outcome: (comic) => (comic === 5 ? "absent" : "kept") })
  const end = { selection: "everything", state: "done", failed: 0, done: 9, total: 10, absent: 1 }
  await downloads.start("everything")
  assert.deepEqual(await downloads.current(), end)
  await downloads.start("everything")
  assert.deepEqual(await downloads.current(), end)
  assert.equal(asked.filter((comic) => comic === 5).length, 1)
})

test("failed pictures are counted", async () => {
  const { downloads } = newDownloads({ outcome: (comic) => (comic < 3 ? "failed" : "kept") })
  await downloads.start("everything")
  assert.deepEqual(await downloads.current(), { selection: "everything", state: "done", failed: 2, done: 8, total: 10 })
})

for (const ending of ["offline", "full"]) {
  test(`a download that ends ${ending} can be started again`, async () => {
    let isOver = true
    const { downloads } = newDownloads({ outcome: (comic) => (isOver && comic > 5 ? ending : "kept") })
    await downloads.start("everything")
    assert.equal((await downloads.current()).state, ending)
    isOver = false
    await (ending === "offline" ? downloads.run() : downloads.start("everything"))
    assert.deepEqual(await downloads.current(), { selection: "everything", state: "done", failed: 0, done: 10, total: 10 })
  })
}

test("a stopped download keeps what it has, and another one fetches only the rest", async () => {
  let stopping
  const { downloads, kept, asked } = newDownloads({
    outcome: (comic) => {
      if (comic === 5) stopping ??= downloads.stop()
      return "kept"
    },
  })
  await downloads.start("everything")
  await stopping
  await downloads.settled()
  const before = new Set(kept)
  assert.ok(before.size > 0 && before.size < 10)
  asked.length = 0
  await downloads.start("everything")
  assert.equal((await downloads.current()).state, "done")
  assert.ok(asked.every((comic) => !before.has(comic)))
})

for (const isStopped of [false, true]) {
  test(`a download that is started while another ${isStopped ? "is stopping" : "runs"} starts once that has ended`, async () => {
    const [begun, queued, picture] = [Promise.withResolvers(), Promise.withResolvers(), Promise.withResolvers()]
    const events = []
    const { downloads, pages } = newDownloads({
      outcome: async (comic) => {
        begun.resolve()
        if (comic === 1) {
          await picture.promise
          events.push("picture")
        }
        return "kept"
      },
      onExplanations: () => { events.push("explanations") },
    })
    const { broadcast } = pages
    pages.broadcast = async (message) => {
      await broadcast(message)
      if (message.job?.selection === "explanations") queued.resolve()
    }
    const first = downloads.start("everything")
    await begun.promise
    if (isStopped) await downloads.stop()
    const second = downloads.start("explanations")
    await queued.promise
    events.push("queued")
    picture.resolve()
    await Promise.all([first, second])
    assert.deepEqual(events, ["queued", "picture", "explanations"])
    assert.deepEqual(await downloads.current(), { selection: "explanations", state: "done", failed: 0, done: 4, total: 8 })
  })
}

test("a download starts although the one before it has failed", async () => {
  let isBroken = true
  const { downloads } = newDownloads({
    outcome: () => {
      if (isBroken) throw new Error("broken")
      return "kept"
    },
  })
  await assert.rejects(downloads.start("latest"), { message: "broken" })
  isBroken = false
  await downloads.start("everything")
  assert.equal((await downloads.current()).state, "done")
})

test("a stopped download is removed", async () => {
  let stopping
  const { downloads } = newDownloads({
    outcome: (comic) => {
      if (comic === 5) stopping ??= downloads.stop()
      return "kept"
    },
  })
  await downloads.start("everything")
  await stopping
  await downloads.settled()
  assert.equal(await downloads.current(), null)
})

test("explanations are a download with a count of their own", async () => {
  const { downloads } = newDownloads()
  await downloads.start("explanations")
  assert.deepEqual(await downloads.current(), { selection: "explanations", state: "done", failed: 0, done: 4, total: 8 })
  const failing = newDownloads({ endings: ["failed"] })
  await failing.downloads.start("explanations")
  assert.deepEqual(await failing.downloads.current(), { selection: "explanations", state: "done", failed: 4, done: 4, total: 8 })
})

test("explanations are downloaded in slices, and an open page continues them", async () => {
  const { downloads, pages, goesOn } = newDownloads({
    endings: ["running", "done"],
    // As if the first chunk took that long.
    onExplanations: () => { later += 16_000 },
  })
  const now = Date.now
  let later = 0
  Date.now = () => now() + later
  try {
    await downloads.start("explanations")
  } finally {
    Date.now = now
  }
  assert.deepEqual([goesOn, (await downloads.current()).state], [[false], "running"])
  assert.deepEqual(pages.messages.at(-1), { kind: "continue" })
  await downloads.run()
  assert.deepEqual([goesOn, (await downloads.current()).state], [[false, true], "done"])
})

test("a download of explanations that is started while the server is away waits for it", async () => {
  const { downloads } = newDownloads({ server: {}, endings: ["offline", "done"] })
  await downloads.start("explanations")
  assert.deepEqual(await downloads.current(), { selection: "explanations", state: "offline", failed: 0, done: 4, total: 0 })
  await downloads.run()
  assert.deepEqual(await downloads.current(), { selection: "explanations", state: "done", failed: 0, done: 4, total: 8 })
})

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
