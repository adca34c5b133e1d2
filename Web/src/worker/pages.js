// Longbox
// SPDX-License-Identifier: MIT

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
