// Longbox
// SPDX-License-Identifier: MIT

/** Sends the turns of a quiz one at a time, each based on the state that the previous one returned. */
export class Turns {
  /** @type {Promise<void>} */
  #last = Promise.resolve()
  /** @type {() => void} */
  #onUnsent
  /** @type {import("./services.d.ts").Services["sendChange"]} */
  #sendChange

  /**
   * @param {import("./services.d.ts").Services["sendChange"]} sendChange
   * @param {() => void} onUnsent called if a turn could not be sent
   */
  constructor(sendChange, onUnsent) {
    this.#sendChange = sendChange
    this.#onUnsent = onUnsent
  }

  /**
   * @param {() => FormData | null} makeFields called when the turn starts; null if there is nothing left to send
   * @param {(page: Document) => void} use receives the page of the response
   */
  take(makeFields, use) {
    this.#last = this.#last.then(() => this.#send(makeFields, use)).catch(() => this.#onUnsent())
  }

  /**
   * Runs a step after all turns so far.
   * @param {() => void} step
   */
  afterAll(step) {
    this.#last.then(step)
  }

  /**
   * @param {() => FormData | null} makeFields
   * @param {(page: Document) => void} use
   */
  async #send(makeFields, use) {
    const fields = makeFields()
    if (!fields) return
    const body = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
    const response = await this.#sendChange(location.pathname + location.search, body).catch(() => null)
    const page = response && new DOMParser().parseFromString(await response.text(), "text/html")
    if (page?.querySelector(".quiz")) use(page)
    else this.#onUnsent()
  }
}
