// Longbox
// SPDX-License-Identifier: MIT

// Recent searches on this device, latest first. They are never sent to the server.

/** @typedef {{ text: string, isDeep: boolean }} Search */

const key = "recent-searches"
const most = 10

/** @returns {Search[]} */
export function kept() {
  try {
    const searches = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(searches) ? searches.filter(({ text }) => typeof text === "string" && text).slice(0, most) : []
  } catch {
    // The stored value is invalid, or the browser blocks storage.
    return []
  }
}

/** @param {Search[]} searches */
export function keepSearches(searches) {
  try {
    if (searches.length) localStorage.setItem(key, JSON.stringify(searches))
    else localStorage.removeItem(key)
  } catch {
    // Storage is full or blocked: the searches are lost.
  }
}

/**
 * Adds a search. It replaces an equal one, and the one stored while it was being typed.
 * @param {Search[]} searches
 * @param {Search} search
 * @param {string | null} unfinished the search stored while typing
 */
export function withSearch(searches, search, unfinished) {
  const { text } = search
  const isUnfinished = (/** @type {string} */ other) =>
    unfinished !== null && other === unfinished && (text.startsWith(unfinished) || unfinished.startsWith(text))
  return [search, ...searches.filter((other) => other.text !== text && !isUnfinished(other.text))].slice(0, most)
}
