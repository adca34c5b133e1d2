// Longbox
// SPDX-License-Identifier: MIT

import { within } from "./timing.js"

/** Maximum rounds of loading per request. */
const mostRounds = 6

/**
 * The outcome of a request: the device's response, or `isForServer`. `needs` are all needs loaded for it. `afterwards`
 * runs once the server has responded.
 * @typedef {{ response: import("./device.js").DeviceResponse | null, needs: import("./device.js").Need[], isForServer: boolean,
 *   afterwards: (() => Promise<unknown>)[] }} Outcome
 */

/**
 * Responds to every page request: asks the device, loads what it needs, and asks again. The host stores the library before
 * a response is returned. All addresses are treated alike.
 */
export class RequestLoop {
  #parts

  /**
   * @param {object} parts
   * @param {Pick<import("./host.js").Host, "respond">} parts.host
   * @param {Loaders} parts.loaders
   * @param {Pick<import("./connection.js").Connection, "isOnline" | "isConnected">} parts.connection
   */
  constructor(parts) {
    this.#parts = parts
  }

  /**
   * @param {import("./device.js").DeviceRequest} request
   * @param {{ isOffline?: boolean }} [options] `isOffline` loads nothing from the server, and never leaves the request to it
   * @returns {Promise<Outcome>}
   */
  async respond(request, { isOffline = false } = {}) {
    /** @type {{ need: import("./device.js").Need, loaded: import("./device.js").Loaded }[]} */
    const loaded = []
    for (let round = 0; round < mostRounds; round += 1) {
      // Loading may have shown that the server can't be reached.
      const reply = await this.#parts.host.respond({ ...request, isOffline: isOffline || !this.#parts.connection.isConnected, loaded })
      const needs = loaded.map(({ need }) => need)
      if (!reply.needs) {
        const isForServer = reply.response.serverMayKnowMore && this.#isOnline(isOffline)
        return { response: reply.response, needs, isForServer, afterwards: [] }
      }
      const results = await this.#load(reply.needs, this.#isOnline(isOffline))
      const left = results.flatMap(({ result }) => (result.state === "elsewhere" ? [result] : []))
      if (left.length > 0) {
        return { response: null, needs, isForServer: true, afterwards: left.flatMap(({ afterwards }) => afterwards ?? []) }
      }
      for (const { need, result } of results) if (result.state !== "elsewhere") loaded.push({ need, loaded: result })
    }
    throw new Error(`The device still has needs after ${mostRounds} rounds of loading.`)
  }

  /** @param {boolean} isOffline */
  #isOnline(isOffline) { return !isOffline && this.#parts.connection.isOnline }

  /**
   * Loads needs, grouped by kind. The needs of a loader that fails count as unreachable.
   * @param {import("./device.js").Need[]} needs
   * @param {boolean} isOnline
   */
  async #load(needs, isOnline) {
    const kinds = [...new Set(needs.map(({ kind }) => kind))]
    const lists = await Promise.all(kinds.map(async (kind) => {
      const ofKind = needs.filter((need) => need.kind === kind)
      const results = await this.#parts.loaders[kind](ofKind.map(({ key }) => key), { isOnline }).catch(() => [])
      return ofKind.map((need, index) => ({ need, result: results[index] ?? /** @type {const} */ ({ state: "unreachable" }) }))
    }))
    return lists.flat()
  }
}

/** Maximum wait for the archive or an album, in milliseconds. */
const timeout = 4_000

/** @typedef {import("./device.js").Loaded} Loaded */
/**
 * The result of a loader. "elsewhere" leaves the whole request to the server; `afterwards` runs once it has responded.
 * @typedef {Loaded | { state: "elsewhere", afterwards?: () => Promise<unknown> }} Result
 */
/**
 * Loads needs of one kind: one result per key. May return "elsewhere" only while online.
 * @typedef {(keys: string[], context: { isOnline: boolean }) => Promise<Result[]>} Loader
 */
/** @typedef {Readonly<Record<import("./device.js").NeedKind, Loader>>} Loaders */

/** @type {{ state: "unreachable" }} */
const unreachable = { state: "unreachable" }
/** @type {{ state: "absent" }} */
const absent = { state: "absent" }
/**
 * @param {Uint8Array | string} value
 * @returns {Loaded}
 */
const found = (value) => ({ state: "value", value })

/**
 * Makes a loader that loads each key separately; failures are unreachable.
 * @param {(key: string, context: { isOnline: boolean }) => Promise<Result>} load
 * @returns {Loader}
 */
const each = (load) => (keys, context) => Promise.all(keys.map((key) => load(key, context).catch(() => unreachable)))

/**
 * @param {object} parts
 * @param {Pick<import("./archive.js").ArchiveUpdates, "refresh">} parts.archive
 * @param {Pick<import("./explanations.js").Explanations, "some" | "find">} parts.explanations
 * @param {Pick<import("./albums.js").Albums, "page" | "quiz" | "saved" | "keepShown">} parts.albums
 * @param {Pick<import("./pictures.js").Pictures, "kept">} parts.pictures
 * @returns {Loaders}
 */
export function loaders({ archive, explanations, albums, pictures }) {
  /** @type {Loader} */
  const comics = async (keys, { isOnline }) => {
    const isNew = isOnline && (await within(timeout, archive.refresh()))
    return keys.map(() => (isNew ? found("") : unreachable))
  }

  /** @type {Loader} */
  const leads = async (keys) => {
    const kept = new Map((await explanations.some(keys.map(Number))).map(({ comic, beginning }) => [comic, beginning]))
    return keys.map((key) => {
      const beginning = kept.get(Number(key))
      return beginning ? found(beginning) : unreachable
    })
  }

  /** @type {Loader} */
  const texts = async (keys) => {
    const kept = new Map((await explanations.some(keys.map(Number))).map(({ comic, text }) => [comic, text]))
    return keys.map((key) => {
      const text = kept.get(Number(key))
      return text === undefined ? unreachable : found(text)
    })
  }

  const explanation = each(async (key, { isOnline }) => {
    const text = await explanations.find(Number(key), { isOnline })
    return text === null ? absent : text ? found(text.whole) : unreachable
  })

  const album = each(async (key, { isOnline }) => {
    const page = await albums.page(key, { isOnline })
    if (page) return found(page)
    return isOnline ? { state: "elsewhere", afterwards: () => albums.keepShown(key) } : unreachable
  })

  const quizAlbum = each(async (key, { isOnline }) => {
    const quiz = await within(timeout, albums.quiz(key, { isOnline }))
    return quiz ? found(quiz) : isOnline ? { state: "elsewhere" } : unreachable
  })

  const storedAlbum = each(async (key) => {
    const quiz = await albums.saved(key)
    return quiz ? found(quiz) : absent
  })

  const storedComics = each(async () => found(bitsOf(await pictures.kept())))

  const nothing = each(async () => unreachable)
  const server = each(async (_key, { isOnline }) => (isOnline ? { state: "elsewhere" } : unreachable))

  return {
    latest: comics,
    comic: comics,
    picture: nothing,
    explanationLead: leads,
    explanation,
    search: nothing,
    artists: server,
    discography: server,
    album,
    quizAlbum,
    storedAlbum,
    server,
    explanationText: texts,
    storedComics,
  }
}

/**
 * A set of comics as the WebAssembly module reads it: comic 9 is bit 1 of byte 1.
 * @param {ReadonlySet<number>} comics
 */
export function bitsOf(comics) {
  const bits = new Uint8Array((Math.max(0, ...comics) >> 3) + 1)
  for (const comic of comics) bits[comic >> 3] = (bits[comic >> 3] ?? 0) | (1 << (comic & 7))
  return bits
}
