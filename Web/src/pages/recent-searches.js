// Longbox
// SPDX-License-Identifier: MIT

/**
 * The searches that were made on this device, the latest first. They are never sent.
 * @module
 */

/** @typedef {{ text: string, isDeep: boolean }} Search */

const key = "recent-searches"
const most = 10

/** @returns {Search[]} */
export function kept() {
  try {
    const searches = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(searches) ? searches.filter(({ text }) => typeof text === "string" && text).slice(0, most) : []
  } catch {
    // What is kept is not ours, or the browser lets nothing be kept.
    return []
  }
}

/** @param {Search[]} searches */
export function keepSearches(searches) {
  try {
    if (searches.length) localStorage.setItem(key, JSON.stringify(searches))
    else localStorage.removeItem(key)
  } catch {
    // No room, or not allowed: then they are forgotten.
  }
}

/**
 * The searches with one more, which takes the place of an equal one and of what was remembered while it was typed.
 * @param {Search[]} searches
 * @param {Search} search
 * @param {string | null} unfinished what was remembered while typing
 */
export function withSearch(searches, search, unfinished) {
  const { text } = search
  const isUnfinished = (/** @type {string} */ other) =>
    unfinished !== null && other === unfinished && (text.startsWith(unfinished) || unfinished.startsWith(text))
  return [search, ...searches.filter((other) => other.text !== text && !isUnfinished(other.text))].slice(0, most)
}
