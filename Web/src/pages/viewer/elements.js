// Longbox
// SPDX-License-Identifier: MIT

import { floorOf } from "./geometry.js"

/** @returns {HTMLElement | null} */
export const figure = () => document.querySelector(".pages > .stage > .picture:not(.absent):has(img)")

/**
 * Finds an element that every such page has; throws if it is missing.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function need(selector) {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(selector))
  if (!element) throw new Error(`The page has no ${selector}.`)
  return element
}

/**
 * Where bars begin at the lower edge of the window.
 * @param {string} bars the selector of elements that may be there
 */
export const floor = (bars) =>
  floorOf({ width: innerWidth, height: innerHeight }, [...document.querySelectorAll(bars)].map((bar) => bar.getBoundingClientRect()))

/** Where the picture and what stands below it end in the window. */
export const contentBottom = () =>
  Math.max(...[...document.querySelectorAll(".pages > .stage > *")].map((part) => part.getBoundingClientRect().bottom))

/** @param {Event} event */
export const targetOf = (event) => event.target instanceof Element ? event.target : null

/** @param {Event} event */
export function isOnPicture(event) {
  const target = targetOf(event)
  return Boolean(target?.closest(".pages") && !target.closest("a, button, .zoom-controls, .caption, .ends"))
}

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
