// Longbox
// SPDX-License-Identifier: MIT

/** @typedef {import("./covers.js").ListPlace & { address: string }} TabPlace */
/** @typedef {"stay" | "top" | "follow"} Reselection what pressing the current tab does */

const key = "places"

/**
 * Where the reader was in each tab of the navigation, for one session. A tab's key is its name, such as `Comics`.
 */
export class TabPlaces {
  #storage

  /** @param {Pick<Storage, "getItem" | "setItem">} storage */
  constructor(storage) {
    this.#storage = storage
  }

  /** @returns {Record<string, TabPlace>} */
  #all() {
    try {
      const kept = JSON.parse(this.#storage.getItem(key) ?? "{}")
      return typeof kept === "object" && kept !== null ? kept : {}
    } catch {
      return {}
    }
  }

  /**
   * @param {string} tab
   * @returns {TabPlace | null}
   */
  of(tab) { return this.#all()[tab] ?? null }

  /**
   * @param {string} tab
   * @param {TabPlace} place
   */
  note(tab, place) {
    this.#storage.setItem(key, JSON.stringify({ ...this.#all(), [tab]: place }))
  }
}

/**
 * What pressing the current tab does: it scrolls to the top; if already there, it opens the tab's own page. If that is shown
 * but old, it is fetched again.
 * @param {{ scroll: number, path: string, home: string, isOld?: boolean }} where
 * @returns {Reselection}
 */
export function reselect({ scroll, path, home, isOld = false }) {
  if (path === home && isOld) return "follow"
  if (scroll > 8) return "top"
  return path === home ? "stay" : "follow"
}
