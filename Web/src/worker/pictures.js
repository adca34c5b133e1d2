// Longbox
// SPDX-License-Identifier: MIT

import { pictureAddress, picturePath } from "../shared/addresses.js"
import { mayKeep } from "./connection.js"

const versionHeader = "longbox-version"
const sizeHeader = "longbox-size"
/** How long a picture that xkcd.com doesn't have is not requested again, in milliseconds. */
const absence = 7 * 24 * 3_600_000

/**
 * What pages get in place of a missing picture: a GIF of 1 by 1 pixels. Pages recognize it by its size, and show a card. It
 * isn't a drawing, since WebKit takes the size at which an SVG is shown for its natural size.
 * @param {number} status
 */
const missingPicture = (status) => new Response(
  Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (character) => character.charCodeAt(0)),
  { status, headers: { "content-type": "image/gif", "cache-control": "no-store" } },
)

/** The drawing in place of an album's cover, as the server has it (`MissingDrawing` in Swift). With an error's status, Firefox wouldn't show it. */
export const missingCover = () => new Response(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><path fill="#d9d4c7" d="M0 0h200v200H0z"/><circle cx="100" cy="100" r="62" fill="none" stroke="#a39d8d" stroke-width="3"/><circle cx="100" cy="100" r="12" fill="none" stroke="#a39d8d" stroke-width="3"/></svg>',
  { headers: { "content-type": "image/svg+xml", "cache-control": "no-store" } },
)

/** Comic pictures: from memory, else from Cache Storage, else from the server. */
export class Pictures {
  #parts
  #cacheName
  #memory = new PictureMemory()

  /**
   * @param {object} parts
   * @param {Pick<import("./host.js").Host, "facts" | "pictures">} parts.host
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./connection.js").Pages} parts.pages
   * @param {Pick<import("./store.js").Store, "get" | "change">} parts.store
   * @param {string} parts.base the site's base path, or empty
   */
  constructor(parts) {
    this.#parts = parts
    this.#cacheName = `longbox-pictures${parts.base}`
  }

  /**
   * @param {FetchEvent} event
   * @param {URL} url
   */
  async respond(event, url) {
    const path = url.pathname
    const version = url.searchParams.get("v") ?? ""
    const remembered = this.#memory.get(`${path}?${version}`)
    if (remembered) return remembered
    const cache = await caches.open(this.#cacheName)
    const kept = await cache.match(path)
    if (kept && (version === "" || kept.headers.get(versionHeader) === version)) {
      event.waitUntil(this.#remember(path, version, kept.clone()))
      return kept
    }
    // The plain picture replaces a missing larger or smaller one.
    const substitute = async () => kept ?? (await cache.match(path.replace(/(image@2x|thumbnail)$/, "image")))
    try {
      if (!this.#parts.connection.isConnected) throw new TypeError("There is no connection.")
      const response = await this.#parts.connection.send(event.request)
      if (!mayKeep(response)) return (await substitute()) ?? missingPicture(response.ok ? 404 : response.status)
      event.waitUntil(this.#keepSeen(path, version, response.clone()))
      return response
    } catch {
      // A picture with an error's status would be reported in the console; scripts need to know.
      return (await substitute()) ?? missingPicture(event.request.destination === "image" ? 200 : 504)
    }
  }

  /** The numbers of the comics whose picture is on this device. */
  async kept() {
    const cache = await caches.open(this.#cacheName)
    const paths = (await cache.keys()).map((request) => new URL(request.url).pathname)
    return new Set(paths.filter((path) => path.endsWith("/image")).map(comicOf))
  }

  /** The comics whose picture xkcd.com didn't have when it was last asked for. */
  async absent() {
    const known = Object.entries((await this.#parts.store.get("absent")) ?? {})
    return new Set(known.filter(([, until]) => until > Date.now()).map(([comic]) => Number(comic)))
  }

  /** The size of all pictures on this device in bytes. */
  async size() {
    const cache = await caches.open(this.#cacheName)
    const sizes = await Promise.all((await cache.matchAll()).map(async (response) =>
      // Earlier versions noted no size.
      Number(response.headers.get(sizeHeader) ?? (await response.blob()).size)))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  async keepFavorites() {
    const pictures = await this.#parts.host.pictures("favorites")
    if (pictures.length === 0) return
    const [kept, absent] = await Promise.all([this.kept(), this.absent()])
    for (const wanted of pictures.filter(({ comic }) => !kept.has(comic) && !absent.has(comic))) {
      if (["offline", "full"].includes(await this.download(wanted))) return
    }
  }

  /** @param {number} comic */
  async keepLatest(comic) {
    const wanted = (await this.#parts.host.pictures("latest")).find((picture) => picture.comic === comic)
    if (wanted) await this.download(wanted)
  }

  /**
   * @param {import("./device.js").Picture} picture
   * @returns {Promise<"kept" | "absent" | "failed" | "offline" | "full">}
   */
  async download({ comic, version }) {
    const path = pictureAddress(comic)
    const text = version === 0 ? "" : version.toString(16).padStart(8, "0")
    let response, bytes
    try {
      response = await this.#parts.connection.send(text ? `${path}?v=${text}` : path)
      bytes = await response.arrayBuffer()
    } catch {
      return "offline"
    }
    if (response.status === 404) {
      await this.#parts.store.change("absent", (absent) => ({ ...absent, [comic]: Date.now() + absence }))
      return "absent"
    }
    if (!mayKeep(response)) return "failed"
    return (await this.#keep(path, text, bytes, pictureHeaders(response))) ? "kept" : "full"
  }

  /** @param {readonly number[]} except */
  async clear(except) {
    const cache = await caches.open(this.#cacheName)
    for (const request of await cache.keys()) {
      if (!except.includes(comicOf(new URL(request.url).pathname))) await cache.delete(request)
    }
    this.#memory.clear()
  }

  /**
   * @param {string} path
   * @param {string} version
   * @param {Response} response
   */
  async #remember(path, version, response) {
    const bytes = await response.arrayBuffer()
    this.#memory.put(`${path}?${version}`, bytes, pictureHeaders(response))
    return bytes
  }

  /**
   * @param {string} path
   * @param {string} version
   * @param {Response} response
   */
  async #keepSeen(path, version, response) {
    const bytes = await this.#remember(path, version, response)
    const { keepsComics, favorites } = await this.#parts.host.facts()
    // A larger version is kept once a reader has opened it, and only then.
    if (path.endsWith("/larger") || keepsComics || favorites.includes(comicOf(path))) await this.#keep(path, version, bytes, pictureHeaders(response))
  }

  /**
   * Caches a picture. The key is the path; the version is a header, so that a changed picture replaces the old one.
   * @param {string} path
   * @param {string} version
   * @param {ArrayBuffer} bytes
   * @param {Record<string, string>} ownHeaders
   * @returns {Promise<boolean>} false if storage is full
   */
  async #keep(path, version, bytes, ownHeaders) {
    const headers = { ...ownHeaders, [versionHeader]: version, [sizeHeader]: String(bytes.byteLength) }
    try {
      const cache = await caches.open(this.#cacheName)
      await cache.put(path, new Response(bytes, { headers }))
      return true
    } catch (error) {
      this.#parts.pages.noteFull(error)
      return false
    }
  }
}

/** @param {string} path */
const comicOf = (path) => Number(picturePath.exec(path)?.[1] ?? 0)

/** @param {Response} response */
const pictureHeaders = (response) => ({
  "content-type": response.headers.get("content-type") ?? "application/octet-stream",
  "x-content-type-options": "nosniff",
})

/** An in-memory LRU cache of pictures. */
class PictureMemory {
  #limit
  #size = 0
  /** @type {Map<string, { bytes: ArrayBuffer, headers: Record<string, string> }>} */
  #entries = new Map()

  /** @param {number} [limit] in bytes */
  constructor(limit = 16 << 20) {
    this.#limit = limit
  }

  /** @param {string} key */
  get(key) {
    const entry = this.#entries.get(key)
    if (!entry) return null
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return new Response(entry.bytes, { headers: entry.headers })
  }

  /**
   * Adds a picture, unless it is larger than a quarter of the limit.
   * @param {string} key
   * @param {ArrayBuffer} bytes
   * @param {Record<string, string>} headers
   */
  put(key, bytes, headers) {
    if (bytes.byteLength > this.#limit / 4 || this.#entries.has(key)) return
    this.#entries.set(key, { bytes, headers })
    this.#size += bytes.byteLength
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#limit) break
      this.#entries.delete(oldest)
      this.#size -= entry.bytes.byteLength
    }
  }

  clear() {
    this.#entries.clear()
    this.#size = 0
  }
}
