// Longbox
// SPDX-License-Identifier: MIT

/**
 * How Longbox was used in this browser, as far as it decides when to offer its installation.
 * @typedef {object} Counts
 * @property {number} comics comics viewed
 * @property {number} days days of use
 * @property {string} day the last of them
 * @property {boolean} isKept whether there was a favorite or a download
 * @property {number} dismissals how often the reader has dismissed the offer
 * @property {number} dismissedAt when they last did, in milliseconds since 1970
 */

const key = "longbox-usage"
/** The minimum number of viewed comics before the installation is offered. */
const fewestComics = 5
/** Minimum age of a session before the offer, and time between two offers, in milliseconds. */
const sessionAge = 30_000
const rest = 90 * 24 * 3_600_000
const mostDismissals = 3

/**
 * @param {Pick<Storage, "getItem" | "setItem">} storage
 * @param {() => number} [time] the time in milliseconds since 1970
 */
export function usageIn(storage, time = Date.now) {
  /** @returns {Counts} */
  const counts = () => {
    const none = { comics: 0, days: 0, day: "", isKept: false, dismissals: 0, dismissedAt: 0 }
    try {
      // Earlier versions had other names for the dismissals.
      const { refusals: dismissals = 0, refusedAt: dismissedAt = 0, ...stored } = JSON.parse(storage.getItem(key) ?? "{}")
      return { ...none, dismissals, dismissedAt, ...stored }
    } catch {
      return none
    }
  }
  /** @param {Partial<Counts>} change */
  const note = (change) => storage.setItem(key, JSON.stringify({ ...counts(), ...change }))

  return {
    counts,

    noteDay() {
      const day = new Date(time()).toDateString()
      const { days, day: last } = counts()
      if (day !== last) note({ day, days: days + 1 })
    },

    noteComic() { note({ comics: counts().comics + 1 }) },

    /** Notes that the reader has made a favorite or downloaded something. */
    noteKept() { note({ isKept: true }) },

    noteDismissal() { note({ dismissals: counts().dismissals + 1, dismissedAt: time() }) },

    /**
     * Whether to offer the installation now.
     * @param {number} since when this session began
     */
    isOfferDue(since) {
      const { comics, days, isKept, dismissals, dismissedAt } = counts()
      const now = time()
      return comics >= fewestComics && (days >= 2 || isKept) && now - since >= sessionAge
        && dismissals < mostDismissals && (dismissals === 0 || now - dismissedAt >= rest)
    },
  }
}
