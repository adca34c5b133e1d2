// Longbox
// SPDX-License-Identifier: MIT

// The comics beside the one shown, and the motion of all of them. Each neighbour is in its own leaf beside the page's
// stage, `gap` away, hidden until the page moves. A page at rest has the offset 0.

import { fit, isSideways } from "./sideways.js"
import { canMove, floor } from "./viewer/elements.js"
import { longest, settlingMotion } from "./viewer/geometry.js"

/** @typedef {"next" | "previous"} Direction */
/** @typedef {{ address: string, stage: HTMLElement | null }} Neighbour */

export const gap = 16

/** The leaf on each side, which has the page of a neighbour. @type {Map<Direction, HTMLElement>} */
const beside = new Map()
/** @type {Animation[]} */
let animations = []
/** The page's offset while a finger holds it, in pixels. */
let held = 0
/** The distance from one page to the next, in pixels; set when they start to move. */
let step = 0
/** Neighbours to attach when the page is at rest. @type {Map<Direction, Neighbour | null>} */
const wanted = new Map()

/** @type {(() => void)[]} */
const listeners = []
/** Adds a listener, called when the page is at rest or was replaced. @param {() => void} listener */
export const onRest = (listener) => { listeners.push(listener) }

/** The frame in which pages move. @returns {HTMLElement | null} */
const pages = () => document.querySelector(".pages")
/** The page of the comic shown. @returns {HTMLElement | null} */
const stage = () => document.querySelector(".pages > .stage")
/** The part of it that moves: the picture if zoomed, otherwise all of it. @returns {HTMLElement | null} */
const mover = () => document.querySelector(".zoomed .pages > .stage > .picture") ?? stage()
export const width = () => pages()?.clientWidth ?? innerWidth

/** @param {Direction} direction */
const side = (direction) => direction === "next" ? 1 : -1
/** @param {Direction} direction */
const opposite = (direction) => direction === "next" ? "previous" : "next"

/** @param {HTMLElement | null} content */
function leafOf(content) {
  const leaf = document.createElement("div")
  leaf.className = "leaf"
  leaf.inert = true
  leaf.ariaHidden = "true"
  if (content) leaf.append(content)
  return leaf
}

/**
 * A page whose comic has not loaded yet: only its number.
 * @param {string} address
 */
function blank(address) {
  const number = /\/(\d+)\/(\?|$)/.exec(address)?.[1]
  const page = document.createElement("div")
  page.className = "stage blank"
  page.textContent = number ? `#${number}` : ""
  return page
}

/**
 * @param {Direction} direction
 * @param {HTMLElement | null} leaf
 */
function put(direction, leaf) {
  beside.get(direction)?.remove()
  beside.delete(direction)
  if (!leaf) return
  leaf.classList.add(direction)
  beside.set(direction, leaf)
  pages()?.append(leaf)
  fit(leaf)
}

/**
 * Attaches a comic beside the one shown, once the page is at rest.
 * @param {Direction} direction
 * @param {Neighbour | null} neighbour null if there is none
 */
export function mount(direction, neighbour) {
  wanted.set(direction, neighbour)
  if (!isMoving()) mountAll()
}

function mountAll() {
  for (const [direction, neighbour] of wanted) {
    const leaf = beside.get(direction)
    // Keep the page that the last turn replaced until the neighbour is loaded.
    if (neighbour && leaf && (!neighbour.stage || leaf.contains(neighbour.stage))) continue
    put(direction, neighbour && leafOf(neighbour.stage ?? blank(neighbour.address)))
  }
  wanted.clear()
}

export const isMoving = () => Boolean(pages()?.classList.contains("turns"))

/** Shows the leaves before the page moves, as high as the visible part of the page. */
function begin() {
  const frame = pages()
  if (!frame || isMoving()) return
  const { top, bottom } = frame.getBoundingClientRect()
  // On a phone on its side, pages reach below the bar.
  const bar = isSideways.matches ? 0 : document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0
  const lowest = floor(".tabs, .pager")
  const first = Math.max(top, bar, 0)
  const last = Math.max(Math.min(bottom, lowest), first + (lowest - first) * .6)
  step = frame.clientWidth + gap
  frame.style.setProperty("--leaf-top", `${first - top}px`)
  frame.style.setProperty("--leaf-height", `${last - first}px`)
  frame.classList.add("turns")
}

/** Hides the leaves when the page is at rest. */
function end() {
  const frame = pages()
  frame?.classList.remove("turns")
  for (const element of moving()) element.style.transform = ""
  animations = []
  held = 0
  mountAll()
  for (const listener of listeners) listener()
}

/** The page and its leaves. @returns {HTMLElement[]} */
const moving = () => [mover(), ...beside.values()].filter((element) => element !== null)

/**
 * The offset of an element when the page's is `x`.
 * @param {HTMLElement} element
 * @param {number} x
 */
function offsetOf(element, x) {
  if (element === beside.get("next")) return x + step
  if (element === beside.get("previous")) return x - step
  return x
}

/** The page's current offset in pixels, also while it moves. */
export function shift() {
  const page = mover()
  if (!page || animations.length === 0) return held
  return new DOMMatrixReadOnly(getComputedStyle(page).transform).m41
}

/** Puts the page to rest without a motion. */
export function rest() {
  if (!isMoving()) return
  for (const animation of animations) animation.cancel()
  end()
}

/**
 * The offset to which the page moves when another comes from a side.
 * @param {Direction} direction
 */
export const offscreenPosition = (direction) => -side(direction) * (width() + gap)

/** Stops the page where it is; false if it was at rest. */
export function hold() {
  if (animations.length === 0) return isMoving()
  follow(shift())
  return true
}

/**
 * Moves the page and its neighbours.
 * @param {number} x the page's offset
 */
export function follow(x) {
  begin()
  for (const animation of animations) animation.cancel()
  animations = []
  held = x
  for (const element of moving()) element.style.transform = `translateX(${offsetOf(element, x)}px)`
}

/**
 * Animates the page to rest (0) or to `to` with a spring.
 * @param {object} [options]
 * @param {number} [options.to] the offset at the end
 * @param {number} [options.velocity] in pixels per millisecond
 * @param {boolean} [options.isQuick] whether to take half the time
 * @returns {Promise<void>} resolves at the end, or when another motion starts
 */
export function settle({ to = 0, velocity = 0, isQuick = false } = {}) {
  const from = shift()
  for (const animation of animations) animation.cancel()
  animations = []
  if (!isMoving()) return Promise.resolve()
  held = to
  if (from === to || !canMove()) {
    if (to === 0) end()
    else follow(to)
    return Promise.resolve()
  }
  const { distances, duration } = settlingMotion(from - to, velocity)
  animations = moving().map((element) => {
    element.style.transform = `translateX(${offsetOf(element, to)}px)`
    const frames = distances.map((distance) => ({ transform: `translateX(${offsetOf(element, to + distance)}px)` }))
    return element.animate(frames, { duration: Math.min(duration, longest) * (isQuick ? .5 : 1) })
  })
  const mine = animations
  return (mine[0]?.finished ?? Promise.resolve()).then(() => {
    if (mine !== animations) return
    animations = []
    if (to === 0) end()
  }, () => {})
}

/**
 * Describes the page that is about to be replaced, so that `arrive` can move it out.
 * @returns {{ page: HTMLElement | null, x: number, top: number, isBusy: boolean, isZoomed: boolean }}
 */
export function outgoing() {
  const page = stage()
  const isZoomed = page !== mover()
  const top = isZoomed ? mover()?.offsetTop : page?.getBoundingClientRect().top
  return { page, x: shift(), top: top ?? 0, isBusy: animations.length > 0, isZoomed }
}

/** Resets the state after the page was replaced. */
export function reset() {
  animations = []
  held = 0
  beside.clear()
  wanted.clear()
  for (const listener of listeners) listener()
}

/**
 * Moves a new page in, and the one that it has replaced out.
 * @param {ReturnType<typeof outgoing>} old
 * @param {Direction | undefined} direction the side that it comes from; if undefined, it fades in
 * @param {number} [velocity] the finger's, in pixels per millisecond
 * @returns {Promise<void>}
 */
export function arrive(old, direction, velocity = 0) {
  const page = stage()
  reset()
  if (!direction || !page || !canMove()) {
    pages()?.classList.remove("turns")
    return appear(page)
  }
  const start = old.x + side(direction) * (width() + gap)
  begin()
  const out = leafOf(old.page)
  put(opposite(direction), out)
  if (old.page) keepInView(old.page, old, out)
  follow(Math.abs(start) < 1 ? 0 : start)
  return settle({ velocity, isQuick: old.isBusy })
}

/**
 * Keeps the visible part of the old page in position, although the new page starts at its top.
 * @param {HTMLElement} page
 * @param {ReturnType<typeof outgoing>} old
 * @param {HTMLElement} out the leaf that holds the old page now
 */
function keepInView(page, { top, isZoomed }, out) {
  const frame = out.getBoundingClientRect()
  page.style.transform = ""
  const picture = /** @type {HTMLElement | null} */ (page.querySelector(".picture"))
  if (!isZoomed || !picture) {
    page.style.marginTop = `${top - frame.top}px`
    return
  }
  out.classList.add("zoomed")
  picture.style.transform = ""
  picture.style.top = `${top - frame.top}px`
  picture.style.left = `${parseFloat(picture.style.left) - frame.left}px`
  picture.querySelector(".zoom-controls")?.remove()
}

/** @param {HTMLElement | null} page */
async function appear(page) {
  await page?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150 }).finished.catch(() => {})
}
