// Longbox
// SPDX-License-Identifier: MIT

/** The animation frame of the current motion. */
let motion = 0
export const stopMotion = () => cancelAnimationFrame(motion)
export const canMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches

/**
 * Draws a motion, frame by frame. With reduced motion only its end is drawn.
 * @param {number} duration in milliseconds
 * @param {(time: number) => void} draw
 * @param {() => void} [end]
 */
export function run(duration, draw, end = () => {}) {
  stopMotion()
  const start = performance.now()
  /** @param {number} now */
  const frame = (now) => {
    const time = canMove() ? Math.max(0, now - start) : duration
    draw(Math.min(time, duration))
    if (time < duration) motion = requestAnimationFrame(frame)
    else end()
  }
  if (canMove()) motion = requestAnimationFrame(frame)
  else frame(start)
}

/**
 * Continues a motion and slows it down. `velocity` is in pixels per millisecond; `move` returns whether to continue.
 * @param {import("./geometry.js").Point} velocity
 * @param {(x: number, y: number) => boolean} move
 */
export function glide(velocity, move) {
  stopMotion()
  if (!canMove()) return
  let last = performance.now()
  let { x, y } = velocity
  /** @param {number} now */
  const frame = (now) => {
    const time = Math.min(now - last, 32)
    last = now
    const slower = Math.exp(-time / 300)
    x *= slower
    y *= slower
    if (Math.hypot(x, y) > .02 && move(x * time, y * time)) motion = requestAnimationFrame(frame)
  }
  motion = requestAnimationFrame(frame)
}
