// Longbox
// SPDX-License-Identifier: MIT

/** Maximum number of requests per sync. */
const mostExchanges = 5
/** Minimum time between checks for a library on the server, in milliseconds. */
const lookInterval = 10_000
/** Maximum wait after the server has refused the library, in milliseconds. */
const longestWait = 3_600_000

export class LibrarySync {
  #host
  #store
  #connection
  #registration
  #onChange
  #onEnd
  #isOff
  /** @type {Promise<void> | null} */
  #running = null
  #isDue = false
  #isForced = false
  #lastLook = 0
  /** The time before which a library that the server has refused isn't sent again, in milliseconds since 1970. */
  #notBefore = 0

  /**
   * @param {object} parts
   * @param {import("./host.js").Host} parts.host
   * @param {import("./store.js").Store} parts.store
   * @param {import("./connection.js").Connection} parts.connection
   * @param {Pick<ServiceWorkerRegistration, "sync">} parts.registration
   * @param {() => void} parts.onChange called after a sync has changed the library
   * @param {() => void} [parts.onEnd] called after a sync, and when one has to wait
   * @param {boolean} [parts.isOff] whether there is no server to sync with
   */
  constructor({ host, store, connection, registration, onChange, onEnd = () => {}, isOff = false }) {
    this.#isOff = isOff
    this.#host = host
    this.#store = store
    this.#connection = connection
    this.#registration = registration
    this.#onChange = onChange
    this.#onEnd = onEnd
  }

  /**
   * If the device has never synced, fetches the library that the server has for this browser: forms sent during the
   * worker's installation went to the server.
   */
  async lookForLibrary() {
    if (this.#isOff || (await this.#store.get("synced"))) return
    const response = await this.#connection.send("/device.json", { cache: "no-store" })
    if ((await response.json()).library) await this.run({ isForced: true })
  }

  /** Like `lookForLibrary`, at most every ten seconds. */
  async lookForLibraryIfDue() {
    if (Date.now() - this.#lastLook < lookInterval) return
    this.#lastLook = Date.now()
    await this.lookForLibrary()
  }

  /**
   * Syncs, and again if called in the meantime.
   * @param {{ isForced?: boolean }} [options] unless forced, a device that has nothing to send and never synced does
   *   nothing
   * @returns {Promise<void>}
   */
  run({ isForced = false } = {}) {
    if (this.#isOff) return Promise.resolve()
    this.#isDue = true
    this.#isForced ||= isForced
    this.#running ??= this.#runWhileDue().finally(() => { this.#running = null })
    return this.#running
  }

  /**
   * When this device has synced, and whether a change waits for that; null if there is no server.
   * @returns {Promise<import("../shared/messages.js").SyncState | null>}
   */
  async state() {
    if (this.#isOff) return null
    const [at = 0, { isDueForSync }] = await Promise.all([this.#store.get("syncedAt"), this.#host.facts()])
    return { at, isWaiting: isDueForSync }
  }

  /** Asks the browser to sync once it is online, even after all pages are closed. */
  async runLater() {
    if (this.#isOff) return
    this.#onEnd()
    await this.#registration.sync?.register("library").catch(() => {})
  }

  /** Syncs now if the server can be reached, or else later. */
  runOrWait() {
    return this.#connection.isConnected ? this.run() : this.runLater()
  }

  async #runWhileDue() {
    while (this.#isDue) {
      const isForced = this.#isForced
      this.#isDue = this.#isForced = false
      await this.#exchange(isForced)
    }
  }

  /** @param {boolean} isForced */
  async #exchange(isForced) {
    if (!isForced && !(await this.#host.facts()).isDueForSync && !(await this.#store.get("synced"))) return
    if (Date.now() < this.#notBefore) return this.runLater()
    let isChanged = false
    try {
      for (let round = 0; round < mostExchanges; round += 1) {
        const response = await this.#connection.send("/sync", {
          method: "POST",
          body: await this.#host.syncRequest(),
          headers: { "content-type": "application/octet-stream" },
          cache: "no-store",
        })
        if (!response.ok) {
          this.#noteRejection(response)
          throw new Error(`/sync responded with ${response.status}`)
        }
        const outcome = await this.#host.receiveSync(new Uint8Array(await response.arrayBuffer()))
        isChanged ||= outcome.isChanged
        if (outcome.progress !== "again") break
      }
      await this.#store.set("synced", true)
      await this.#store.set("syncedAt", Date.now())
      this.#onEnd()
    } catch (error) {
      await this.runLater()
      throw error
    } finally {
      if (isChanged) this.#onChange()
    }
  }

  /** @param {Response} response */
  #noteRejection({ status, headers }) {
    if (status !== 429 && status !== 507) return
    const seconds = Number(headers.get("retry-after")) || 0
    this.#notBefore = Date.now() + Math.min(seconds * 1000, longestWait)
  }
}
