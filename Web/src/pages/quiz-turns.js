// Longbox
// SPDX-License-Identifier: MIT

/** The turns of a quiz, one at a time: each goes on from the state that the one before has brought. */
export class Turns {
  /** @type {Promise<void>} */
  #last = Promise.resolve()
  /** @type {() => void} */
  #onUnsent

  /** @param {() => void} onUnsent called for a turn that could not be sent */
  constructor(onUnsent) {
    this.#onUnsent = onUnsent
  }

  /**
   * @param {() => FormData | null} makeFields called when it is this one's turn; null where there is nothing to send any more
   * @param {(page: Document) => void} use takes the page that comes back
   */
  take(makeFields, use) {
    this.#last = this.#last.then(() => this.#send(makeFields, use)).catch(() => this.#onUnsent())
  }

  /**
   * Does something once all turns so far are over.
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
    const headers = { accept: "text/html" }
    const response = await fetch(location.pathname + location.search, { method: "POST", body, headers, keepalive: true }).catch(() => null)
    const page = response && new DOMParser().parseFromString(await response.text(), "text/html")
    if (page?.querySelector(".quiz")) use(page)
    else this.#onUnsent()
  }
}
