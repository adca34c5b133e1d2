// Longbox
// SPDX-License-Identifier: MIT

import { figure, floor, need, run, stopMotion } from "./elements.js"
import { along, clamp, distanceAfter, doubleTapScale, flingTime, leastScale, limitSpring, maxScale, readingScale, scaled, spaceBetween, thrown, zoomEasing } from "./geometry.js"

/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./geometry.js").Box} Box */
/**
 * The state of a zoomed picture. `frame` is its visible area in the window; `layers` are the picture and the still
 * image of a paused animation on top of it; `x` and `y` are its corner in the frame; `scale` is 1 at rest, and below that
 * only for a picture that is cut off at rest, which is whole at the least scale.
 * @typedef {object} Zoomed
 * @property {HTMLElement} picture
 * @property {HTMLImageElement} image
 * @property {HTMLElement[]} layers
 * @property {Box} frame
 * @property {number} width
 * @property {number} height
 * @property {Element | null} focused
 * @property {number} x
 * @property {number} y
 * @property {number} scale
 * @property {number} least
 * @property {number} most
 * @property {Point} rest
 */

const step = 1.5

/** @type {Zoomed | null} */
let zoomed = null
/** @type {(() => void)[]} */
const endListeners = []
/** @type {(() => void)[]} */
const beginListeners = []

/** The zoomed picture, or null at rest. */
export const current = () => zoomed

/** @param {() => void} step */
export const onBegin = (step) => { beginListeners.push(step) }
/** @param {() => void} step */
export const onEnd = (step) => { endListeners.push(step) }

/** A picture's own width; after `Larger version` still that of the comic. @param {HTMLImageElement} image */
export const ownWidth = (image) => Number(image.getAttribute("width")) || image.naturalWidth

const freeSpace = () => spaceBetween(
  innerWidth, need(".stage").getBoundingClientRect(), need(".bar").getBoundingClientRect().height, floor(".tabs, .controls .pager"),
)

export function beginZoom() {
  if (zoomed) return
  stopMotion()
  const picture = figure()
  const image = picture?.querySelector("img")
  if (!picture || !image || "missing" in image.dataset) return
  const before = image.getBoundingClientRect()
  const stage = need(".stage")
  const { offsetWidth, offsetHeight } = stage
  stage.style.minHeight = `${offsetHeight}px`
  document.body.classList.add("zoomed")
  const frame = freeSpace()
  const rest = { x: before.left - frame.left, y: before.top - frame.top }
  zoomed = {
    picture, image, layers: [...picture.querySelectorAll(/** @type {"img"} */ ("img, canvas"))], frame,
    width: before.width, height: before.height, focused: document.activeElement, ...rest, scale: 1,
    least: leastScale(before.width, offsetWidth), most: maxScale(image.naturalWidth, before.width), rest,
  }
  for (const side of /** @type {const} */ (["left", "top", "width", "height"])) picture.style[side] = `${frame[side]}px`
  for (const side of /** @type {const} */ (["width", "height"])) for (const { style } of zoomed.layers) style[side] = `${before[side]}px`
  picture.append(zoomControls())
  sharpen(image)
  draw(zoomed)
  wake()
  for (const step of beginListeners) step()
}

/** Returns the picture to the page's flow, and keeps the visible part in view. */
export function endZoom() {
  if (!zoomed) return
  stopMotion()
  const { picture, image, layers, focused, frame, x, y } = zoomed
  forget()
  need(".stage").style.minHeight = ""
  const controls = picture.querySelector(".zoom-controls")
  if (controls?.contains(document.activeElement) && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  controls?.remove()
  for (const { style } of [picture, ...layers]) {
    for (const side of /** @type {const} */ (["left", "top", "width", "height", "transform"])) style[side] = ""
  }
  const now = image.getBoundingClientRect()
  picture.scrollLeft += now.left - frame.left - x
  // Only a picture taller than its frame may have another part in view.
  if (now.height > frame.height) scrollBy({ top: now.top - frame.top - y, behavior: "instant" })
}

/** Forgets the zoomed picture: its page was replaced. */
export function forget() {
  zoomed = null
  document.body.classList.remove("zoomed")
  for (const step of endListeners) step()
}

/** @param {Zoomed} zoomed */
function draw({ picture, layers, x, y, scale }) {
  for (const { style } of layers) style.transform = `translate(${x}px, ${y}px) scale(${scale})`
  const level = picture.querySelector(".zoom-level")
  if (level) level.textContent = `${Math.round(scale * 100)} %`
}

/**
 * Zooms around a point of the window.
 * @param {number} scale
 * @param {Point} [point]
 */
export function zoomTo(scale, point = centre()) {
  beginZoom()
  if (!zoomed) return
  moveTo(...viewAt(scale, point))
}

/**
 * Stops a motion, and moves the picture as far as its edges allow. The wheel and keys rely on the stop.
 * @param {number} x
 * @param {number} y
 * @param {number} [scale]
 */
export function moveTo(x, y, scale = zoomed?.scale ?? 1) {
  if (!zoomed) return
  stopMotion()
  const { frame, width, height, rest, least } = zoomed
  Object.assign(zoomed, {
    x: along(x, width * scale, frame.width, rest.x, scale, least), y: along(y, height * scale, frame.height, rest.y, scale, least),
    scale,
  })
  draw(zoomed)
}

/**
 * The positions at which the picture's edges lie at the frame's.
 * @param {Zoomed} zoomed
 */
function limits({ frame, width, height, rest, scale, least }) {
  /** @param {"x" | "y"} axis @param {number} size @param {number} length */
  const range = (axis, size, length) => {
    const low = along(-Infinity, size * scale, length, rest[axis], scale, least)
    return { low, high: along(Infinity, size * scale, length, rest[axis], scale, least) }
  }
  return { x: range("x", width, frame.width), y: range("y", height, frame.height) }
}

/** The limits of the picture's horizontal position. */
export const edges = () => zoomed ? limits(zoomed).x : { low: 0, high: 0 }

/**
 * Moves the picture with a finger: beyond its vertical edges with friction, horizontally anywhere.
 * @param {number} x
 * @param {number} down
 */
export function drag(x, down) {
  if (!zoomed) return
  const { low, high } = limits(zoomed).y
  const y = zoomed.y + down
  Object.assign(zoomed, { x, y: y < low || y > high ? zoomed.y + down * .35 : y })
  draw(zoomed)
}

/**
 * Lets a picture go on with a finger's velocity, and back to its edges.
 * @param {Point} velocity
 */
export function glideOn(velocity) {
  if (!zoomed) return
  // One finger of a pinch remains, and the zoom still returns to its limits.
  if (zoomed.scale < zoomed.least || zoomed.scale > zoomed.most) return settleZoom()
  const { x, y } = limits(zoomed)
  const across = thrown(zoomed.x, velocity.x, x.low, x.high)
  const down = thrown(zoomed.y, velocity.y, y.low, y.high)
  run(flingTime, (time) => {
    if (!zoomed) return
    Object.assign(zoomed, { x: across(time), y: down(time) })
    draw(zoomed)
  }, () => { if (zoomed) moveTo(zoomed.x, zoomed.y) })
}

/**
 * Zooms to a view in 300 ms, as a double tap does.
 * @param {number} scale
 * @param {Point} point
 * @param {() => void} [end]
 */
function zoomSlowly(scale, point, end = () => {}) {
  if (!zoomed) return
  const from = { x: zoomed.x, y: zoomed.y, scale: zoomed.scale }
  moveTo(...viewAt(scale, point))
  const to = { x: zoomed.x, y: zoomed.y, scale: zoomed.scale }
  run(300, (time) => {
    if (!zoomed) return
    const share = zoomEasing(time / 300)
    for (const key of /** @type {const} */ (["x", "y", "scale"])) zoomed[key] = from[key] + (to[key] - from[key]) * share
    draw(zoomed)
  }, end)
}

/**
 * @param {number} scale
 * @param {Point} point
 * @returns {[number, number, number]}
 */
function viewAt(scale, point) {
  if (!zoomed) return [0, 0, 1]
  const view = scaled(zoomed, clamp(scale, zoomed.least, zoomed.most), point, zoomed.frame)
  return [view.x, view.y, view.scale]
}

/**
 * Zooms in at a point, or returns a zoomed picture to rest.
 * @param {Point} point
 */
export function toggleZoom(point) {
  if (zoomed) return zoomSlowly(1, point, endZoom)
  beginZoom()
  const begun = current()
  if (begun) zoomSlowly(doubleTapScale(ownWidth(begun.image), begun.width, begun.frame.width), point)
}

/**
 * Where a picture at rest can be read: the scale of its natural size, and the point that stays in place so that the left edge
 * comes into view, and the top if not all of its height does; null if it can be read as it is.
 * @param {Zoomed} zoomed
 * @returns {[number, Point] | null}
 */
function readingView({ image, width, height, frame, rest }) {
  const scale = readingScale(ownWidth(image), width)
  if (!scale) return null
  const isWhole = height * scale <= frame.height
  /** @param {number} at */
  const towardsEdge = (at) => at * scale / (scale - 1)
  return [scale, { x: frame.left + towardsEdge(rest.x), y: frame.top + (isWhole ? rest.y + height / 2 : Math.max(0, towardsEdge(rest.y))) }]
}

/** Zooms a picture at rest to its natural size. */
export function read() {
  beginZoom()
  const view = zoomed && readingView(zoomed)
  if (view) zoomSlowly(...view)
}

const centre = () => {
  const { left, top, width, height } = zoomed?.frame ?? freeSpace()
  return { x: left + width / 2, y: top + height / 2 }
}

export function zoomIn() {
  if (zoomed) return zoomTo(zoomed.scale * step)
  beginZoom()
  const begun = current()
  const view = begun && readingView(begun)
  if (view) zoomTo(...view)
  else zoomTo(step)
}

/** The least scale of the picture, at rest, too. */
function leastNow() {
  const image = figure()?.querySelector("img")
  return zoomed?.least ?? (image ? leastScale(image.getBoundingClientRect().width, need(".stage").offsetWidth) : 1)
}

/** Zooms out, first to rest; from there only a picture that is cut off at rest, until it is whole. */
export function zoomOut() {
  const [scale, least] = [zoomed?.scale ?? 1, leastNow()]
  if (scale / step <= 1.01 && (scale > 1.01 || least === 1)) endZoom()
  else zoomTo(scale / step)
}

/**
 * Moves the zoomed picture by a quarter of the frame.
 * @param {number} across
 * @param {number} down
 */
export function pan(across, down) {
  if (zoomed) moveTo(zoomed.x - across * zoomed.frame.width / 4, zoomed.y - down * zoomed.frame.height / 4)
}

/** Takes a zoom beyond its limits back to them. */
export function settleZoom() {
  if (!zoomed) return
  if (zoomed.scale >= 1 && zoomed.scale <= 1.02) return endZoom()
  const limit = clamp(zoomed.scale, zoomed.least, zoomed.most)
  const { scale, frame } = zoomed
  if (scale === limit) return
  const point = { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 }
  run(200, (time) => {
    if (!zoomed) return
    const next = limit + distanceAfter(limitSpring, scale - limit, 0, time)
    const view = scaled(zoomed, next, point, frame)
    moveTo(view.x, view.y, next)
  }, () => {
    if (zoomed && limit === 1) endZoom()
    else zoomTo(limit, point)
  })
}

let resting = 0
/** Shows the zoom buttons until two seconds after the last touch. */
export function wake() {
  const controls = zoomed?.picture.querySelector(".zoom-controls")
  controls?.classList.remove("rests")
  clearTimeout(resting)
  resting = setTimeout(() => controls?.classList.add("rests"), 2_000)
}

/**
 * Loads the picture at twice the resolution, if there is one and it is not shown yet.
 * @param {HTMLImageElement} image
 */
function sharpen(image) {
  const double = /(\S+) 2x/.exec(image.srcset)?.[1]
  if (!double || image.currentSrc.endsWith(double)) return
  const sharp = new Image()
  sharp.src = double
  sharp.decode().then(() => {
    // By then a larger version may have taken its place.
    if (sharp.naturalWidth > 1 && image.srcset.includes(`${double} 2x`)) image.srcset = `${double} 1x`
  }, () => {})
}

/** Creates the zoom buttons, for readers who can't pinch. */
function zoomControls() {
  const group = document.createElement("div")
  group.className = "zoom-controls"
  group.setAttribute("role", "group")
  group.ariaLabel = "Zoom"
  /** @type {[string, string, () => void][]} */
  const steps = [["Zoom out", "−", zoomOut], ["Reset zoom", "", endZoom], ["Zoom in", "+", zoomIn]]
  group.append(...steps.map(([name, text, act]) => {
    const button = document.createElement("button")
    button.className = text ? "button" : "button zoom-level"
    button.type = "button"
    button.ariaLabel = name
    button.textContent = text
    button.addEventListener("click", act)
    return button
  }))
  return group
}
