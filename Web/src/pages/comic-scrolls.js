// Longbox
// SPDX-License-Identifier: MIT

const key = "scrolls"
/** The number of comics to remember. */
const most = 100

/** How far comics were scrolled, for one tab and session: a long comic is shown again where it was left. */
export class ComicScrolls {
  #storage

  /** @param {Pick<Storage, "getItem" | "setItem">} storage */
  constructor(storage) {
    this.#storage = storage
  }

  /** Pairs of path and pixels, the one noted last at the end. @returns {[string, number][]} */
  #all() {
    try {
      const kept = JSON.parse(this.#storage.getItem(key) ?? "[]")
      return Array.isArray(kept) ? kept : []
    } catch {
      return []
    }
  }

  /** The pixels from the top; 0 if unknown. @param {string} address */
  of(address) { return this.#all().find(([path]) => path === pathOf(address))?.[1] ?? 0 }

  /**
   * @param {string} address
   * @param {number} scroll in pixels
   */
  note(address, scroll) {
    const path = pathOf(address)
    const [all, before] = [this.#all(), this.of(address)]
    if (before === scroll) return
    const others = all.filter(([one]) => one !== path)
    const kept = scroll > 0 ? [...others, [path, scroll]] : others
    this.#storage.setItem(key, JSON.stringify(kept.slice(-most)))
  }
}

/** An address without its query, such as that of the list that is read through. @param {string} address */
const pathOf = (address) => address.replace(/\?.*/, "")
