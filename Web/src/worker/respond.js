// Longbox
// SPDX-License-Identifier: MIT

/** Maximum rounds of loading per question. */
const mostRounds = 6

/**
 * The outcome of a question: the device's answer, or `isForServer`. `needs` are all needs loaded for it. `afterwards`
 * runs once the server has answered.
 * @typedef {{ answer: import("./device.js").Answer | null, needs: import("./device.js").Need[], isForServer: boolean,
 *   afterwards: (() => Promise<unknown>)[] }} Outcome
 */

/**
 * Answers every page request: asks the device, loads what it needs, and asks again. The host stores the library before
 * an answer is returned. Addresses play no role here.
 */
export class RequestLoop {
  #host
  #loaders
  #connection

  /**
   * @param {object} parts
   * @param {Pick<import("./host.js").Host, "respond">} parts.host
   * @param {import("./loaders.js").Loaders} parts.loaders
   * @param {Pick<import("./connection.js").Connection, "isOnline" | "isConnected">} parts.connection
   */
  constructor({ host, loaders, connection }) {
    this.#host = host
    this.#loaders = loaders
    this.#connection = connection
  }

  /**
   * @param {import("./device.js").Question} question
   * @param {{ isOffline?: boolean }} [options] offline, nothing is loaded from the server or left to it
   * @returns {Promise<Outcome>}
   */
  async respond(question, { isOffline = false } = {}) {
    /** @type {{ need: import("./device.js").Need, loaded: import("./device.js").Loaded }[]} */
    const loaded = []
    for (let round = 0; round < mostRounds; round += 1) {
      // Loading may have found the server out of reach.
      const reply = await this.#host.respond({ ...question, isOffline: isOffline || !this.#connection.isConnected, loaded })
      const needs = loaded.map(({ need }) => need)
      if (!reply.needs) {
        const isForServer = reply.answer.isServerBetter && this.#isOnline(isOffline)
        return { answer: reply.answer, needs, isForServer, afterwards: [] }
      }
      const results = await this.#load(reply.needs, this.#isOnline(isOffline))
      const left = results.flatMap(({ result }) => (result.state === "elsewhere" ? [result] : []))
      if (left.length > 0) {
        return { answer: null, needs, isForServer: true, afterwards: left.flatMap(({ afterwards }) => afterwards ?? []) }
      }
      for (const { need, result } of results) if (result.state !== "elsewhere") loaded.push({ need, loaded: result })
    }
    throw new Error("The device needs too much for an answer.")
  }

  /** @param {boolean} isOffline */
  #isOnline(isOffline) { return !isOffline && this.#connection.isOnline }

  /**
   * Loads needs, grouped by kind. Failures become unreachable.
   * @param {import("./device.js").Need[]} needs
   * @param {boolean} isOnline
   */
  async #load(needs, isOnline) {
    const kinds = [...new Set(needs.map(({ kind }) => kind))]
    const lists = await Promise.all(kinds.map(async (kind) => {
      const ofKind = needs.filter((need) => need.kind === kind)
      const results = await this.#loaders[kind](ofKind.map(({ key }) => key), { isOnline }).catch(() => [])
      return ofKind.map((need, index) => ({ need, result: results[index] ?? /** @type {const} */ ({ state: "unreachable" }) }))
    }))
    return lists.flat()
  }
}
