// Longbox
// SPDX-License-Identifier: MIT

// Messages to and from the WebAssembly module. Numbers are little-endian; a text is its length and its UTF-8 bytes.

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export class MessageWriter {
  /** @type {Uint8Array[]} */
  #parts = []
  #length = 0

  /** @param {number} value */
  byte(value) { return this.bytes(Uint8Array.of(value)) }
  /** @param {number} value */
  word32(value) { return this.bytes(new Uint8Array(Uint32Array.of(value).buffer)) }
  /** @param {number | bigint} value */
  word64(value) { return this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)) }
  /** @param {string | Uint8Array} text as bytes, in UTF-8 */
  text(text) {
    const bytes = typeof text === "string" ? encoder.encode(text) : text
    return this.word32(bytes.length).bytes(bytes)
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    this.#parts.push(bytes)
    this.#length += bytes.length
    return this
  }

  get message() {
    const message = new Uint8Array(this.#length)
    let place = 0
    for (const part of this.#parts) {
      message.set(part, place)
      place += part.length
    }
    return message
  }
}

export class MessageReader {
  #view
  #place = 0

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  constructor(bytes) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  get isAtEnd() { return this.#place >= this.#view.byteLength }
  byte() { return this.#view.getUint8(this.#place++) }
  text() { return decoder.decode(this.bytes(this.word32())) }

  word32() {
    this.#place += 4
    return this.#view.getUint32(this.#place - 4, true)
  }

  bytes(count = this.#view.byteLength - this.#place) {
    this.#place += count
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#place - count, count)
  }

  /**
   * Reads a count and that many items.
   * @template T
   * @param {() => T} item
   */
  list(item) { return Array.from({ length: this.word32() }, item) }
}
