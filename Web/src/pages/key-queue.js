// Longbox
// SPDX-License-Identifier: MIT

/** @typedef {{ key: string, isShifted: boolean, isInDetails: boolean }} Key */

/** Maximum number of waiting keys; more are ignored. */
const most = 16

/** Handles keys in order. They wait while steps are in progress. */
export class KeyQueue {
  /** @type {Key[]} */
  #keys = []
  #steps = 0
  /** @type {(key: Key) => void} */
  #act

  /** @param {(key: Key) => void} act */
  constructor(act) {
    this.#act = act
  }

  /**
   * Makes keys wait until a step has succeeded or failed.
   * @param {Promise<unknown>} step
   */
  waitFor(step) {
    this.#steps += 1
    const end = () => {
      this.#steps -= 1
      this.#actOnAll()
    }
    step.then(end, end)
  }

  /**
   * Handles a key now, or when its turn comes.
   * @param {Key} key
   * @param {boolean} isRepeated whether the key is held; then it never waits, since it would act after its release
   */
  press(key, isRepeated) {
    if (this.#steps > 0 && (isRepeated || this.#keys.length >= most)) return
    this.#keys.push(key)
    this.#actOnAll()
  }

  /**
   * Whether a waiting key matches.
   * @param {(key: Key) => boolean} isOfKind
   */
  has(isOfKind) {
    return this.#keys.some(isOfKind)
  }

  #actOnAll() {
    while (this.#steps === 0) {
      const next = this.#keys.shift()
      if (!next) return
      this.#act(next)
    }
  }
}

/**
 * The key of a shortcut. A letter counts without Caps Lock; where the layout has no Latin letter, the key's place counts.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event
 */
export function shortcutKey({ key, code, shiftKey }) {
  const letter = /^[a-z]$/i.test(key) ? key : /^[\u0080-\uFFFF]$/.test(key) && /^Key([A-Z])$/.exec(code)?.[1]
  if (!letter) return key
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}
