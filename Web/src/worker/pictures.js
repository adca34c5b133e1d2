// Longbox
// SPDX-License-Identifier: MIT

import { pictureAddress, picturePath } from "../shared/addresses.js"
import { PictureMemory } from "./picture-memory.js"

const cacheName = "longbox-pictures"
const versionHeader = "longbox-version"

/** Placeholder for a missing picture. Pages recognize it by its size, 1 by 1, and show a message. */
const placeholder = Uint8Array.of(
  71, 73, 70, 56, 57, 97, 1, 0, 1, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 33, 249, 4, 1, 0, 0, 0, 0, 44, 0, 0, 0, 0, 1, 0, 1, 0, 0,
  2, 2, 68, 1, 0, 59,
)

export const missingPicture = () => new Response(placeholder, {
  headers: { "content-type": "image/gif", "cache-control": "no-store" },
})

/** Comic pictures: from memory, else from Cache Storage, else from the server. */
export class Pictures {
  #host
  #connection
  #pages
  #memory = new PictureMemory()

  /**
   * @param {object} parts
   * @param {Pick<import("./host.js").Host, "facts" | "device">} parts.host
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./pages.js").Pages} parts.pages
   */
  constructor({ host, connection, pages }) {
    this.#host = host
    this.#connection = connection
    this.#pages = pages
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
    const cache = await caches.open(cacheName)
    const kept = await cache.match(path)
    if (kept && (version === "" || kept.headers.get(versionHeader) === version)) {
      event.waitUntil(this.#remember(path, version, kept.clone()))
      return kept
    }
    // The plain picture replaces a missing larger or smaller one.
    const substitute = async () => kept ?? (await cache.match(path.replace(/(image@2x|thumbnail)$/, "image")))
    try {
      if (!this.#connection.isConnected) throw new TypeError("There is no connection.")
      const response = await this.#connection.ask(event.request)
      if (!response.ok) return (await substitute()) ?? response
      event.waitUntil(this.#keepSeen(path, version, response.clone()))
      return response
    } catch {
      return (await substitute()) ?? missingPicture()
    }
  }

  async kept() {
    const cache = await caches.open(cacheName)
    const paths = (await cache.keys()).map((request) => new URL(request.url).pathname)
    return new Set(paths.filter((path) => path.endsWith("/image")).map(comicOf))
  }

  async keepFavorites() {
    const pictures = (await this.#host.device()).pictures("favorites")
    if (pictures.length === 0) return
    const kept = await this.kept()
    for (const wanted of pictures.filter(({ comic }) => !kept.has(comic))) {
      if ((await this.download(wanted)) === "offline") return
    }
  }

  /** @param {number} comic */
  async keepLatest(comic) {
    const wanted = (await this.#host.device()).pictures("latest").find((picture) => picture.comic === comic)
    if (wanted) await this.download(wanted)
  }

  /**
   * @param {import("./device.js").Picture} picture
   * @returns {Promise<"kept" | "absent" | "failed" | "offline" | "full">}
   */
  async download({ comic, version }) {
    const path = pictureAddress(comic)
    const text = version === 0 ? "" : version.toString(16).padStart(8, "0")
    let response
    try {
      response = await this.#connection.ask(text ? `${path}?v=${text}` : path)
    } catch {
      return "offline"
    }
    if (!response.ok) return response.status === 404 ? "absent" : "failed"
    return (await this.#keep(path, text, response)) ? "kept" : "full"
  }

  /** @param {readonly number[]} except */
  async clear(except) {
    const cache = await caches.open(cacheName)
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
    this.#memory.put(`${path}?${version}`, await response.arrayBuffer(), pictureHeaders(response))
  }

  /**
   * @param {string} path
   * @param {string} version
   * @param {Response} response
   */
  async #keepSeen(path, version, response) {
    await this.#remember(path, version, response.clone())
    const { keepsComics, favorites } = await this.#host.facts()
    if (keepsComics || favorites.includes(comicOf(path))) await this.#keep(path, version, response)
  }

  /**
   * Caches a picture. The key is the path; the version is a header, so that a changed picture replaces the old one.
   * @param {string} path
   * @param {string} version
   * @param {Response} response
   * @returns {Promise<boolean>} false if storage is full
   */
  async #keep(path, version, response) {
    const bytes = await response.arrayBuffer()
    const headers = { ...pictureHeaders(response), [versionHeader]: version }
    try {
      const cache = await caches.open(cacheName)
      await cache.put(path, new Response(bytes, { headers }))
      return true
    } catch (error) {
      this.#pages.noteFull(error)
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
