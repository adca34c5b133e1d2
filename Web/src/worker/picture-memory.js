// Longbox
// SPDX-License-Identifier: MIT

/** An in-memory LRU cache of pictures. */
export class PictureMemory {
  #limit
  #size = 0
  /** @type {Map<string, { bytes: ArrayBuffer, headers: Record<string, string> }>} */
  #entries = new Map()

  /** @param {number} [limit] in bytes */
  constructor(limit = 16 << 20) {
    this.#limit = limit
  }

  /** @param {string} key */
  get(key) {
    const entry = this.#entries.get(key)
    if (!entry) return null
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return new Response(entry.bytes, { headers: entry.headers })
  }

  /**
   * Adds a picture, unless it is larger than a quarter of the limit.
   * @param {string} key
   * @param {ArrayBuffer} bytes
   * @param {Record<string, string>} headers
   */
  put(key, bytes, headers) {
    if (bytes.byteLength > this.#limit / 4 || this.#entries.has(key)) return
    this.#entries.set(key, { bytes, headers })
    this.#size += bytes.byteLength
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#limit) break
      this.#entries.delete(oldest)
      this.#size -= entry.bytes.byteLength
    }
  }

  clear() {
    this.#entries.clear()
    this.#size = 0
  }
}
