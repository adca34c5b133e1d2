// Longbox
// SPDX-License-Identifier: MIT

// Where comics are on the overview's scrubber: all have the same share of its length.

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

  /** @param {number} place of a year @returns the index of its first comic */
  firstOf(place) { return this.#years[place]?.first ?? 0 }

  /** @param {number} index */
  #placeOf(index) {
    const after = this.#years.findIndex(({ first }) => first > index)
    return (after < 0 ? this.#years.length : after) - 1
  }

  /** @param {number} index */
  yearOf(index) { return this.#years[this.#placeOf(index)]?.year ?? "" }

  /** @param {number} index */
  isFirst(index) { return this.#years.some(({ first }) => first === index) }

  /** The first comic of the year above, or of this one, if the index is not its first. @param {number} index */
  yearBefore(index) {
    const place = this.#placeOf(index)
    return this.firstOf(this.firstOf(place) < index ? place : Math.max(place - 1, 0))
  }

  /** The first comic of the year below; the last comic in the last year. @param {number} index */
  yearAfter(index) {
    const place = this.#placeOf(index) + 1
    return place < this.#years.length ? this.firstOf(place) : Math.max(this.#count - 1, 0)
  }

  /** @param {number} share from 0 at the top to 1 @returns the index of a comic */
  indexAt(share) {
    return Math.min(Math.max(Math.round(share * (this.#count - 1)), 0), Math.max(this.#count - 1, 0))
  }

  /** @param {number} index @returns its share, 0 at the top to 1 */
  shareOf(index) { return this.#count > 1 ? index / (this.#count - 1) : 0 }
}

/**
 * The labels of the scrubber: every other year in two digits, and a dot for those between.
 * @param {Positions} positions
 * @returns {{ text: string, share: number }[]}
 */
export function labels(positions) {
  return positions.years.map(({ year, first }, place) => ({
    text: place % 2 === 0 ? year.slice(-2) : "·",
    share: positions.shareOf(first),
  }))
}
