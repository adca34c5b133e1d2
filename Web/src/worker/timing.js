// Longbox
// SPDX-License-Identifier: MIT

/**
 * Returns the result of `work`, or undefined if it fails or takes too long.
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T> | T} work
 * @returns {Promise<T | undefined>}
 */
export function within(milliseconds, work) {
  return Promise.race([
    Promise.resolve(work).catch(() => undefined),
    new Promise((resolve) => { setTimeout(resolve, milliseconds) }),
  ])
}

export class AsyncMutex {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve()

  /**
   * @template T
   * @param {() => T | Promise<T>} step
   * @returns {Promise<T>}
   */
  run(step) {
    const run = this.#last.then(step)
    this.#last = run.catch(() => {})
    return run
  }
}

/**
 * Wraps a function so that a call during another call joins it.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {() => Promise<T>}
 */
export function singleFlight(work) {
  /** @type {Promise<T> | null} */
  let call = null
  return () => {
    call ??= work().finally(() => { call = null })
    return call
  }
}
