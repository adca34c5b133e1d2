// Longbox
// SPDX-License-Identifier: MIT
//
// Albums: those that are saved are kept on the device as the server made them, with their covers; of others the last that
// were shown, without. The server puts this file before sw.js.

const albumCache = "longbox-albums"
const shownAlbumCache = "longbox-albums-shown"
const mostShownAlbums = 12
const albumPath = /^\/albums\/(\d+)$/
const coverPath = /^\/albums\/\d+\/cover$/
const articlePath = /^(\/albums\/\d+)\/article$/

/**
 * What is kept of a saved album: { album, name, body, hasCover, isProvisional, artist, tracks }; body is the middle of its
 * page, and it is provisional where a source did not answer.
 */
async function savedAlbum(path) {
  const kept = await (await caches.open(albumCache)).match(`${path}/content.json`)
  return kept ? kept.json() : null
}

/** The same of an album that was shown lately. */
async function shownAlbum(path, search) {
  const kept = await (await caches.open(shownAlbumCache)).match(`${path}/content.json${search}`)
  return kept ? kept.json() : null
}

/** The middle of an album's page, where it is kept; of one that isn't saved the server knows better while it can be asked. */
async function keptAlbum(path, search) {
  if (!albumPath.test(path)) return null
  return (await savedAlbum(path)) ?? (isConnected() ? null : shownAlbum(path, search))
}

/** An album with its tracks, fetched where it is not kept. */
async function albumToPlay(path, search) {
  const kept = (await savedAlbum(path)) ?? (await shownAlbum(path, search))
  if (kept || !isConnected()) return kept
  await within(4_000, keepShownAlbum(path, search))
  return shownAlbum(path, search)
}

/** Keeps an album that is shown. */
async function keepShownAlbum(path, search) {
  const cache = await caches.open(shownAlbumCache)
  const address = `${path}/content.json${search}`
  if ((await savedAlbum(path)) || (await shownAlbum(path, search))?.isProvisional === false) return
  const content = await ask(address)
  if (!content.ok) return
  await cache.put(address, content)
  // The oldest come first.
  const keys = await cache.keys()
  for (const request of keys.slice(0, Math.max(0, keys.length - mostShownAlbums))) await cache.delete(request)
}

/** Answers a page's request for a cover. */
async function cover(event, url) {
  const cache = await caches.open(albumCache)
  const kept = await cache.match(url.pathname + url.search)
  if (kept) return kept
  const response = await ask(event.request).catch(() => null)
  if (response?.ok) return response
  return (await cache.match(url.pathname)) ?? response ?? new Response(noPicture, {
    headers: { "content-type": "image/gif", "cache-control": "no-store" },
  })
}

/** After this the page of a saved album is asked for again. */
const albumAge = 30 * 24 * 3_600_000

let keepingAlbums = null

/** Fetches the saved albums that are not kept yet. What is saved no more stays a while, for its removal may be undone. */
function keepAlbums({ clears = false } = {}) {
  keepingAlbums ??= fetchAlbums(clears).finally(() => { keepingAlbums = null })
  return keepingAlbums
}

async function fetchAlbums(clears) {
  const saved = new Map((await currentFacts()).albums.map((address) => {
    const url = new URL(address, location)
    return [url.pathname, url.search]
  }))
  const cache = await caches.open(albumCache)
  if (clears) {
    for (const request of await cache.keys()) {
      const [path] = /^\/albums\/\d+/.exec(new URL(request.url).pathname) ?? []
      if (!saved.has(path)) await cache.delete(request)
    }
  }
  for (const [path, search] of saved) {
    if (!isConnected()) return
    const kept = await cache.match(`${path}/content.json`)
    const age = kept ? Date.now() - Number(kept.headers.get("longbox-kept")) : Infinity
    if (age > albumAge && !(await keepAlbum(path, search))) return
  }
}

/** Fetches an album's page and covers and keeps them; false where that makes no sense to go on with. */
async function keepAlbum(path, search) {
  const cache = await caches.open(albumCache)
  try {
    const page = await ask(`${path}/content.json${search}`, { cache: "no-cache" })
    // It may be in line at the store: it is asked for again when the worker catches up.
    if (!page.ok) return page.status === 404
    const text = await page.text()
    const { hasCover, isProvisional } = JSON.parse(text)
    let isLate = isProvisional
    if (hasCover) {
      for (const name of [`${path}/cover`, `${path}/cover?size=small`]) {
        const picture = await ask(name)
        if (picture.ok) await cache.put(name, picture)
        else if (picture.status !== 404) isLate = true
      }
    }
    // What came late is as good as old: it is asked for again when the worker next catches up.
    const headers = { "content-type": "application/json", "longbox-kept": String(isLate ? 0 : Date.now()) }
    await cache.put(`${path}/content.json`, new Response(text, { headers }))
    visits.clear()
    return true
  } catch (error) {
    if (error.name === "QuotaExceededError") tellAll({ kind: "full" })
    return false
  }
}

/** How many saved albums are kept, and the bytes of their pages and covers. */
async function albumSizes() {
  const cache = await caches.open(albumCache)
  const kept = await Promise.all((await cache.keys()).map(async (request) => {
    const response = await cache.match(request)
    return { isAlbum: request.url.includes("/content.json"), size: (await response.blob()).size }
  }))
  return { count: kept.filter(({ isAlbum }) => isAlbum).length, size: kept.reduce((sum, { size }) => sum + size, 0) }
}

/** Fetches an album anew that is kept: something in it was chosen by the reader. */
async function renewAlbum(path) {
  const address = (await currentFacts()).albums.find((address) => address.startsWith(`${path}?`))
  if (address) await keepAlbum(path, address.slice(path.length))
}
