// Longbox
// SPDX-License-Identifier: MIT

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

/**
 * The object store of all but segments. It keeps its first name: renaming it would need another version of the database, which
 * the worker that is still running while this one is installed could not open.
 */
const valuesName = "things"

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
      database.createObjectStore(valuesName)
    }, databases)
  }

  /**
   * @template {keyof Values} Name
   * @param {Name} name
   * @returns {Promise<Values[Name] | undefined>}
   */
  get(name) {
    return this.#database.transaction([valuesName], "readonly", (values) => {
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
    return this.#database.transaction([valuesName], "readwrite", (values) => {
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
    return this.#database.transaction([valuesName], "readwrite", (values) => {
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
    return this.#database.transaction(["segments", valuesName], "readonly", (segments, values) => {
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
    return this.#database.transaction(["segments", valuesName], "readwrite", (all, values) => {
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
   * @param {Durability} durability
   * @returns {Promise<number | null>} the new serial, or null if not stored
   */
  keepLibrary(bytes, serial, durability) {
    /** @type {number | null} */
    let kept = null
    return this.#database.transaction([valuesName], "readwrite", (values) => {
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

/** @typedef {"relaxed" | "strict"} Durability "strict" waits until the disk has the data. */

/** An IndexedDB database. Opens with the first transaction, and again after the browser has closed it. */
export class Database {
  #name
  #upgrade
  #factory
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null

  /**
   * @param {string} name
   * @param {(database: IDBDatabase) => void} upgrade creates the object stores of a new database
   * @param {IDBFactory} factory the browser's `indexedDB`, or a fake in tests
   */
  constructor(name, upgrade, factory) {
    this.#name = name
    this.#upgrade = upgrade
    this.#factory = factory
  }

  /**
   * @template T
   * @param {string[]} stores
   * @param {IDBTransactionMode} mode
   * @param {(...stores: IDBObjectStore[]) => () => T} step makes the requests; what it returns reads their results
   * @param {Durability} [durability]
   * @returns {Promise<T>} the result, once the transaction is complete
   */
  async transaction(stores, mode, step, durability = "relaxed") {
    const database = await this.#open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(stores, mode, { durability })
      const result = step(...stores.map((store) => transaction.objectStore(store)))
      transaction.oncomplete = () => resolve(result())
      // A request's error aborts, too. Only then is `transaction.error` set.
      transaction.onabort = () => reject(transaction.error ?? new Error("The transaction was aborted."))
    })
  }

  #open() {
    this.#opening ??= this.#opened().catch((error) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  /** @returns {Promise<IDBDatabase>} */
  #opened() {
    return new Promise((resolve, reject) => {
      const request = this.#factory.open(this.#name, 1)
      request.onupgradeneeded = () => this.#upgrade(request.result)
      request.onsuccess = () => {
        const database = request.result
        const forget = () => { this.#opening = null }
        database.onversionchange = () => {
          database.close()
          forget()
        }
        database.onclose = forget
        resolve(database)
      }
      request.onerror = () => reject(request.error)
    })
  }
}
