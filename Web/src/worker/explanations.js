// Longbox
// SPDX-License-Identifier: MIT

import { explanationAddress } from "../shared/addresses.js"

/** Maximum age of an explanation before a view fetches it again, in milliseconds. */
const maximumAge = 24 * 3_600_000

/** Explanations from this device, or else from the server. */
export class Explanations {
  #store
  #connection
  #pages
  #headers

  /**
   * @param {object} parts
   * @param {import("./explanation-store.js").ExplanationStore} parts.store
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./pages.js").Pages} parts.pages
   * @param {Readonly<Record<string, string>>} parts.headers the headers of pages
   */
  constructor({ store, connection, pages, headers }) {
    this.#store = store
    this.#connection = connection
    this.#pages = pages
    this.#headers = headers
  }

  /**
   * The stored explanations of these comics; none if the database can't be read.
   * @param {readonly number[]} comics
   */
  async some(comics) {
    return this.#store.some(comics).catch(() => [])
  }

  /**
   * @param {number} comic
   * @param {{ isOnline: boolean }} context
   * @returns {Promise<import("./explanation-store.js").Explanation | null | undefined>} null if there is none,
   *   undefined if it can't be loaded now
   */
  async find(comic, { isOnline }) {
    const [kept] = await this.some([comic])
    return kept ?? (isOnline ? this.#fetch(comic) : undefined)
  }

  /**
   * Fetches the explanations of comics that are missing or old. After two failures in a row it leaves the others for later.
   * @param {readonly number[]} comics
   */
  async refresh(comics) {
    const kept = new Map((await this.#store.some(comics)).map(({ comic, keptAt }) => [comic, keptAt]))
    let failures = 0
    for (const comic of comics.filter((number) => Date.now() - (kept.get(number) ?? 0) > maximumAge)) {
      if (!this.#connection.isConnected || failures === 2) return
      failures = (await this.#fetch(comic)) === undefined ? failures + 1 : 0
    }
  }

  /**
   * Responds with an explanation as JSON; null if there is none or it can't be loaded now.
   * @param {FetchEvent} event
   * @param {number} comic
   */
  async respond(event, comic) {
    return Response.json((await this.#known(event, comic)) ?? null)
  }

  /**
   * Responds with the whole explanation as an HTML fragment.
   * @param {FetchEvent} event
   * @param {number} comic
   */
  async respondFragment(event, comic) {
    const known = await this.#known(event, comic)
    if (known?.whole) return this.#fragment(known.whole, 200)
    return this.#connection.send(event.request)
      .catch(() => this.#fragment("<p>This explanation is not on this device yet.</p>", 503))
  }

  /**
   * @param {FetchEvent} event
   * @param {number} comic
   */
  async #known(event, comic) {
    const known = await this.find(comic, { isOnline: true })
    if (known) event.waitUntil(this.refresh([comic]).catch(() => {}))
    return known
  }

  /**
   * @param {string} html
   * @param {number} status
   */
  #fragment(html, status) {
    return new Response(`<article id="explanation"><h2>Explanation</h2>${html}</article>`, {
      status,
      headers: { ...this.#headers, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    })
  }

  /**
   * @param {number} comic
   * @returns {Promise<import("./explanation-store.js").Explanation | null | undefined>}
   */
  async #fetch(comic) {
    try {
      const response = await this.#connection.send(explanationAddress(comic), { cache: "no-cache" })
      if (response.status === 404) return null
      if (!response.ok) return undefined
      const explanation = await response.json()
      await this.#store.keep([explanation]).catch((error) => this.#pages.noteFull(error))
      return explanation
    } catch {
      return undefined
    }
  }
}
