// Longbox
// SPDX-License-Identifier: MIT

/** Maximum rounds of loading per request. */
const mostRounds = 6

/**
 * The outcome of a request: the device's response, or `isForServer`. `needs` are all needs loaded for it. `afterwards`
 * runs once the server has responded.
 * @typedef {{ response: import("./device.js").DeviceResponse | null, needs: import("./device.js").Need[], isForServer: boolean,
 *   afterwards: (() => Promise<unknown>)[] }} Outcome
 */

/**
 * Responds to every page request: asks the device, loads what it needs, and asks again. The host stores the library before
 * a response is returned. All addresses are treated alike.
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
   * @param {import("./device.js").DeviceRequest} request
   * @param {{ isOffline?: boolean }} [options] `isOffline` loads nothing from the server, and never leaves the request to it
   * @returns {Promise<Outcome>}
   */
  async respond(request, { isOffline = false } = {}) {
    /** @type {{ need: import("./device.js").Need, loaded: import("./device.js").Loaded }[]} */
    const loaded = []
    for (let round = 0; round < mostRounds; round += 1) {
      // Loading may have shown that the server can't be reached.
      const reply = await this.#host.respond({ ...request, isOffline: isOffline || !this.#connection.isConnected, loaded })
      const needs = loaded.map(({ need }) => need)
      if (!reply.needs) {
        const isForServer = reply.response.serverMayKnowMore && this.#isOnline(isOffline)
        return { response: reply.response, needs, isForServer, afterwards: [] }
      }
      const results = await this.#load(reply.needs, this.#isOnline(isOffline))
      const left = results.flatMap(({ result }) => (result.state === "elsewhere" ? [result] : []))
      if (left.length > 0) {
        return { response: null, needs, isForServer: true, afterwards: left.flatMap(({ afterwards }) => afterwards ?? []) }
      }
      for (const { need, result } of results) if (result.state !== "elsewhere") loaded.push({ need, loaded: result })
    }
    throw new Error(`The device still has needs after ${mostRounds} rounds of loading.`)
  }

  /** @param {boolean} isOffline */
  #isOnline(isOffline) { return !isOffline && this.#connection.isOnline }

  /**
   * Loads needs, grouped by kind. The needs of a loader that fails count as unreachable.
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
