// Longbox
// SPDX-License-Identifier: MIT

import { mayKeep } from "./connection.js"
import { MessageWriter } from "./device.js"
import { missingCover } from "./pictures.js"
import { singleFlight, within } from "./timing.js"

const keptHeader = "longbox-kept"
const mostShown = 12
/** Maximum age of a saved album's page before it is fetched again, in milliseconds. */
const maximumAge = 30 * 24 * 3_600_000
/** Maximum time that a page waits for a newly saved album, in milliseconds. */
const timeout = 4_000

/**
 * An album as the server sends it to devices; `body` is the main part of its page, `article` its part about the article for
 * each choice of a reader. It is provisional if a source did not respond.
 * @typedef {object} Content
 * @property {string} album
 * @property {string} name
 * @property {string} body
 * @property {boolean} hasCover
 * @property {boolean} isProvisional
 * @property {{ id: string, name: string } | null} [artist]
 * @property {string[]} [tracks]
 * @property {{ language: string, versions: { page?: number | null, html: string }[] }} [article]
 */

/** Caches saved albums with their covers, and recently shown albums without covers. */
export class Albums {
  #parts
  #cacheName
  #shownCacheName
  /** @type {Map<string, Uint8Array>} albums that quizzes read recently */
  #quizzes = new Map()
  /** @type {Map<string, Promise<boolean>>} fetches in progress, by path */
  #fetches = new Map()

  /**
   * @param {object} parts
   * @param {Pick<import("./host.js").Host, "facts">} parts.host
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./connection.js").Pages} parts.pages
   * @param {string} parts.base the site's base path, or empty
   */
  constructor(parts) {
    this.#parts = parts
    this.#cacheName = `longbox-albums${parts.base}`
    this.#shownCacheName = `longbox-albums-shown${parts.base}`
  }

  // Called by the loaders. A key is an album's number with its country, such as "1?country=us".

  /**
   * An album for its page: saved, or recently shown if there is no connection.
   * @param {string} key
   * @param {{ isOnline: boolean }} context
   * @returns {Promise<Uint8Array | null>}
   */
  async page(key, { isOnline }) {
    const { path, search } = addressOf(key)
    let content = await contentIn(this.#cacheName, path)
    if (!content && isOnline) content = await this.#savedNow(path)
    if (!content && !(isOnline && this.#parts.connection.isConnected)) content = await contentIn(this.#shownCacheName, path, search)
    return content && encoded(content)
  }

  /**
   * An album for a quiz: saved, recently shown, or from the server.
   * @param {string} key
   * @param {{ isOnline: boolean }} context
   */
  quiz(key, { isOnline }) {
    return this.#quizOf(`quiz ${key}`, async () => {
      const { path, search } = addressOf(key)
      const known = async () => (await contentIn(this.#cacheName, path)) ?? contentIn(this.#shownCacheName, path, search)
      const content = await known()
      if (content || !isOnline) return content
      await this.keepShown(key)
      return known()
    })
  }

  /** @param {string} key */
  saved(key) {
    return this.#quizOf(key, () => contentIn(this.#cacheName, addressOf(key).path))
  }

  /**
   * Caches the result of `read`: a quiz needs the same albums for each answer.
   * @param {string} name
   * @param {() => Promise<Content | null>} read
   */
  async #quizOf(name, read) {
    const known = this.#quizzes.get(name)
    if (known) return known
    const content = await read()
    if (!content?.tracks) return null
    const { article: _, ...withoutArticle } = content
    const quiz = encoded({ ...withoutArticle, body: "" })
    this.#quizzes.set(name, quiz)
    return quiz
  }

  /**
   * Fetches an album that is saved in the library but not cached yet.
   * @param {string} path
   */
  async #savedNow(path) {
    const search = (await this.#savedAddresses()).get(path)
    if (search === undefined) return null
    await within(timeout, this.#keep(path, search))
    return contentIn(this.#cacheName, path)
  }

  /** Removes albums that are no longer saved. They stay for a while, since the reader may undo that. */
  async clearUnsaved() {
    const saved = await this.#savedAddresses()
    const cache = await caches.open(this.#cacheName)
    for (const request of await cache.keys()) {
      const [path = ""] = /^\/albums\/\d+/.exec(new URL(request.url).pathname) ?? []
      if (!saved.has(path)) await cache.delete(request)
    }
    this.#quizzes.clear()
  }

  /** Fetches saved albums that are missing or old. */
  keepSaved = singleFlight(async () => {
    const saved = await this.#savedAddresses()
    const cache = await caches.open(this.#cacheName)
    for (const [path, search] of saved) {
      if (!this.#parts.connection.isConnected) return
      const kept = await cache.match(`${path}/content.json`)
      const age = kept ? Date.now() - Number(kept.headers.get(keptHeader)) : Infinity
      if (age > maximumAge && !(await this.#keep(path, search))) return
    }
  })

  /**
   * Fetches a saved album again after the server has handled a form on its page.
   * @param {string} path the path of its page
   */
  async renew(path) {
    const search = (await this.#savedAddresses()).get(path)
    if (search !== undefined) await this.#keep(path, search)
  }

  /**
   * Lets all cached albums count as old: the reader may have chosen another language of articles. Without a connection they
   * are still shown.
   */
  async expire() {
    await this.clearShown()
    const cache = await caches.open(this.#cacheName)
    for (const request of await cache.keys()) {
      const kept = request.url.includes("/content.json") ? await cache.match(request) : undefined
      if (!kept) continue
      const headers = { "content-type": "application/json", [keptHeader]: "0" }
      await cache.put(request, new Response(await kept.text(), { headers }))
    }
  }

  /**
   * Caches an album that was shown, without its covers.
   * @param {string} key
   */
  async keepShown(key) {
    const { path, search } = addressOf(key)
    const isKept = (await contentIn(this.#cacheName, path)) ?? (await contentIn(this.#shownCacheName, path, search))?.isProvisional === false
    if (isKept) return
    const address = `${path}/content.json${search}`
    const content = await this.#parts.connection.send(address)
    if (!mayKeep(content)) return
    const cache = await caches.open(this.#shownCacheName)
    await cache.put(address, content)
    this.#quizzes.clear()
    // The oldest keys come first.
    const keys = await cache.keys()
    for (const request of keys.slice(0, Math.max(0, keys.length - mostShown))) await cache.delete(request)
  }

  async clearShown() {
    await caches.delete(this.#shownCacheName)
    this.#quizzes.clear()
  }

  /** The number of cached saved albums, and the size of their pages and covers in bytes. */
  async sizes() {
    const cache = await caches.open(this.#cacheName)
    const kept = await Promise.all((await cache.keys()).map(async (request) => {
      const response = await cache.match(request)
      return { isAlbum: request.url.includes("/content.json"), size: (await response?.blob())?.size ?? 0 }
    }))
    return { count: kept.filter(({ isAlbum }) => isAlbum).length, size: kept.reduce((sum, { size }) => sum + size, 0) }
  }

  /**
   * @param {FetchEvent} event
   * @param {URL} url
   */
  async respondCover(event, url) {
    const cache = await caches.open(this.#cacheName)
    const kept = await cache.match(url.pathname + url.search)
    if (kept) return kept
    const response = await this.#parts.connection.send(event.request).catch(() => null)
    if (response && mayKeep(response)) return response
    return (await cache.match(url.pathname)) ?? missingCover()
  }

  /** The saved albums: the query (country) by path. */
  async #savedAddresses() {
    const { albums } = await this.#parts.host.facts()
    return new Map(albums.map((address) => {
      const [path = "", query] = address.split("?")
      return [path, query ? `?${query}` : ""]
    }))
  }

  /**
   * Fetches and caches an album's page and covers; joins a fetch in progress.
   * @param {string} path
   * @param {string} search
   * @returns {Promise<boolean>} whether to go on with other albums
   */
  #keep(path, search) {
    const started = this.#fetches.get(path) ?? this.#fetch(path, search).finally(() => this.#fetches.delete(path))
    this.#fetches.set(path, started)
    return started
  }

  /**
   * @param {string} path
   * @param {string} search
   */
  async #fetch(path, search) {
    try {
      const cache = await caches.open(this.#cacheName)
      const page = await this.#parts.connection.send(`${path}/content.json${search}`, { cache: "no-cache" })
      // The server may still be waiting for a source; a later run tries again.
      if (!mayKeep(page)) return page.status === 404
      const text = await page.text()
      const { hasCover, isProvisional } = /** @type {Content} */ (JSON.parse(text))
      let isIncomplete = isProvisional
      for (const name of hasCover ? [`${path}/cover`, `${path}/cover?size=small`] : []) {
        const picture = await this.#parts.connection.send(name)
        if (mayKeep(picture)) await cache.put(name, picture)
        else if (picture.status !== 404) isIncomplete = true
      }
      // An incomplete album counts as old, so that it is fetched again soon.
      const headers = { "content-type": "application/json", [keptHeader]: String(isIncomplete ? 0 : Date.now()) }
      await cache.put(`${path}/content.json`, new Response(text, { headers }))
      this.#quizzes.clear()
      return true
    } catch (error) {
      try {
        this.#parts.pages.noteFull(error)
      } catch {
        // Another failure: a later run tries again.
      }
      return false
    }
  }
}

/**
 * @param {string} name
 * @param {string} path
 * @param {string} [search]
 * @returns {Promise<Content | null>}
 */
async function contentIn(name, path, search = "") {
  const kept = await (await caches.open(name)).match(`${path}/content.json${search}`)
  return kept ? kept.json() : null
}

/** @param {string} key */
function addressOf(key) {
  const [number = "", query] = key.split("?")
  return { path: `/albums/${number}`, search: query ? `?${query}` : "" }
}

/**
 * Encodes an album for the WebAssembly module.
 * @param {Content} content
 */
function encoded({ album, name, body, artist, tracks = [], article }) {
  const writer = new MessageWriter().text(album).text(name).text(body).text(artist?.id ?? "").text(artist?.name ?? "").word32(tracks.length)
  for (const title of tracks) writer.text(title)
  if (article) writer.text(article.language)
  for (const { page, html } of article?.versions ?? []) writer.text(String(page ?? "")).text(html)
  return writer.message
}
