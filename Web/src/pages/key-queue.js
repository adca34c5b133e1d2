// Longbox
// SPDX-License-Identifier: MIT

/** @typedef {{ key: string, isShifted: boolean, isInDetails: boolean }} Key */

/** More keys than these are not meant. */
const most = 16

/** Keys in the order in which they were pressed, each of which waits for the steps that are under way. */
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
   * Lets keys wait until a step has ended, well or not.
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
   * Acts on a key now, or when it is its turn.
   * @param {Key} key
   * @param {boolean} isRepeated whether the key is held: then it acts at once or never, or it would go on after its release
   */
  press(key, isRepeated) {
    if (this.#steps > 0 && (isRepeated || this.#keys.length >= most)) return
    this.#keys.push(key)
    this.#actOnAll()
  }

  /**
   * Whether a key of a kind waits.
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
