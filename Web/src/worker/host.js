// Longbox
// SPDX-License-Identifier: MIT

import { isQuotaExceeded } from "./connection.js"
import { AsyncMutex } from "./timing.js"

/** Maximum attempts when another worker stores a library in the meantime. */
const mostAttempts = 4

/**
 * Starts the device when needed, since a browser may stop the worker at any time. Serializes changes; stores the
 * library.
 */
export class Host {
  #parts
  #mutex = new AsyncMutex()
  /** @type {Promise<import("./device.js").Device> | null} */
  #running = null
  /** @type {import("./device.js").Facts | null} */
  #facts = null

  /**
   * @param {object} parts
   * @param {import("./store.js").Store} parts.store
   * @param {Pick<import("./explanations.js").ExplanationStore, "comics" | "index" | "keepIndex">} parts.explanations
   * @param {Pick<import("./connection.js").Pages, "broadcast">} parts.pages
   * @param {Pick<Build, "assets" | "version" | "base" | "shared" | "copy">} parts.build
   * @param {() => Promise<import("./device.js").Device>} parts.newDevice starts a device without an archive
   */
  constructor(parts) {
    this.#parts = parts
  }

  device() {
    this.#running ??= this.#start().catch((error) => {
      this.#running = null
      throw error
    })
    return this.#running
  }

  /**
   * Runs a step while no other step changes the library or the archive.
   * @template T
   * @param {() => T | Promise<T>} step
   */
  exclusively(step) {
    return this.#mutex.run(step)
  }

  /** Drops the device when its memory can't be trusted or the stored data has changed. The next step starts another. */
  drop() {
    this.#running = null
    this.#facts = null
  }

  /** Caches the device's facts until they may have changed. */
  async facts() {
    this.#facts ??= await this.#ask((device) => device.facts)
    return this.#facts
  }

  /**
   * The pictures of a selection.
   * @param {import("../shared/messages.js").PictureSelection} selection
   */
  pictures(selection) {
    return this.#ask((device) => device.pictures(selection))
  }

  /**
   * Those of some comics that are in the archive and marked as read.
   * @param {readonly number[]} comics
   */
  readAmong(comics) {
    return this.#ask((device) => device.readAmong(comics))
  }

  /**
   * Asks the device once. If the library has changed, stores it before returning; after a form, waits for the disk.
   * @param {import("./device.js").Round} round
   * @returns {Promise<import("./device.js").Reply>}
   */
  respond(round) {
    return this.exclusively(async () => {
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        const device = await this.device()
        const reply = this.#guarded(() => device.respond(round, this.#parts.build))
        if (reply.needs || !reply.response.isLibraryChanged) return reply
        const isForm = round.form !== undefined && round.form !== null
        try {
          if (await this.#keepLibrary(device, isForm ? "strict" : "relaxed")) {
            this.#facts = null
            return reply
          }
        } catch (error) {
          if (isQuotaExceeded(error)) this.#parts.pages.broadcast({ kind: "full" })
          // A page may be shown even if its view can't be stored.
          if (!isForm) return reply
          throw error
        }
      }
      throw new Error("The library could not be stored.")
    })
  }

  /**
   * Stores the device's library. If that fails, or another worker has stored one since, drops the device, so that the
   * next one loads the stored library.
   * @param {import("./device.js").Device} device
   * @param {import("./store.js").Durability} durability
   * @returns {Promise<boolean>} whether it was stored
   */
  async #keepLibrary(device, durability) {
    /** @type {number | null} */
    let serial = null
    try {
      serial = await this.#parts.store.keepLibrary(device.save(), device.serial, durability)
      if (serial !== null) device.serial = serial
    } finally {
      if (serial === null) this.drop()
    }
    return serial !== null
  }

  syncRequest() {
    return this.exclusively(() => this.#ask((device) => device.request()))
  }

  /**
   * Merges the server's reply to a sync, and stores the library.
   * @param {Uint8Array} reply
   */
  receiveSync(reply) {
    return this.exclusively(async () => {
      const device = await this.device()
      const outcome = this.#guarded(() => device.receive(reply))
      // The reply counts as lost if another worker has stored a library in the meantime.
      if (!(await this.#keepLibrary(device, "strict"))) return { progress: /** @type {const} */ ("again"), isChanged: false }
      if (outcome.isChanged || this.#facts?.isDueForSync) this.#facts = null
      return outcome
    })
  }

  /**
   * Opens another archive with the stored library, then stores the archive with `keep`. If it can't be opened, nothing
   * changes.
   * @param {(stored: ArrayBuffer[]) => ArrayBuffer[]} select the segments to open, from those that are stored
   * @param {() => Promise<void>} keep
   */
  replaceArchive(select, keep) {
    return this.exclusively(async () => {
      const device = await this.#start(select)
      await keep()
      this.drop()
      this.#running = Promise.resolve(device)
    })
  }

  /** @param {(stored: ArrayBuffer[]) => ArrayBuffer[]} [select] the segments to open, from those that are stored */
  async #start(select = (stored) => stored) {
    // Starts reading early, for the first response.
    this.#parts.explanations.comics().catch(() => {})
    const [{ segments, library }, device, index] = await Promise.all([
      this.#parts.store.all(), this.#parts.newDevice(), this.#parts.explanations.index().catch(() => undefined),
    ])
    device.open(select(segments))
    // A library that can't be read is set aside for a rescue by hand. The server still has what was synced.
    if (!device.load(library) && library) await this.#parts.store.set("damaged-library", library.bytes)
    // Search works without the index until it is fetched again.
    if (index && !device.explain(index)) await this.#parts.explanations.keepIndex(undefined)
    return device
  }

  /**
   * Asks the device, and drops it if that traps.
   * @template T
   * @param {(device: import("./device.js").Device) => T} step
   */
  async #ask(step) {
    const device = await this.device()
    return this.#guarded(() => step(device))
  }

  /**
   * Runs a step that may trap; drops the device if it does.
   * @template T
   * @param {() => T} step
   */
  #guarded(step) {
    try {
      return step()
    } catch (error) {
      this.drop()
      throw error
    }
  }
}
