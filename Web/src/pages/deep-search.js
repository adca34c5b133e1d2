// Longbox
// SPDX-License-Identifier: MIT

// How the reader left the tick `Deep search` on this device. It stands before the setting until that is changed. It isn't the
// setting itself, since a search shouldn't make a library on the server.

const key = "deep-search"

/**
 * @param {Pick<Storage, "getItem">} [storage]
 * @returns {boolean | null} null if the setting decides
 */
export function keptTick(storage) {
  try {
    const value = (storage ?? localStorage).getItem(key)
    return value === "on" ? true : value === "off" ? false : null
  } catch {
    // The browser blocks storage.
    return null
  }
}

/**
 * @param {boolean | null} tick null to let the setting decide
 * @param {Pick<Storage, "setItem" | "removeItem">} [storage]
 */
export function keepTick(tick, storage) {
  try {
    if (tick === null) (storage ?? localStorage).removeItem(key)
    else (storage ?? localStorage).setItem(key, tick ? "on" : "off")
  } catch {
    // Storage is full or blocked: the tick is of this search alone.
  }
}
