// Longbox
// SPDX-License-Identifier: MIT

/** The open pages of Longbox. */
export class Pages {
  #clients

  /** @param {Pick<Clients, "matchAll">} clients */
  constructor(clients) {
    this.#clients = clients
  }

  /**
   * Sends a message to every open page.
   * @param {import("../shared/messages.js").FromWorker} message
   */
  async broadcast(message) {
    for (const client of await this.#clients.matchAll({ type: "window" })) client.postMessage(message)
  }

  /**
   * Says that the device is full where that is why something failed; throws other errors again.
   * @param {unknown} error
   */
  noteFull(error) {
    if (!isQuotaExceeded(error)) throw error
    this.broadcast({ kind: "full" })
  }
}

/** @param {unknown} error */
export const isQuotaExceeded = (error) => error instanceof Error && error.name === "QuotaExceededError"
