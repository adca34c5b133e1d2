// Longbox
// SPDX-License-Identifier: MIT

/**
 * Parses a time such as 1:02:03 into seconds.
 * @param {string} time
 */
export const secondsOf = (time) => time.split(":").map(Number).reduce((sum, part) => sum * 60 + part, 0)

/**
 * Formats seconds as 2:03 or 1:02:03.
 * @param {number} seconds
 */
export function timeOf(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0")
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
}
