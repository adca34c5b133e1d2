// Longbox
// SPDX-License-Identifier: MIT

/** How much later than a page the worker may hear of a network, in milliseconds. */
const longestDelay = 5_000

export class Connection {
  #pages
  #base
  #copy
  // Null until a request in this run of the worker has ended. The browser may stop the worker at any time.
  /** @type {boolean | null} */
  #isReached = null
  /** @type {boolean | null} */
  #isSignedOut = null
  /** Counts requests. */
  #requests = 0
  /** The number of the latest request that set `#isReached`. */
  #latest = 0

  /**
   * @param {Pick<Pages, "broadcast">} pages
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
  get isReached() { return this.#isReached !== false }
  /** Whether `isReached` is known: a request in this run of the worker has ended. */
  get isKnown() { return this.#isReached !== null }
  /** Whether the server asks this device to sign in again. What is on the device stays. */
  get isSignedOut() { return this.#isSignedOut === true }
  /** Whether the server can be asked for comics. */
  get isConnected() { return this.isOnline && this.isReached && !this.isSignedOut }

  /** The state as a message to pages. */
  get message() {
    return {
      kind: /** @type {const} */ ("connection"), isReached: this.isReached,
      ...(this.#isSignedOut === null ? {} : { isSignedOut: this.#isSignedOut }),
    }
  }

  /** Waits until the worker knows of the network, too: a page may hear of it first. */
  async untilOnline() {
    const end = Date.now() + longestDelay
    while (!this.isOnline && Date.now() < end) await new Promise((resolve) => { setTimeout(resolve, 50) })
  }

  /** @param {boolean} isReached */
  noteReached(isReached) { this.#note((this.#requests += 1), isReached, null) }

  /**
   * Records the outcome of a request. `isReached` doesn't count if a later request has reported it already.
   * @param {number} request
   * @param {boolean | null} isReached null if it has not shown that
   * @param {boolean | null} isSignedOut null if it has not shown that
   */
  #note(request, isReached, isSignedOut) {
    const [wasReached, wasSignedOut] = [this.#isReached, this.#isSignedOut]
    if (isReached !== null && request >= this.#latest) [this.#latest, this.#isReached] = [request, isReached]
    this.#isSignedOut = isSignedOut ?? wasSignedOut
    if (this.#isReached !== wasReached || this.#isSignedOut !== wasSignedOut) this.#pages.broadcast(this.message)
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
    const number = (this.#requests += 1)
    try {
      const response = await (this.#copy ? this.#copy.send(request, options) : this.#sendToServer(request, options))
      const isSignedIn = mayKeep(response) && isForSignedIn(request, options, this.#base)
      this.#note(number, isFromServer(request, options, response) || null, this.#copy || isSignedIn ? false : response.status === 401 || null)
      return response
    } catch (error) {
      if (!(error instanceof Error && error.name === "AbortError")) this.#note(number, false, null)
      throw error
    }
  }
}

/**
 * Whether a response may be kept: neither an error nor what a redirect led to, such as a proxy's sign-in page.
 * @param {Response} response
 */
export const mayKeep = (response) => response.ok && !response.redirected

/**
 * Whether a successful response means that this device is signed in: it comes from the server, not from the browser's
 * cache, and from an address that requires sign-in.
 * @param {RequestInfo} request
 * @param {RequestInit | undefined} options
 * @param {string} base
 */
function isForSignedIn(request, options, base) {
  const address = typeof request === "string" ? request : new URL(request.url).pathname.slice(base.length)
  return passesCache.includes(cacheModeOf(request, options)) && !/^\/(assets\/|healthz|sign-in|start)/.test(address)
}

/** The cache modes of requests for which the browser always asks the server. */
const passesCache = ["no-store", "no-cache", "reload"]

/**
 * @param {RequestInfo} request
 * @param {RequestInit | undefined} options
 */
const cacheModeOf = (request, options) => options?.cache ?? (typeof request === "string" ? "default" : request.cache)

/**
 * Whether a response shows that the server is reached now. The browser's cache may give other responses without a connection.
 * @param {RequestInfo} request
 * @param {RequestInit | undefined} options
 * @param {Response} response
 */
function isFromServer(request, options, response) {
  const mode = cacheModeOf(request, options)
  const method = options?.method ?? (typeof request === "string" ? "GET" : request.method)
  if (passesCache.includes(mode) || method !== "GET") return true
  // On Back, browsers show even what they would have to check.
  const never = mode === "default" ? /no-store|no-cache/ : /no-store/
  return never.test(response.headers.get("cache-control") ?? "")
}

export class Pages {
  #clients

  /** @param {Pick<Clients, "matchAll">} clients */
  constructor(clients) {
    this.#clients = clients
  }

  /** @param {import("../shared/messages.js").FromWorker} message */
  async broadcast(message) {
    for (const client of await this.#clients.matchAll({ type: "window" })) client.postMessage(message)
  }

  /**
   * Notifies the pages if an error means that storage is full; throws other errors again.
   * @param {unknown} error
   */
  noteFull(error) {
    if (!isQuotaExceeded(error)) throw error
    this.broadcast({ kind: "full" })
  }
}

/** @param {unknown} error */
export const isQuotaExceeded = (error) => error instanceof Error && error.name === "QuotaExceededError"
