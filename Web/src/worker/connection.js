// Longbox
// SPDX-License-Identifier: MIT

export class Connection {
  #pages
  #isReached = true

  /** @param {Pick<import("./pages.js").Pages, "broadcast">} pages */
  constructor(pages) {
    this.#pages = pages
  }

  /** Whether the browser has a network. The server may still be out of reach. */
  get isOnline() { return navigator.onLine }
  /** Whether the server answered the last request. */
  get isReached() { return this.#isReached }
  get isConnected() { return this.isOnline && this.#isReached }

  /** @param {boolean} isReached */
  noteReached(isReached) {
    if (this.#isReached === isReached) return
    this.#isReached = isReached
    this.#pages.broadcast({ kind: "connection", isReached })
  }

  /**
   * Sends a request and notes whether the server answered. Throws if it did not.
   * @param {RequestInfo} request
   * @param {RequestInit} [options]
   * @returns {Promise<Response>}
   */
  async ask(request, options) {
    try {
      const response = await fetch(request, options)
      // The server sends a policy with every response; an error without one comes from a proxy while the server is
      // down.
      if (response.status >= 500 && !response.headers.has("content-security-policy")) throw new TypeError(response.statusText)
      this.noteReached(true)
      return response
    } catch (error) {
      if (!(error instanceof Error && error.name === "AbortError")) this.noteReached(false)
      throw error
    }
  }
}
