// Longbox
// SPDX-License-Identifier: MIT

// The viewer's computations, without access to the page.

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { time: number }} Moment */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** The picture's corner in its frame, and its scale (1 at rest). @typedef {Point & { scale: number }} View */
/** The middle between two fingers, and their distance. @typedef {Point & { distance: number }} Fingers */
/** The state at the start of a pinch. @typedef {View & { fingers: Fingers }} Pinch */

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high)

/**
 * Limits a picture's position along one axis: at the rest size to the position at rest, so that nothing jumps; the
 * larger it is, the more to the frame's edges.
 * @param {number} value the wanted position
 * @param {number} size the picture's length at this scale
 * @param {number} length the frame's length
 * @param {number} rest the position at rest
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
 * Changes the scale around a fixed point of the window.
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
 * The view during a pinch: the picture follows the fingers' middle and distance.
 * @param {Pinch} from
 * @param {Fingers} fingers
 * @param {Box} frame
 * @param {number} most the maximum scale
 * @returns {View}
 */
export function pinched(from, fingers, frame, most) {
  const scale = clamp(from.scale * fingers.distance / from.fingers.distance, 1, most)
  const { x, y } = scaled(from, scale, from.fingers, frame)
  return { x: x + fingers.x - from.fingers.x, y: y + fingers.y - from.fingers.y, scale }
}

/**
 * The part of the window between the bars.
 * @param {{ width: number, height: number }} window
 * @param {{ left: number, right: number, width: number }} stage the picture area
 * @param {number} top the height of the bar at the top
 * @param {{ top: number, width: number }[]} bars bars that may be at the bottom
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
 * A finger's velocity in pixels per millisecond, over the last 100 ms.
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
 * Whether a swipe was far or fast enough to turn the page.
 * @param {number} dx
 * @param {number} speed in pixels per millisecond
 * @param {number} width the window's width
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
