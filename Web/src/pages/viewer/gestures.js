// Longbox
// SPDX-License-Identifier: MIT

import { figure, isOnPicture } from "./elements.js"
import { middle, pinched, velocity } from "./geometry.js"
import { glide, stopMotion } from "./motion.js"
import * as zoom from "./zoom.js"

/** @typedef {import("./geometry.js").Moment} Moment */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {{ start: Moment, last: Moment, trail: Moment[] }} Trace */
/**
 * @typedef {Trace & { kind: "tap" | "swipe" | "scroll" | "pan" }
 *   | Trace & { kind: "hold", scale: number, hasZoomed: boolean }
 *   | { kind: "pinch", from: import("./geometry.js").Pinch }
 *   | { kind: "ignore" }} Gesture
 */

const doubleTapTime = 300
const doubleTapReach = 32
/** How far a finger may move during a tap, in pixels. */
const slop = 8

/** Recognizes and performs the gestures of fingers on the picture. */
export class Gestures {
  /** The fingers on the picture by pointer id. @type {Map<number, Moment>} */
  #fingers = new Map()
  /** @type {Gesture | null} */
  #gesture = null
  /** @type {Moment | null} */
  #lastTap = null
  /** @type {import("./swipe.js").Swipe} */
  #swipe
  /** @type {(at: Point) => void} */
  #onDoubleTap

  /**
   * @param {import("./swipe.js").Swipe} swipe
   * @param {(at: Point) => void} onDoubleTap
   */
  constructor(swipe, onDoubleTap) {
    this.#swipe = swipe
    this.#onDoubleTap = onDoubleTap
    zoom.onEnd(() => {
      this.#gesture = null
      this.#fingers.clear()
    })
  }

  /** Whether a gesture is in progress that the browser must not handle. */
  get isBusy() {
    return this.#gesture !== null && ["hold", "swipe", "scroll"].includes(this.#gesture.kind)
  }

  /** @param {PointerEvent} event */
  down(event) {
    const picture = figure()
    if (!picture || !isOnPicture(event)) return
    if (event.pointerType === "mouse" && (event.button !== 0 || !zoom.current())) return
    stopMotion()
    const at = momentOf(event)
    this.#fingers.set(event.pointerId, at)
    if (this.#fingers.size === 1) this.#gesture = this.#firstDown(event, at)
    else if (this.#fingers.size === 2) this.#gesture = this.#secondDown()
    if (zoom.current()) picture.setPointerCapture(event.pointerId)
  }

  /**
   * @param {PointerEvent} event
   * @param {Moment} at
   * @returns {Gesture}
   */
  #firstDown(event, at) {
    const last = this.#lastTap
    // Double clicks of a mouse arrive as dblclick in viewer.js.
    const isSecondTap = event.pointerType !== "mouse" && last && at.time - last.time < doubleTapTime
      && Math.hypot(at.x - last.x, at.y - last.y) < doubleTapReach
    const trace = { start: at, last: at, trail: [at] }
    return isSecondTap ? { kind: "hold", ...trace, scale: zoom.current()?.scale ?? 1, hasZoomed: false } : { kind: "tap", ...trace }
  }

  /** @returns {Gesture} */
  #secondDown() {
    if (!zoom.current()) this.#swipe.follow(0)
    zoom.beginZoom()
    const zoomed = zoom.current()
    const fingers = this.#middle()
    return zoomed && fingers ? { kind: "pinch", from: { fingers, x: zoomed.x, y: zoomed.y, scale: zoomed.scale } } : { kind: "ignore" }
  }

  #middle() {
    const [a, b] = this.#fingers.values()
    return a && b ? middle(a, b) : null
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.#fingers.has(event.pointerId)) return
    const at = momentOf(event)
    this.#fingers.set(event.pointerId, at)
    const gesture = this.#gesture
    if (!gesture || gesture.kind === "ignore") return
    if (gesture.kind === "pinch") this.#pinch(gesture.from)
    else if (this.#fingers.size === 1) this.#drag(gesture, at)
  }

  /** @param {import("./geometry.js").Pinch} from */
  #pinch(from) {
    const zoomed = zoom.current()
    const fingers = this.#middle()
    if (!zoomed || !fingers || this.#fingers.size !== 2) return
    const { x, y, scale } = pinched(from, fingers, zoomed.frame, zoomed.most)
    zoom.moveTo(x, y, scale)
  }

  /**
   * @param {Exclude<Gesture, { kind: "pinch" | "ignore" }>} gesture
   * @param {Moment} at
   */
  #drag(gesture, at) {
    const [dx, dy] = [at.x - gesture.start.x, at.y - gesture.start.y]
    if (gesture.kind === "hold") {
      gesture.hasZoomed ||= Math.abs(dy) > Math.max(slop, Math.abs(dx))
      if (gesture.hasZoomed) return zoom.zoomTo(gesture.scale * Math.exp(dy / 150), gesture.start)
      if (Math.abs(dx) <= slop) return
      // A horizontal move: a swipe that began soon after a tap.
      this.#gesture = begun(gesture, dx, dy)
    } else if (gesture.kind === "tap" && Math.hypot(dx, dy) > slop) this.#gesture = begun(gesture, dx, dy)
    const now = this.#gesture
    if (!now || !("trail" in now)) return
    now.trail.push(at)
    if (now.trail.length > 6) now.trail.shift()
    const [across, along] = [at.x - now.last.x, at.y - now.last.y]
    now.last = at
    const zoomed = zoom.current()
    const picture = figure()
    if (now.kind === "pan" && zoomed) zoom.moveTo(zoomed.x + across, zoomed.y + along)
    if (now.kind === "scroll" && picture) picture.scrollLeft -= across
    if (now.kind === "swipe" && !zoomed) this.#swipe.follow(dx)
  }

  /** @param {PointerEvent} event */
  up(event) {
    const done = this.#gesture
    if (!this.#fingers.delete(event.pointerId) || !done) return
    if (done.kind === "pinch") return this.#endPinch()
    if (this.#fingers.size > 0) return
    this.#gesture = null
    const isCancelled = event.type === "pointercancel"
    if (done.kind === "tap" && !isCancelled) this.#lastTap = momentOf(event)
    if (done.kind === "hold" && !isCancelled) this.#endHold(done, event)
    if (done.kind === "pan") zoom.glideOn(velocity(done.trail, event.timeStamp))
    if (done.kind === "scroll") scrollOn(velocity(done.trail, event.timeStamp))
    if (done.kind === "swipe") this.#swipe.end(isCancelled ? 0 : done.last.x - done.start.x, velocity(done.trail, event.timeStamp).x)
  }

  /** The remaining finger may go on to pan. */
  #endPinch() {
    const [rest] = this.#fingers.values()
    this.#gesture = rest ? { kind: "pan", start: rest, last: rest, trail: [rest] } : null
    if (!rest || (zoom.current()?.scale ?? 1) <= 1.02) this.#settle()
  }

  /**
   * @param {{ hasZoomed: boolean }} hold
   * @param {PointerEvent} event
   */
  #endHold({ hasZoomed }, event) {
    if (hasZoomed) return this.#settle()
    this.#lastTap = null
    this.#onDoubleTap(momentOf(event))
  }

  #settle() {
    this.#lastTap = null
    zoom.settleZoom()
  }
}

/**
 * @param {PointerEvent} event
 * @returns {Moment}
 */
const momentOf = ({ clientX, clientY, timeStamp }) => ({ x: clientX, y: clientY, time: timeStamp })

/**
 * The gesture that a finger begins with its first move beyond `slop`.
 * @param {Trace} trace
 * @param {number} dx
 * @param {number} dy
 * @returns {Gesture}
 */
function begun({ start, last, trail }, dx, dy) {
  const trace = { start, last, trail }
  if (zoom.current()) return { kind: "pan", ...trace }
  const picture = figure()
  if (!picture || Math.abs(dx) <= Math.abs(dy)) return { kind: "ignore" }
  // A wide picture scrolls to its edge first; only a new swipe from there turns the page.
  const { scrollLeft, scrollWidth, clientWidth } = picture
  const isAtEdge = dx > 0 ? scrollLeft <= 1 : scrollLeft + clientWidth >= scrollWidth - 1
  return { kind: isAtEdge ? "swipe" : "scroll", ...trace }
}

/**
 * Lets a wide picture scroll on with the finger's velocity.
 * @param {Point} speed
 */
function scrollOn(speed) {
  const picture = figure()
  glide(speed, (x) => {
    if (!picture) return false
    const before = picture.scrollLeft
    picture.scrollLeft -= x
    return picture.scrollLeft !== before
  })
}
