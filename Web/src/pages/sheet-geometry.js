// Longbox
// SPDX-License-Identifier: MIT

// What a drag on a sheet does, and where a dragged sheet comes to rest.

/** @typedef {"half" | "full" | "closed"} Stop */

/**
 * What a finger does that drags the sheet's content: a half sheet grows and shrinks with it. A full one scrolls, and shrinks if
 * its content is at the top. Sideways, the finger changes the segment, unless something there scrolls sideways.
 * @param {object} drag
 * @param {number} drag.across how far the finger has moved to the right
 * @param {number} drag.down how far it has moved down
 * @param {boolean} drag.isFull whether the sheet has its full height
 * @param {boolean} drag.isAtTop whether its content is not scrolled
 * @param {boolean} drag.scrollsSideways
 * @returns {"resize" | "swipe" | "scroll"}
 */
export function dragOf({ across, down, isFull, isAtTop, scrollsSideways }) {
  if (Math.abs(across) > Math.abs(down)) return scrollsSideways ? "scroll" : "swipe"
  return isFull && (down < 0 || !isAtTop) ? "scroll" : "resize"
}

/** How far a finger has to move sideways to change the segment, in pixels. */
const swipeLength = 45

/**
 * The step from segment to segment of a swipe: 1, -1, or 0 if it was too short.
 * @param {number} across how far the finger has moved to the right
 */
export const stepOf = (across) => Math.abs(across) < swipeLength ? 0 : -Math.sign(across)

/**
 * The speed of a flick, in pixels per millisecond: upwards it opens the sheet fully, downwards it moves the sheet one stop.
 * From `closing` on, downwards, it closes the sheet.
 */
const flick = 0.4
const closing = 2

/**
 * @param {{ height: number, speed: number, from: "half" | "full", half: number, full: number }} drag the height that is
 *   visible when the finger leaves, and its downward speed
 * @returns {Stop}
 */
export function settle({ height, speed, from, half, full }) {
  if (speed >= closing) return "closed"
  if (speed >= flick) return from === "full" && height > half * 0.75 ? "half" : "closed"
  if (speed <= -flick) return "full"
  if (height < half * 0.75) return "closed"
  // 35 % of the way to the other stop is enough.
  const risen = (height - half) / (full - half)
  return from === "half" ? (risen >= 0.35 ? "full" : "half") : (risen <= 0.65 ? "half" : "full")
}

/**
 * The vertical speed at the end of a drag; 0 if the finger rested before it left.
 * @param {{ y: number, time: number }[]} trail
 * @param {number} now
 */
export function velocityOf(trail, now) {
  const recent = trail.filter(({ time }) => now - time <= 100)
  const [first, last] = [recent[0], recent.at(-1)]
  return first && last && last.time > first.time ? (last.y - first.y) / (last.time - first.time) : 0
}
