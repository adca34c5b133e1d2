// Longbox
// SPDX-License-Identifier: MIT

const key = "longbox-tab"

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
      const { id, values } = JSON.parse(this.#session.getItem(key) ?? "{}")
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
    this.#session.setItem(key, JSON.stringify({ id, values: { ...values, [name]: value } }))
  }

  /** Called when the reader leaves a page, after its last change. */
  passOn() {
    const state = this.#session.getItem(key)
    if (state) this.#local.setItem(`${key}-${this.#state().id}`, state)
  }

  /** Called when a page is shown, before its first use of the state. */
  takeOver() {
    const given = this.#local.getItem(`${key}-${this.#state().id}`)
    if (given) this.#session.setItem(key, given)
    // Tabs that were closed have left theirs, too.
    const names = Array.from({ length: this.#local.length }, (_, index) => this.#local.key(index))
    for (const name of names) if (name?.startsWith(`${key}-`)) this.#local.removeItem(name)
  }
}
