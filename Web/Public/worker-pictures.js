// Longbox
// SPDX-License-Identifier: MIT
//
// Pictures: from memory, else from the device's cache, else from the server; and their download in advance. The server
// puts this file before sw.js.

const pictureCache = "longbox-pictures"
const versionHeader = "longbox-version"
const picturePath = /^\/comics\/(\d+)\/(image|image@2x|thumbnail)$/

/** What stands for a picture that is not here: app.js knows it by its size, 1 by 1, and says so. */
const noPicture = Uint8Array.of(
  71, 73, 70, 56, 57, 97, 1, 0, 1, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 33, 249, 4, 1, 0, 0, 0, 0, 44, 0, 0, 0, 0, 1, 0, 1, 0, 0,
  2, 2, 68, 1, 0, 59,
)

/** The pictures that were shown last, so that they come back at once. */
const pictureMemory = {
  limit: 16 << 20,
  size: 0,
  entries: new Map(),

  get(key) {
    const entry = this.entries.get(key)
    if (!entry) return null
    this.entries.delete(key)
    this.entries.set(key, entry)
    return new Response(entry.bytes, { headers: entry.headers })
  },

  put(key, bytes, headers) {
    if (bytes.byteLength > this.limit / 4 || this.entries.has(key)) return
    this.entries.set(key, { bytes, headers })
    this.size += bytes.byteLength
    for (const [oldest, entry] of this.entries) {
      if (this.size <= this.limit) break
      this.entries.delete(oldest)
      this.size -= entry.bytes.byteLength
    }
  },

  clear() {
    this.entries.clear()
    this.size = 0
  },
}

/** Answers a page's request for a picture. */
async function picture(event, path, version) {
  const key = `${path}?${version}`
  const remembered = pictureMemory.get(key)
  if (remembered) return remembered
  const cache = await caches.open(pictureCache)
  const kept = await cache.match(path)
  if (kept && (version === "" || kept.headers.get(versionHeader) === version)) {
    event.waitUntil(remember(key, kept.clone()))
    return kept
  }
  try {
    if (!isConnected()) throw new TypeError("There is no connection.")
    const response = await ask(event.request)
    // The server has none, or can't get it now.
    if (!response.ok) return kept ?? (await substitute(cache, path)) ?? response
    event.waitUntil(keepSeen(path, version, response.clone()))
    return response
  } catch {
    return kept ?? (await substitute(cache, path)) ?? new Response(noPicture, {
      headers: { "content-type": "image/gif", "cache-control": "no-store" },
    })
  }
}

/** In place of a sharper or smaller picture the plain one. */
async function substitute(cache, path) {
  return cache.match(path.replace(/(image@2x|thumbnail)$/, "image"))
}

async function remember(key, response) {
  const headers = pictureHeaders(response)
  pictureMemory.put(key, await response.arrayBuffer(), headers)
}

const pictureHeaders = (response) => ({
  "content-type": response.headers.get("content-type") ?? "application/octet-stream",
  "x-content-type-options": "nosniff",
})

async function keepSeen(path, version, response) {
  await remember(`${path}?${version}`, response.clone())
  const { keepsComics, favorites } = await currentFacts()
  if (keepsComics || favorites.includes(numberOf(path))) await keepPicture(path, version, response)
}

/** Keeps a picture on the device; false where there is no room for it. */
async function keepPicture(path, version, response) {
  const bytes = await response.arrayBuffer()
  const headers = { ...pictureHeaders(response), [versionHeader]: version }
  try {
    const cache = await caches.open(pictureCache)
    await cache.put(path, new Response(bytes, { headers }))
    return true
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error
    tellAll({ kind: "full" })
    return false
  }
}

const numberOf = (path) => Number(picturePath.exec(path)?.[1] ?? 0)

/** The numbers of the comics whose picture is kept. */
async function keptComics() {
  const cache = await caches.open(pictureCache)
  const paths = (await cache.keys()).map((request) => new URL(request.url).pathname)
  return new Set(paths.filter((path) => path.endsWith("/image")).map(numberOf))
}

/** Fetches the pictures and explanations of favourites that are not kept yet. */
async function keepFavorites() {
  if (!isConnected()) return
  await keepExplanationsOf((await currentFacts()).favorites)
  const pictures = (await device()).pictures("favorites")
  if (pictures.length === 0) return
  const kept = await keptComics()
  for (const wanted of pictures.filter(({ comic }) => !kept.has(comic))) {
    if ((await downloadPicture(wanted)) === "offline") return
  }
}

/** Fetches a picture and keeps it: "kept", "absent", "failed", "offline" or "full". */
async function downloadPicture({ comic, version }) {
  const path = `/comics/${comic}/image`
  const text = version === 0 ? "" : version.toString(16).padStart(8, "0")
  let response
  try {
    response = await ask(text ? `${path}?v=${text}` : path)
  } catch {
    return "offline"
  }
  if (!response.ok) return response.status === 404 ? "absent" : "failed"
  return (await keepPicture(path, text, response)) ? "kept" : "full"
}

// Download for offline

/** How many pictures are fetched at the same time. */
const downloadLanes = 4
/** A browser lets a worker run for some time only; then an open page asks it to go on. */
const downloadSlice = 15_000

let downloading = null

/** What is to be downloaded: null, or { selection, state }; state is running, paused, offline, full or done. */
const downloadJob = () => store.get("download").then((job) => job ?? null)

const setDownload = (job) => changeDownload(() => job)

async function changeDownload(step) {
  const job = (await store.change("download", step)) ?? null
  tellAll({ kind: "download", job: job && (await withProgress(job)) })
}

/** Notes how far a download has come, unless it was paused or stopped meanwhile. */
const noteDownload = (job) => changeDownload((current) => isStillWanted(job, current) ? job : current)

const isStillWanted = (job, current) => current?.selection === job.selection && current.state !== "paused"

async function withProgress(job) {
  if (job.selection === "explanations") return { ...job, done: (await explanations.keys()).length }
  const pictures = (await device()).pictures(job.selection).filter(({ comic }) => !job.absent.includes(comic))
  const kept = await keptComics()
  return { ...job, done: pictures.filter(({ comic }) => kept.has(comic)).length, total: pictures.length }
}

async function startDownload(selection) {
  // What is known of the progress may be of a library that was cleared since.
  const total = selection === "explanations" ? (await explanationSizes()).count : 0
  await setDownload({ selection, state: "running", absent: [], total })
  return continueDownload()
}

function continueDownload() {
  downloading ??= downloadForAWhile().finally(() => { downloading = null })
  return downloading
}

async function downloadForAWhile() {
  let job = await downloadJob()
  if (!job || (job.state !== "running" && job.state !== "offline")) return
  if (job.selection === "explanations") return downloadAllExplanations(job)
  const kept = await keptComics()
  const pictures = (await device()).pictures(job.selection)
  const missing = pictures.filter(({ comic }) => !kept.has(comic) && !job.absent.includes(comic))
  const total = pictures.length - job.absent.length
  const progress = { done: total - missing.length, failed: 0, end: null }
  const deadline = Date.now() + downloadSlice

  async function lane() {
    while (missing.length > 0 && !progress.end && Date.now() < deadline) {
      const wanted = missing.shift()
      const outcome = await downloadPicture(wanted)
      if (outcome === "kept") progress.done += 1
      if (outcome === "absent") job.absent.push(wanted.comic)
      if (outcome === "failed") progress.failed += 1
      if (outcome === "offline" || outcome === "full") progress.end = outcome
      if (!isStillWanted(job, await downloadJob())) progress.end ??= "stopped"
      if (!progress.end) {
        tellAll({ kind: "download", job: { ...job, state: "running", done: progress.done, total } })
      }
    }
  }
  await Promise.all(Array.from({ length: downloadLanes }, lane))

  if (progress.end === "stopped") return
  job = { ...job, state: progress.end ?? (missing.length > 0 ? "running" : "done"), failed: progress.failed }
  await noteDownload(job)
  if (job.state === "running") tellAll({ kind: "continue" })
}

async function downloadAllExplanations(job) {
  const isStopped = async () => !isStillWanted(job, await downloadJob())
  const end = await downloadExplanations(isStopped, (done, total) => {
    job = { ...job, state: "running", total }
    return noteDownload(job)
  })
  if (end === "stopped") return
  await noteDownload(end === "failed" ? { ...job, state: "done", failed: job.total } : { ...job, state: end, failed: 0 })
}

/** How many explanations there are, how many are kept, and about how many bytes all take here. */
async function explanationSizes() {
  const kept = (await explanations.keys()).length
  const progress = await explanations.progress()
  const { explanations: all } = await (await ask("/device.json", { cache: "no-store" })).json()
  return { count: all.count, size: all.size, kept, missing: progress?.isComplete ? Math.max(all.count - kept, 0) : all.count }
}

/** What the three choices hold, and what of them is missing. */
async function downloadSizes() {
  const kept = await keptComics()
  const current = await device()
  const sizes = {}
  for (const selection of ["latest", "favorites", "everything"]) {
    const pictures = current.pictures(selection)
    const missing = pictures.filter(({ comic }) => !kept.has(comic))
    const size = (list) => list.reduce((sum, { size }) => sum + size, 0)
    sizes[selection] = { count: pictures.length, size: size(pictures), missing: missing.length, missingSize: size(missing) }
  }
  sizes.explanations = await explanationSizes().catch(() => null)
  return { sizes, kept: kept.size, favorites: (await currentFacts()).favorites.filter((comic) => kept.has(comic)).length }
}

/** Removes pictures, but not those of favourites, and fetches the texts anew. */
async function clearCache() {
  await setDownload(null)
  // What is still on its way must not come after.
  await within(10_000, downloading)
  const { favorites } = await currentFacts()
  const cache = await caches.open(pictureCache)
  for (const request of await cache.keys()) {
    if (!favorites.includes(numberOf(new URL(request.url).pathname))) await cache.delete(request)
  }
  pictureMemory.clear()
  await caches.delete(shownAlbumCache)
  await explanations.clear(favorites)
  finding = null
  // Without a connection they stay, for nothing could be shown without them.
  if (isConnected()) await refreshArchive({ isWhole: true }).catch(() => {})
}
