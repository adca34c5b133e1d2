// Longbox
// SPDX-License-Identifier: MIT

// The positions of comics on the overview's scrubber, at equal distances. An index counts comics from the top, a year index
// counts years, and a share is a position from 0 at the top to 1.

/** @typedef {{ year: string, count: number }} Year */

export class Positions {
  /** @type {{ year: string, first: number, count: number }[]} */
  #years = []
  #count = 0

  /** @param {Year[]} years in the order of the page */
  constructor(years) {
    for (const { year, count } of years) {
      this.#years.push({ year, first: this.#count, count })
      this.#count += count
    }
  }

  get years() { return this.#years }
  get count() { return this.#count }

  /** The index of a year's first comic. @param {number} yearIndex */
  firstOf(yearIndex) { return this.#years[yearIndex]?.first ?? 0 }

  /** @param {number} index */
  #yearIndexOf(index) {
    const after = this.#years.findIndex(({ first }) => first > index)
    return (after < 0 ? this.#years.length : after) - 1
  }

  /** @param {number} index */
  yearOf(index) { return this.#years[this.#yearIndexOf(index)]?.year ?? "" }

  /** @param {number} index */
  isFirst(index) { return this.#years.some(({ first }) => first === index) }

  /** The first comic of this year; of the year above if the index is this year's first already. @param {number} index */
  yearBefore(index) {
    const yearIndex = this.#yearIndexOf(index)
    return this.firstOf(this.firstOf(yearIndex) < index ? yearIndex : Math.max(yearIndex - 1, 0))
  }

  /** The first comic of the year below; the last comic in the last year. @param {number} index */
  yearAfter(index) {
    const yearIndex = this.#yearIndexOf(index) + 1
    return yearIndex < this.#years.length ? this.firstOf(yearIndex) : Math.max(this.#count - 1, 0)
  }

  /** The index of the comic nearest to a share. @param {number} share */
  indexAt(share) {
    return Math.min(Math.max(Math.round(share * (this.#count - 1)), 0), Math.max(this.#count - 1, 0))
  }

  /** @param {number} index */
  shareOf(index) { return this.#count > 1 ? index / (this.#count - 1) : 0 }
}

/**
 * The labels of the scrubber: every other year in two digits, and a dot for those between.
 * @param {Positions} positions
 * @returns {{ text: string, share: number }[]}
 */
export function labels(positions) {
  return positions.years.map(({ year, first }, yearIndex) => ({
    text: yearIndex % 2 === 0 ? year.slice(-2) : "·",
    share: positions.shareOf(first),
  }))
}
