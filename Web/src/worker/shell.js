// Longbox
// SPDX-License-Identifier: MIT

import { mayKeep } from "./connection.js"

/** The application's files in Cache Storage, keyed by name and content hash. */
export class Shell {
  #build
  #connection
  #origin
  #cacheName
  /** @type {Promise<WebAssembly.Module> | null} */
  #module = null

  /**
   * @param {Build} build
   * @param {import("./connection.js").Connection} connection
   * @param {string} origin
   */
  constructor(build, connection, origin) {
    this.#build = build
    this.#connection = connection
    this.#origin = origin
    this.#cacheName = `longbox-shell${build.base}`
  }

  /** Fetches missing files. */
  async install() {
    const cache = await caches.open(this.#cacheName)
    await Promise.all(this.#build.files.map(async ({ name, hash }) => {
      if (await cache.match(key(name, hash))) return
      const response = await this.#connection.send(`/assets/${name}?v=${this.#build.assets}`, { cache: "no-cache" })
      // The files of a static copy have their version in their path, and the host's own tags.
      const tag = this.#build.copy ? null : response.headers.get("etag")
      // Another hash means another version: the server was updated in the meantime.
      if (!mayKeep(response) || (tag && !tag.includes(hash))) throw new Error(`${name} can't be installed.`)
      await cache.put(key(name, hash), response)
    }))
  }

  /**
   * Deletes the files of other builds. Keeps the files that only the previous build has: an open page may still load its
   * scripts.
   */
  async tidy() {
    const cache = await caches.open(this.#cacheName)
    const wanted = new Set(this.#build.files.map(({ name, hash }) => new URL(key(name, hash), this.#origin).href))
    for (const request of await cache.keys()) {
      if (wanted.has(request.url)) continue
      const name = nameIn(new URL(request.url))
      const file = this.#hashOf(name) || request.url.endsWith(key(name, before)) ? undefined : await cache.match(request)
      await cache.delete(request)
      // Storage may be full.
      if (file) await cache.put(key(name, before), file).catch(() => {})
    }
  }

  /** @param {string} name */
  #hashOf(name) { return this.#build.files.find((file) => file.name === name)?.hash }

  /** @param {string} name */
  async file(name) {
    return (await caches.open(this.#cacheName)).match(key(name, this.#hashOf(name) ?? before))
  }

  /** The WebAssembly module, compiled once. */
  module() {
    this.#module ??= this.#compiled().catch((error) => {
      this.#module = null
      throw error
    })
    return this.#module
  }

  async #compiled() {
    const file = await this.file("longbox.wasm")
    if (!file) throw new Error("longbox.wasm is not installed.")
    // Some hosts of static copies send another type, which browsers don't compile while it arrives.
    if (file.headers.get("content-type") !== "application/wasm") return WebAssembly.compile(await file.arrayBuffer())
    return WebAssembly.compileStreaming(file)
  }

  /**
   * @param {FetchEvent} event
   * @param {URL} url
   */
  async respond({ request }, url) {
    const version = url.searchParams.get("v")
    const file = await this.file(nameIn(url))
    if (file && (version === null || version === this.#build.assets)) return file
    return this.#connection.send(request).catch((error) => {
      if (file) return file
      throw error
    })
  }
}

/** Stands in for the hash of a file that only the previous build has. */
const before = "before"

/** @param {URL} url */
const nameIn = (url) => url.pathname.split("/").pop() ?? ""

/**
 * @param {string} name
 * @param {string} hash
 */
const key = (name, hash) => `/assets/${name}?hash=${hash}`
