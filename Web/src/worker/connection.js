// Longbox
// SPDX-License-Identifier: MIT

/** The way to the server. */
export class Connection {
  #pages
  #isReached = true

  /** @param {Pick<import("./pages.js").Pages, "broadcast">} pages */
  constructor(pages) {
    this.#pages = pages
  }

  /** Whether the browser has a network. The server may be out of reach all the same. */
  get isOnline() { return navigator.onLine }
  /** Whether the server answered the last request. */
  get isReached() { return this.#isReached }
  /** Whether the next request to the server is likely to be answered. */
  get isConnected() { return this.isOnline && this.#isReached }

  /** @param {boolean} isReached */
  noteReached(isReached) {
    if (this.#isReached === isReached) return
    this.#isReached = isReached
    this.#pages.broadcast({ kind: "connection", isReached })
  }

  /**
   * Asks the server, and notes whether it answered. Throws where it did not.
   * @param {RequestInfo} request
   * @param {RequestInit} [options]
   * @returns {Promise<Response>}
   */
  async ask(request, options) {
    try {
      const response = await fetch(request, options)
      // The server sends a policy with every response. Without one, this is a proxy's error for a server that is down.
      if (response.status >= 500 && !response.headers.has("content-security-policy")) throw new TypeError(response.statusText)
      this.noteReached(true)
      return response
    } catch (error) {
      if (!(error instanceof Error && error.name === "AbortError")) this.noteReached(false)
      throw error
    }
  }
}
