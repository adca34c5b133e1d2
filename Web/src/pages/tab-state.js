// Longbox
// SPDX-License-Identifier: MIT

/** The name of the state in `sessionStorage`. */
export const stateKey = "longbox-tab"

/**
 * What the pages of one tab share, for one session.
 *
 * It is in `sessionStorage`. Of that, Firefox gives a page from its back/forward cache the copy that it had when the reader
 * left it. So each page that is left passes its state on, and the page that is shown takes it over. Only in between it is in
 * `localStorage`, since it has what was searched for.
 */
export class TabState {
  #session
  #local
  /** Whether the page is being left, so that further changes are passed on at once. */
  #isLeaving = false

  /**
   * @param {Pick<Storage, "getItem" | "setItem">} session
   * @param {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} local
   */
  constructor(session, local) {
    this.#session = session
    this.#local = local
  }

  /**
   * The tab's random number and its values, by name.
   * @returns {{ id: string, values: Record<string, string> }}
   */
  #state() {
    try {
      const { id, values } = JSON.parse(this.#session.getItem(stateKey) ?? "{}")
      if (typeof id === "string" && typeof values === "object" && values !== null) return { id, values }
    } catch {
      // It is damaged.
    }
    return { id: String(Math.random()).slice(2), values: {} }
  }

  /** @param {string} name */
  getItem(name) { return this.#state().values[name] ?? null }

  /**
   * @param {string} name
   * @param {string} value
   */
  setItem(name, value) {
    const { id, values } = this.#state()
    this.#session.setItem(stateKey, JSON.stringify({ id, values: { ...values, [name]: value } }))
    if (this.#isLeaving) this.passOn()
  }

  /** @param {string} name */
  removeItem(name) {
    const { id, values: { [name]: removed, ...values } } = this.#state()
    if (removed === undefined) return
    this.#session.setItem(stateKey, JSON.stringify({ id, values }))
    if (this.#isLeaving) this.passOn()
  }

  /** Called when the reader leaves a page. What other scripts change afterwards is passed on, too. */
  passOn() {
    this.#isLeaving = true
    const state = this.#session.getItem(stateKey)
    if (state) this.#local.setItem(`${stateKey}-${this.#state().id}`, state)
  }

  /** Called when a page is shown, before its first use of the state. */
  takeOver() {
    this.#isLeaving = false
    const given = this.#local.getItem(`${stateKey}-${this.#state().id}`)
    if (given) this.#session.setItem(stateKey, given)
    // Tabs that were closed have left theirs, too.
    const names = Array.from({ length: this.#local.length }, (_, index) => this.#local.key(index))
    for (const name of names) if (name?.startsWith(`${stateKey}-`)) this.#local.removeItem(name)
  }
}

/** @typedef {import("./covers.js").ListPlace & { address: string }} TabPlace */
/** @typedef {"stay" | "top" | "follow"} Reselection what pressing the current tab does */

const placesName = "places"

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
      const kept = JSON.parse(this.#storage.getItem(placesName) ?? "{}")
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
    this.#storage.setItem(placesName, JSON.stringify({ ...this.#all(), [tab]: place }))
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
