// Longbox
// SPDX-License-Identifier: MIT

/** @typedef {{ memory: WebAssembly.Memory, inbox(count: number): number, perform(operation: number): number, outbox(): number }} Exports */

/** An instance of longbox.wasm. Drop it after it has thrown: its memory can't be trusted. */
export class Core {
  #exports

  /** @param {Exports} exports */
  constructor(exports) {
    this.#exports = exports
  }

  /** @param {WebAssembly.Module} module */
  static async start(module) {
    const { exports } = await WebAssembly.instantiate(module)
    return new Core(/** @type {Exports} */ (/** @type {unknown} */ (exports)))
  }

  /**
   * Performs one operation.
   * @param {number} operation
   * @param {Uint8Array} [message]
   * @returns {Uint8Array<ArrayBuffer> | null} the reply, or null if the operation failed
   */
  perform(operation, message = new Uint8Array()) {
    const { inbox, perform, outbox, memory } = this.#exports
    const start = inbox(message.length) >>> 0
    new Uint8Array(memory.buffer, start, message.length).set(message)
    const length = perform(operation)
    if (length < 0) return null
    // Copy: the memory may grow, and the next call reuses it.
    return new Uint8Array(memory.buffer, outbox() >>> 0, length).slice()
  }
}
