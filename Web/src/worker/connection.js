// Longbox
// SPDX-License-Identifier: MIT

export class Connection {
  #pages
  #base
  #copy
  #isReached = true
  #isSignedOut = false

  /**
   * @param {Pick<import("./pages.js").Pages, "broadcast">} pages
   * @param {string} [base] the site's base path
   * @param {Pick<import("./static-copy.js").StaticCopy, "send"> | null} [copy] responds in place of a server
   */
  constructor(pages, base = "", copy = null) {
    this.#pages = pages
    this.#base = base
    this.#copy = copy
  }

  /** Whether the browser has a network. The server may still be out of reach. */
  get isOnline() { return navigator.onLine }
  /** Whether the server responded to the last request. */
  get isReached() { return this.#isReached }
  /** Whether the server asks this device to sign in again. What is on the device stays. */
  get isSignedOut() { return this.#isSignedOut }
  /** Whether the server can be asked for comics. */
  get isConnected() { return this.isOnline && this.#isReached && !this.#isSignedOut }

  /** @param {boolean} isReached */
  noteReached(isReached) {
    if (this.#isReached === isReached) return
    this.#isReached = isReached
    this.#notifyPages()
  }

  /** @param {boolean} isSignedOut */
  #noteSignedOut(isSignedOut) {
    if (this.#isSignedOut === isSignedOut) return
    this.#isSignedOut = isSignedOut
    this.#notifyPages()
  }

  #notifyPages() {
    this.#pages.broadcast({ kind: "connection", isReached: this.#isReached, isSignedOut: this.#isSignedOut })
  }

  /**
   * @param {RequestInfo} request
   * @param {RequestInit} [options]
   */
  async #sendToServer(request, options) {
    const response = await fetch(typeof request === "string" ? this.#base + request : request, options)
    // The server sends a policy with every response; an error without one comes from a proxy while the server is down.
    if (response.status >= 500 && !response.headers.has("content-security-policy")) throw new TypeError(response.statusText)
    return response
  }

  /**
   * Sends a request and notes whether the server responded. Throws if it did not.
   * @param {RequestInfo} request a path is without the base path
   * @param {RequestInit} [options]
   * @returns {Promise<Response>}
   */
  async send(request, options) {
    try {
      const response = await (this.#copy ? this.#copy.send(request, options) : this.#sendToServer(request, options))
      this.noteReached(true)
      if (this.#copy) return response
      if (response.status === 401) this.#noteSignedOut(true)
      else if (response.ok && isForSignedIn(request, options, this.#base)) this.#noteSignedOut(false)
      return response
    } catch (error) {
      if (!(error instanceof Error && error.name === "AbortError")) this.noteReached(false)
      throw error
    }
  }
}

/**
 * Whether a successful response means that this device is signed in: it comes from the server, not from the browser's
 * cache, and from an address that requires sign-in.
 * @param {RequestInfo} request
 * @param {RequestInit | undefined} options
 * @param {string} base
 */
function isForSignedIn(request, options, base) {
  const address = typeof request === "string" ? request : new URL(request.url).pathname.slice(base.length)
  const cache = options?.cache ?? (typeof request === "string" ? "default" : request.cache)
  return ["no-store", "no-cache", "reload"].includes(cache) && !/^\/(assets\/|healthz|sign-in|start)/.test(address)
}
