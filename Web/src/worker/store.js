// Longbox
// SPDX-License-Identifier: MIT

import { Database } from "../shared/database.js"

/** @typedef {{ bytes: Uint8Array, serial: number }} StoredLibrary `serial` counts how often the library was stored */
/**
 * The state of the stored archive, readable without opening it.
 * @typedef {object} ArchiveState
 * @property {number} revision
 * @property {number} base the revision of the whole segment
 * @property {number} rules
 * @property {number} samples
 * @property {number} parts the number of segments
 */
/**
 * A stored download. Its progress is computed from what is cached.
 * @typedef {object} StoredDownload
 * @property {import("../shared/messages.js").Selection} selection
 * @property {import("../shared/messages.js").DownloadState} state
 * @property {number} total
 * @property {number} [failed]
 */
/**
 * @typedef {object} NewsState
 * @property {number} samples 1 in the sample box, which has no news
 * @property {number} latest the latest comic
 * @property {number[]} unseen new comics that the reader has not viewed
 * @property {number[]} announced comics for which a notification was shown
 */
/**
 * @typedef {object} Values
 * @property {StoredLibrary} library
 * @property {Uint8Array} damaged-library a library that could not be read
 * @property {ArchiveState} archive
 * @property {number} refreshed when the archive was last refreshed
 * @property {boolean} synced whether the device has ever synced
 * @property {number} syncedAt when the last sync ended, in milliseconds since 1970
 * @property {StoredDownload | null} download
 * @property {Record<number, number>} absent when to ask again for the pictures that xkcd.com doesn't have, by comic
 * @property {NewsState} news
 * @property {number} keyChecked when the server's key for notifications was last compared
 * @property {string} assets the version of the installed files
 */

/** The device's database: the archive's segments, the library, and small values. */
export class Store {
  #database
  #ranges

  /**
   * @param {IDBFactory} databases
   * @param {Pick<typeof IDBKeyRange, "lowerBound">} ranges
   * @param {string} [base] the site's base path
   */
  constructor(databases, ranges, base = "") {
    this.#ranges = ranges
    this.#database = new Database(`longbox${base}`, (database) => {
      database.createObjectStore("segments")
      database.createObjectStore("things")
    }, databases)
  }

  /**
   * @template {keyof Values} Name
   * @param {Name} name
   * @returns {Promise<Values[Name] | undefined>}
   */
  get(name) {
    return this.#database.transaction(["things"], "readonly", (values) => {
      const request = values.get(name)
      return () => request.result
    })
  }

  /**
   * @template {keyof Values} Name
   * @param {Name} name
   * @param {Values[Name]} value
   */
  set(name, value) {
    return this.#database.transaction(["things"], "readwrite", (values) => {
      values.put(value, name)
      return () => {}
    })
  }

  /**
   * Updates a value with `step`, in one transaction.
   * @template {keyof Values} Name
   * @param {Name} name
   * @param {(before: Values[Name] | undefined) => Values[Name] | undefined} step
   * @returns {Promise<Values[Name] | undefined>} the new value
   */
  change(name, step) {
    return this.#database.transaction(["things"], "readwrite", (values) => {
      const before = values.get(name)
      /** @type {Values[Name] | undefined} */
      let after
      before.onsuccess = () => {
        after = step(before.result)
        values.put(after, name)
      }
      return () => after
    })
  }

  /**
   * The archive's segments in order, and the library, read in one transaction.
   * @returns {Promise<{ segments: ArrayBuffer[], library: StoredLibrary | undefined }>}
   */
  all() {
    return this.#database.transaction(["segments", "things"], "readonly", (segments, values) => {
      const [all, library] = [segments.getAll(), values.get("library")]
      return () => ({ segments: all.result, library: library.result })
    })
  }

  archive() {
    return this.get("archive")
  }

  /**
   * Replaces the segments from `place` on, and the archive's state.
   * @param {number} place
   * @param {ArrayBuffer[]} segments
   * @param {ArchiveState} archive
   */
  keepSegments(place, segments, archive) {
    return this.#database.transaction(["segments", "things"], "readwrite", (all, values) => {
      all.delete(this.#ranges.lowerBound(place))
      segments.forEach((segment, index) => all.put(segment, place + index))
      values.put(archive, "archive")
      return () => {}
    }, "strict")
  }

  /**
   * Stores the library, unless another worker has stored one since this one was read: two run while a new worker takes
   * over.
   * @param {Uint8Array} bytes
   * @param {number} serial the serial of the library that this one is based on
   * @param {import("../shared/database.js").Durability} durability
   * @returns {Promise<number | null>} the new serial, or null if not stored
   */
  keepLibrary(bytes, serial, durability) {
    /** @type {number | null} */
    let kept = null
    return this.#database.transaction(["things"], "readwrite", (values) => {
      const current = values.get("library")
      current.onsuccess = () => {
        if ((current.result?.serial ?? 0) !== serial) return
        kept = serial + 1
        values.put({ bytes, serial: kept }, "library")
      }
      return () => kept
    }, durability)
  }
}
