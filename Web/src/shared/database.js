// Longbox
// SPDX-License-Identifier: MIT

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
