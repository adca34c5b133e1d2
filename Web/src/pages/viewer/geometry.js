// Longbox
// SPDX-License-Identifier: MIT

/**
 * What the viewer reckons; no element is looked at here.
 * @module
 */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { time: number }} Moment */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** Where the picture's corner is in its frame, and how big it is; 1 is its size at rest. @typedef {Point & { scale: number }} View */
/** The middle between two fingers, and how far they are apart. @typedef {Point & { distance: number }} Fingers */
/** Fingers and picture when a pinch began. @typedef {View & { fingers: Fingers }} Pinch */

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high)

/**
 * Where a picture may be along one axis: at the size at rest it stays where it was, so that nothing jumps; the bigger, the more
 * the frame's edges count.
 * @param {number} value where it is to be
 * @param {number} size its length at this scale
 * @param {number} length the frame's
 * @param {number} rest where it was at rest
 * @param {number} scale
 */
export function along(value, size, length, rest, scale) {
  const slack = clamp(2 - scale, 0, 1)
  const [low, high] = [Math.min(0, length - size), Math.max(0, length - size)]
  /** @param {number} edge */
  const towardsRest = (edge) => edge + (rest - edge) * slack
  return clamp(value, Math.min(low, towardsRest(low)), Math.max(high, towardsRest(high)))
}

/**
 * Another scale, so that what is at a point of the window stays there.
 * @param {View} view
 * @param {number} scale
 * @param {Point} point
 * @param {Box} frame
 * @returns {View}
 */
export function scaled(view, scale, point, frame) {
  const share = scale / view.scale
  const [x, y] = [point.x - frame.left, point.y - frame.top]
  return { x: x - (x - view.x) * share, y: y - (y - view.y) * share, scale }
}

/**
 * What was between the fingers when a pinch began stays between them, as big as they are apart.
 * @param {Pinch} from
 * @param {Fingers} fingers
 * @param {Box} frame
 * @param {number} most the greatest scale
 * @returns {View}
 */
export function pinched(from, fingers, frame, most) {
  const scale = clamp(from.scale * fingers.distance / from.fingers.distance, 1, most)
  const { x, y } = scaled(from, scale, from.fingers, frame)
  return { x: x + fingers.x - from.fingers.x, y: y + fingers.y - from.fingers.y, scale }
}

/**
 * The part of the window that the bars leave.
 * @param {{ width: number, height: number }} window
 * @param {{ left: number, right: number, width: number }} stage where pictures stand
 * @param {number} top the height of the bar at the top
 * @param {{ top: number, width: number }[]} bars those that may be at the bottom
 * @returns {Box}
 */
export function roomBetween(window, stage, top, bars) {
  const below = bars.filter((bar) => bar.width > window.width / 2 && bar.top > window.height / 2)
  const bottom = Math.min(window.height, ...below.map((bar) => bar.top))
  const isNarrow = stage.width > window.width * .8
  const left = isNarrow ? 0 : stage.left
  return { left, top, width: (isNarrow ? window.width : stage.right) - left, height: bottom - top }
}

/**
 * The speed of a finger in pixels a millisecond, from what it did in the last tenth of a second.
 * @param {Moment[]} trail
 * @param {number} now
 * @returns {Point}
 */
export function velocity(trail, now) {
  const first = trail.find(({ time }) => now - time < 100)
  const last = trail.at(-1)
  if (!first || !last) return { x: 0, y: 0 }
  const time = Math.max(now - first.time, 8)
  return { x: (last.x - first.x) / time, y: (last.y - first.y) / time }
}

/**
 * Whether a swipe was meant: far enough, or fast enough.
 * @param {number} dx
 * @param {number} speed in pixels a millisecond
 * @param {number} width the window's
 */
export const isMeant = (dx, speed, width) =>
  Math.abs(dx) > width / 4 || (Math.abs(speed) > .3 && Math.sign(speed) === Math.sign(dx) && Math.abs(dx) > 24)

/**
 * @param {Point} a
 * @param {Point} b
 * @returns {Fingers}
 */
export const middle = (a, b) =>
  ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) })
