// Longbox
// SPDX-License-Identifier: MIT
//
// The running device, its turns, its archive, and the sync of the library. The server puts this file before sw.js.

let running = null
let lastTurn = Promise.resolve()

/** Whoever changes the library or the archive does so one after another. */
function inTurn(step) {
  const turn = lastTurn.then(step)
  lastTurn = turn.catch(() => {})
  return turn
}

/** The running device; a browser stops the worker at will, so it is started whenever it is needed. */
function device() {
  running ??= (async () => {
    const [{ segments, library }, module] = await Promise.all([store.all(), compiled("longbox.wasm")])
    return Device.started(module, segments, library)
  })().catch((error) => {
    running = null
    throw error
  })
  return running
}

const modules = {}
function compiled(name) {
  modules[name] ??= (async () => {
    const file = await shellFile(name)
    if (!file) throw new Error(`${name} is not installed.`)
    return WebAssembly.compileStreaming(file)
  })().catch((error) => {
    delete modules[name]
    throw error
  })
  return modules[name]
}

function letGo() {
  running = null
}

let finding = null

/** The running finder: started by the first search, and anew when the archive or the index of explanations has changed. */
function finder() {
  finding ??= (async () => {
    const [{ segments }, index, module] = await Promise.all([
      store.all(), explanations.index().catch(() => undefined), compiled("finder.wasm"),
    ])
    const finder = new Finder()
    await finder.start(module)
    finder.open(segments)
    // Search does without, until it is fetched anew.
    if (index && !finder.explain(index)) await explanations.keepIndex(undefined)
    return finder
  })().catch((error) => {
    finding = null
    throw error
  })
  return finding
}

/** The device's reply; a page that shows a search is asked for again with what the search came to. */
async function respond(device, question) {
  const reply = device.respond(question)
  const search = reply.needs.find(({ kind }) => kind === "search")
  if (!search) return reply
  try {
    const found = (await finder()).find(search.question)
    if (!found) throw new Error("The finder could not read the question.")
    const page = device.respond({ ...question, found })
    return { ...page, isLibraryChanged: page.isLibraryChanged || reply.isLibraryChanged }
  } catch (error) {
    finding = null
    throw error
  }
}

/** Stores the library of the device; false where another worker has stored another since. */
async function keepLibrary(device, durability) {
  const serial = await store.keepLibrary(device.perform(Operation.save), device.serial, durability)
  if (serial === null) return false
  device.serial = serial
  return true
}

/**
 * Answers a question. What it changes in the library is stored first: a form's change on the disk itself.
 * `step` is how the device comes to the answer.
 */
function answer(question, step = (device) => respond(device, question)) {
  return inTurn(async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      let reply
      const current = await device()
      try {
        reply = await step(current)
      } catch (error) {
        letGo()
        throw error
      }
      if (!reply.isLibraryChanged) return reply
      try {
        if (await keepLibrary(current, question.form === undefined ? "relaxed" : "strict")) {
          noteLibraryChange()
          return reply
        }
      } catch (error) {
        letGo()
        if (error.name === "QuotaExceededError") tellAll({ kind: "full" })
        // A page can be shown without noting that it was.
        if (question.form === undefined) return reply
        throw error
      }
      // Another worker has written: its library is taken up, and the question answered anew.
      letGo()
    }
    throw new Error("The library could not be stored.")
  })
}

let facts = null
async function currentFacts() {
  facts ??= (await device()).facts
  return facts
}

function noteLibraryChange() {
  facts = null
}

// The archive

let refreshing = null
let lastRefresh = 0

/** Brings the archive up to date; true where there was something new. */
function refreshArchive({ isWhole = false } = {}) {
  refreshing ??= fetchArchive(isWhole).finally(() => { refreshing = null })
  return refreshing
}

/** The same, but no more than every five minutes; a worker that was stopped meanwhile knows from the store. */
async function refreshArchiveNowAndThen() {
  lastRefresh ||= (await store.get("refreshed")) ?? 0
  if (Date.now() - lastRefresh > 5 * 60_000) await refreshArchive()
}

/** After this many deltas one is asked for that holds all of them. */
const mostDeltas = 24

async function fetchArchive(isWhole) {
  const known = isWhole ? null : await store.archive()
  const isLong = known && known.parts > mostDeltas
  const since = isLong ? known.base : known?.revision ?? 0
  const query = `since=${since}&rules=${known?.rules ?? 0}&samples=${known?.samples ?? 0}`
  const response = await ask(`/archive?${query}`, { cache: "no-cache" })
  if (!response.ok) throw new Error(`/archive answered ${response.status}`)
  lastRefresh = Date.now()
  await store.set("refreshed", lastRefresh)
  if (response.status === 204) return false
  const segment = await response.arrayBuffer()
  if (!isSegment(segment)) throw new Error("/archive answered with something else.")
  const { revision, base, rules, samples } = heading(segment)
  try {
    await inTurn(async () => {
      const place = base === 0 ? 0 : isLong ? 1 : known.parts
      // Opened first, or what does not fit would take the place of what does.
      const { segments, library } = await store.all()
      const opened = await Device.started(await compiled("longbox.wasm"), [...segments.slice(0, place), segment], library)
      // Comic 1 of the sample box is another than xkcd's.
      if (base === 0 && known && known.samples !== samples) await explanations.clear()
      const archive = base === 0 ? { revision, base: revision, rules, samples } : { ...known, revision }
      await store.keepSegments(place, [segment], { ...archive, parts: place + 1 })
      running = Promise.resolve(opened)
      finding = null
    })
  } catch (error) {
    // What does not fit together is fetched whole, once.
    if (!(error instanceof DamagedArchive) || base === 0) throw error
    return fetchArchive(true)
  }
  await noteArchive(segment).catch(() => {})
  return true
}

// Sync

let syncing = null
let isSyncDue = false
let isSyncForced = false

/**
 * Fetches the library that the server has for this browser, where the device has none: a form that was sent while this worker
 * was being installed went past it.
 */
async function lookForLibrary() {
  if (await store.get("synced")) return
  const response = await ask("/device.json", { cache: "no-store" })
  if ((await response.json()).library) await sync({ isForced: true })
}

let lastLook = 0

/** The same, but no more than every ten seconds. */
async function lookForLibraryNowAndThen() {
  if (Date.now() - lastLook < 10_000) return
  lastLook = Date.now()
  await lookForLibrary()
}

/** Syncs, and once more where it is asked for meanwhile. Whoever never changed anything has nothing to sync. */
function sync({ isForced = false } = {}) {
  isSyncDue = true
  isSyncForced ||= isForced
  syncing ??= (async () => {
    try {
      while (isSyncDue) {
        const isThisForced = isSyncForced
        isSyncDue = isSyncForced = false
        await exchange(isThisForced)
      }
    } finally {
      syncing = null
    }
  })()
  return syncing
}

const mostRounds = 5

async function exchange(isForced) {
  if (!isForced && !(await currentFacts()).hasUnsentEdits && !(await store.get("synced"))) return
  let isChanged = false
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      const nonce = new MessageWriter().word64(random64()).message
      const request = await inTurn(async () => (await device()).perform(Operation.request, nonce))
      const response = await ask("/sync", {
        method: "POST", body: request, headers: { "content-type": "application/octet-stream" }, cache: "no-store",
      })
      if (!response.ok) throw new Error(`/sync answered ${response.status}`)
      const reply = new Uint8Array(await response.arrayBuffer())
      const [progress, hasChanged] = await inTurn(() => receive(reply))
      isChanged ||= hasChanged === 1
      if (progress !== 1) break
    }
    await store.set("synced", true)
  } catch (error) {
    await registration.sync?.register("library").catch(() => {})
    throw error
  } finally {
    if (isChanged) {
      noteLibraryChange()
      tellAll({ kind: "library" })
      // For favourites of another device; nobody waits for it, and what fails is tried again when the worker catches up.
      keepFavorites().catch(() => {})
      keepAlbums().catch(() => {})
    }
  }
}

/** Takes a reply in; where another worker has written meanwhile, or it can't be read, it counts as lost. */
async function receive(reply) {
  const current = await device()
  const outcome = current.perform(Operation.receive, new MessageWriter().word64(Date.now()).bytes(reply).message)
  if (!outcome) throw new Error("The reply of the sync can't be read.")
  if (!(await keepLibrary(current, "strict"))) {
    letGo()
    return [1, 0]
  }
  // What was unsent has arrived. Otherwise the facts stay the same ones, by which quizzes know that nothing has changed.
  if (facts?.hasUnsentEdits) facts = null
  return outcome
}
