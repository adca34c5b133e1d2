// Longbox
// SPDX-License-Identifier: MIT

import * as neighbours from "../neighbours.js"
import { figure, glide, isOnPicture, stopMotion, targetOf } from "./elements.js"
import { edgeStep, middle, pinched, velocity } from "./geometry.js"
import * as zoom from "./zoom.js"

/** @typedef {import("./geometry.js").Moment} Moment */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {{ start: Moment, last: Moment, trail: Moment[] }} Trace */
/**
 * A gesture. A pan has the picture's position and the page's offset at its start, and whether it may move the page aside:
 * only if the finger moved sideways first.
 * @typedef {Trace & { kind: "tap" | "swipe" | "scroll" }
 *   | Trace & { kind: "pan", from: number, shift: number, isSideways: boolean }
 *   | Trace & { kind: "hold", scale: number, hasZoomed: boolean }
 *   | { kind: "pinch", from: import("./geometry.js").Pinch }
 *   | { kind: "ignore" }} Gesture
 */
/**
 * What taps do. Where a double tap does nothing, a tap acts at once.
 * @typedef {{ tap: (at: Point) => void, doubleTap: (at: Point) => void, hasDoubleTap: () => boolean }} Taps
 */

const doubleTapTime = 300
const doubleTapReach = 25
/** How far a finger may move during a tap, and how long it may stay. */
const [slop, tapTime] = [10, 500]
/** The part of the screen from which iOS goes back, in pixels. */
const systemEdge = 20
const isIOS = /iP(hone|ad|od)/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1)

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
  /** @type {Taps} */
  #taps
  /** Waits for a second tap. */
  #waiting = 0
  /** Whether the finger stopped a moving page. */
  #hasStopped = false

  /**
   * @param {import("./swipe.js").Swipe} swipe
   * @param {Taps} taps
   */
  constructor(swipe, taps) {
    this.#swipe = swipe
    this.#taps = taps
    zoom.onEnd(() => {
      clearTimeout(this.#waiting)
      this.#gesture = null
      this.#fingers.clear()
    })
  }

  /** Whether a gesture is in progress that the browser must not handle. */
  get isBusy() {
    return this.#gesture !== null && ["hold", "swipe", "scroll"].includes(this.#gesture.kind)
  }

  /** Whether the last gesture moved the picture; then a click of the same button is part of it. */
  hasPanned = false

  /** @param {PointerEvent} event */
  down(event) {
    this.hasPanned = false
    const picture = figure()
    if (!isOnPicture(event)) return
    if (event.pointerType === "mouse" && (event.button !== 0 || !zoom.current())) return
    stopMotion()
    zoom.wake()
    const at = momentOf(event)
    this.#fingers.set(event.pointerId, at)
    clearTimeout(this.#waiting)
    if (this.#fingers.size === 1) {
      this.#hasStopped = neighbours.hold()
      this.#gesture = this.#firstDown(event, at)
    }
    else if (this.#fingers.size === 2) this.#gesture = this.#secondDown()
    if (zoom.current()) picture?.setPointerCapture(event.pointerId)
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
    neighbours.rest()
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
    const { x, y, scale } = pinched(from, fingers, zoomed.frame, zoomed)
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
      this.#begin(gesture, dx, dy)
    } else if (gesture.kind === "tap" && Math.hypot(dx, dy) >= slop) this.#begin(gesture, dx, dy)
    const now = this.#gesture
    if (!now || !("trail" in now)) return
    now.trail.push(at)
    if (now.trail.length > 6) now.trail.shift()
    const [across, along] = [at.x - now.last.x, at.y - now.last.y]
    now.last = at
    const picture = figure()
    if (now.kind === "pan") this.#pan(now, across, along)
    if (now.kind === "scroll" && picture) picture.scrollLeft -= across
    if (now.kind === "swipe") this.#swipe.follow(dx)
  }

  /**
   * Moves the zoomed picture; at an edge the page follows instead.
   * @param {Extract<Gesture, { kind: "pan" }>} pan
   * @param {number} across
   * @param {number} down
   */
  #pan(pan, across, down) {
    const zoomed = zoom.current()
    if (!zoomed) return
    const { low, high } = zoom.edges()
    const start = pan.isSideways ? pan.from : NaN
    const { at, shift } = edgeStep({ at: zoomed.x, start, low, high, shift: pan.shift }, across)
    if (shift || pan.shift) this.#swipe.follow(shift)
    // While the page moves sideways, the picture doesn't move vertically.
    zoom.drag(at, shift ? 0 : down)
    pan.shift = shift
  }

  /**
   * @param {Trace} trace
   * @param {number} dx
   * @param {number} dy
   */
  #begin(trace, dx, dy) {
    this.#gesture = begun(trace, dx, dy)
    this.hasPanned = true
    if (this.#gesture.kind === "swipe" || this.#gesture.kind === "pan") this.#swipe.begin()
  }

  /** @param {PointerEvent} event */
  up(event) {
    const done = this.#gesture
    if (!this.#fingers.delete(event.pointerId) || !done) return
    if (done.kind === "pinch") return this.#endPinch()
    if (this.#fingers.size > 0) return
    this.#gesture = null
    const isCancelled = event.type === "pointercancel"
    const speed = "trail" in done ? velocity(done.trail, event.timeStamp) : { x: 0, y: 0 }
    const hasTurned = done.kind === "swipe" || (done.kind === "pan" && done.shift !== 0)
    if (hasTurned && !isCancelled) return this.#swipe.end(done.kind === "pan" ? done.shift : done.last.x - done.start.x, speed.x)
    if (neighbours.isMoving()) this.#swipe.cancel()
    // Also after a tap, which may have stopped the picture beyond its edge.
    zoom.glideOn(done.kind === "pan" ? speed : { x: 0, y: 0 })
    if (done.kind === "scroll") scrollOn(speed)
    if (done.kind === "hold" && !isCancelled) this.#endHold(done, event)
    if (done.kind === "tap" && !isCancelled && !this.#hasStopped) this.#endTap(done, event)
  }

  /**
   * A tap acts once it can't become a double tap. One of a mouse acts by its click, in viewer.js.
   * @param {Trace} tap
   * @param {PointerEvent} event
   */
  #endTap({ start }, event) {
    const at = momentOf(event)
    if (event.pointerType === "mouse" || at.time - start.time >= tapTime) return
    this.#lastTap = at
    if (!targetOf(event)?.closest(".picture")) return
    if (this.#taps.hasDoubleTap()) this.#waiting = setTimeout(() => this.#taps.tap(at), doubleTapTime)
    else this.#taps.tap(at)
  }

  /** The remaining finger may go on to pan. */
  #endPinch() {
    const [rest] = this.#fingers.values()
    const from = zoom.current()?.x ?? 0
    this.#gesture = rest ? { kind: "pan", start: rest, last: rest, trail: [rest], from, shift: 0, isSideways: false } : null
    if (!rest || (zoom.current()?.scale ?? 1) <= 1.02) this.#settle()
  }

  /**
   * @param {{ hasZoomed: boolean }} hold
   * @param {PointerEvent} event
   */
  #endHold({ hasZoomed }, event) {
    if (hasZoomed) return this.#settle()
    this.#lastTap = null
    const at = momentOf(event)
    if (this.#taps.hasDoubleTap()) this.#taps.doubleTap(at)
    else this.#taps.tap(at)
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
  const isSideways = Math.abs(dx) > Math.abs(dy)
  const zoomed = zoom.current()
  if (zoomed) return { kind: "pan", ...trace, from: zoomed.x, shift: 0, isSideways }
  if (!isSideways || (isIOS && Math.min(start.x, innerWidth - start.x) < systemEdge)) return { kind: "ignore" }
  const picture = figure()
  if (!picture || neighbours.isMoving()) return { kind: "swipe", ...trace }
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

// Times count from the page's start, so zero would make a notch right after it part of an earlier one.
let lastWheel = -Infinity

/** @param {WheelEvent} event */
export function wheel(event) {
  if (!figure() || !isOnPicture(event)) return
  const isNew = event.timeStamp - lastWheel > 250
  lastWheel = event.timeStamp
  const zoomed = zoom.current()
  const isPinch = event.ctrlKey
  // A wheel's notch zooms in at the top of the page, where it can't scroll up; a touchpad's small steps only scroll.
  const isNotch = isNew && event.deltaY <= -40 && event.deltaX === 0 && scrollY === 0 && targetOf(event)?.closest(".picture")
  if (!isPinch && !zoomed && !isNotch) return
  event.preventDefault()
  const isTouchpad = !isPinch && (event.deltaX !== 0 || Math.abs(event.deltaY) < 40)
  if (isTouchpad && zoomed) return zoom.moveTo(zoomed.x - event.deltaX, zoomed.y - event.deltaY)
  const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1)
  zoom.zoomTo((zoomed?.scale ?? 1) * Math.exp(-pixels * (isPinch ? .01 : .002)), { x: event.clientX, y: event.clientY })
  zoom.settleZoom()
}
