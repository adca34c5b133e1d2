// Longbox
// SPDX-License-Identifier: MIT

import { DamagedArchive } from "./device.js"
import { AsyncMutex, singleFlight } from "./timing.js"

/** Minimum time between refreshes when pages are opened, in milliseconds. */
const interval = 5 * 60_000

export class ArchiveUpdates {
  #parts
  #lastRefresh = 0
  #lock = new AsyncMutex()

  /**
   * @param {object} parts
   * @param {import("./host.js").Host} parts.host
   * @param {import("./store.js").Store} parts.store
   * @param {Pick<import("./explanations.js").ExplanationStore, "clear">} parts.explanations
   * @param {Pick<import("./pictures.js").Pictures, "clear">} parts.pictures
   * @param {import("./connection.js").Connection} parts.connection
   * @param {() => Promise<unknown>} parts.onChange called after the archive has changed
   */
  constructor(parts) {
    this.#parts = parts
  }

  /**
   * Fetches the changes to the archive.
   * @returns whether the archive has changed
   */
  refresh = singleFlight(() => this.#lock.run(() => this.#fetch(false)))

  /**
   * Fetches the whole archive, after a refresh in progress, which may keep the archive as it is.
   * @returns whether the archive has changed
   */
  refetch = singleFlight(() => this.#lock.run(() => this.#fetch(true)))

  /** Refreshes, unless this or an earlier run of the worker did so in the last five minutes. */
  async refreshIfDue() {
    this.#lastRefresh ||= (await this.#parts.store.get("refreshed")) ?? 0
    if (Date.now() - this.#lastRefresh > interval) await this.refresh()
  }

  /**
   * @param {boolean} isWhole
   * @returns {Promise<boolean>}
   */
  async #fetch(isWhole) {
    const known = isWhole ? undefined : await this.#parts.store.archive()
    const mergesDeltas = known !== undefined && known.parts > mostDeltas
    const since = (mergesDeltas ? known.base : known?.revision) ?? 0
    const query = `since=${since}&rules=${known?.rules ?? 0}&samples=${known?.samples ?? 0}`
    const response = await this.#parts.connection.send(`/archive?${query}`, { cache: "no-cache" })
    if (!response.ok) throw new Error(`/archive responded with ${response.status}`)
    if (response.status === 204) {
      await this.#noteRefreshed()
      return false
    }
    const segment = await response.arrayBuffer()
    if (!isSegment(segment)) throw new Error("/archive did not respond with a segment.")
    try {
      await this.#keep(segment, known, mergesDeltas)
    } catch (error) {
      // If a delta does not fit, fetch the whole archive, once.
      if (!(error instanceof DamagedArchive) || isWhole || header(segment).base === 0) throw error
      return this.#fetch(true)
    }
    // Record the time first: pages reload after a change, and would otherwise start another refresh.
    await this.#noteRefreshed().catch(() => {})
    await this.#parts.onChange().catch(() => {})
    return true
  }

  async #noteRefreshed() {
    this.#lastRefresh = Date.now()
    await this.#parts.store.set("refreshed", this.#lastRefresh)
  }

  /**
   * @param {ArrayBuffer} segment
   * @param {import("./store.js").ArchiveState | undefined} known
   * @param {boolean} mergesDeltas whether the segment replaces all stored deltas
   */
  async #keep(segment, known, mergesDeltas) {
    const { revision, base, rules, samples } = header(segment)
    const isWhole = base === 0 || known === undefined
    const place = isWhole ? 0 : mergesDeltas ? 1 : known.parts
    const archive = isWhole ? { revision, base: revision, rules, samples } : { ...known, revision }
    await this.#parts.host.replaceArchive((stored) => [...stored.slice(0, place), segment], async () => {
      // The sample box has other comics under the same numbers.
      if (isWhole && known && known.samples !== samples) {
        await this.#parts.explanations.clear()
        await this.#parts.pictures.clear([])
      }
      await this.#parts.store.keepSegments(place, [segment], { ...archive, parts: place + 1 })
    })
  }
}

// The header of a segment of the archive or of the explanation index. Only the WebAssembly module reads the rest.

/** Maximum number of stored deltas before the device requests one that merges them. */
export const mostDeltas = 24

const headerSize = 64

/**
 * Whether bytes start with a segment's signature, unlike a proxy's error page.
 * @param {ArrayBuffer} bytes
 */
export function isSegment(bytes) {
  const view = new DataView(bytes)
  return view.byteLength >= headerSize && view.getUint32(0) === 0x894c4258 && view.getUint32(4) === 0x0d0a1a0a
}

/**
 * `base` is the revision that a delta applies to, 0 for a whole segment; `samples` is 1 in the sample box.
 * @typedef {{ revision: number, base: number, rules: number, samples: number }} Heading
 */

/**
 * @param {ArrayBuffer} segment
 * @returns {Heading}
 */
export function header(segment) {
  const view = new DataView(segment)
  return {
    revision: view.getUint32(24, true),
    base: view.getUint32(28, true),
    rules: view.getUint32(32, true),
    samples: view.getUint32(40, true) & 1,
  }
}
