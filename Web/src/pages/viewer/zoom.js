// Longbox
// SPDX-License-Identifier: MIT

import { figure, need } from "./elements.js"
import { along, clamp, roomBetween, scaled } from "./geometry.js"
import { glide, stopMotion } from "./motion.js"

/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./geometry.js").Box} Box */
/**
 * The state of a zoomed picture. `frame` is its visible area in the window; `layers` are the picture and the still
 * image of a paused animation on top of it; `x` and `y` are its corner in the frame; `scale` is 1 at rest.
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
 * @property {number} most
 * @property {Point} rest
 */

const most = 8
const step = 1.5

/** @type {Zoomed | null} */
let zoomed = null
/** @type {(() => void)[]} */
const listeners = []

/** The zoomed picture, or null at rest. */
export const current = () => zoomed

/** @param {() => void} step */
export const onEnd = (step) => { listeners.push(step) }

function room() {
  const [bar, ...others] = [".bar", ".tabs", ".controls .pager"].map((selector) => need(selector).getBoundingClientRect())
  return roomBetween({ width: innerWidth, height: innerHeight }, need(".stage").getBoundingClientRect(), bar?.height ?? 0, others)
}

export function beginZoom() {
  if (zoomed) return
  stopMotion()
  const picture = figure()
  const image = picture?.querySelector("img")
  if (!picture || !image || "missing" in image.dataset) return
  const before = image.getBoundingClientRect()
  const stage = need(".stage")
  stage.style.minHeight = `${stage.offsetHeight}px`
  document.body.classList.add("zoomed")
  const frame = room()
  const rest = { x: before.left - frame.left, y: before.top - frame.top }
  zoomed = {
    picture, image, layers: [...picture.querySelectorAll(/** @type {"img"} */ ("img, canvas"))], frame,
    width: before.width, height: before.height, focused: document.activeElement, ...rest, scale: 1,
    most: Math.max(most, 4 * image.naturalWidth / before.width), rest,
  }
  for (const side of /** @type {const} */ (["left", "top", "width", "height"])) picture.style[side] = `${frame[side]}px`
  for (const side of /** @type {const} */ (["width", "height"])) for (const { style } of zoomed.layers) style[side] = `${before[side]}px`
  picture.append(zoomControls())
  sharpen(image)
  draw(zoomed)
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
  for (const step of listeners) step()
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
  const next = scaled(zoomed, clamp(scale, 1, zoomed.most), point, zoomed.frame)
  moveTo(next.x, next.y, next.scale)
}

/**
 * Moves the picture as far as its edges allow; returns whether it moved freely.
 * @param {number} x
 * @param {number} y
 * @param {number} [scale]
 */
export function moveTo(x, y, scale = zoomed?.scale ?? 1) {
  if (!zoomed) return false
  const { frame, width, height, rest } = zoomed
  const next = {
    x: along(x, width * scale, frame.width, rest.x, scale), y: along(y, height * scale, frame.height, rest.y, scale), scale,
  }
  const isFree = next.x === x && next.y === y
  Object.assign(zoomed, next)
  draw(zoomed)
  return isFree
}

/** @param {Point} velocity */
export const glideOn = (velocity) => glide(velocity, (x, y) => zoomed !== null && moveTo(zoomed.x + x, zoomed.y + y))

const centre = () => {
  const { left, top, width, height } = zoomed?.frame ?? room()
  return { x: left + width / 2, y: top + height / 2 }
}

export const zoomIn = () => zoomTo((zoomed?.scale ?? 1) * step)
export function zoomOut() {
  if (!zoomed) return
  if (zoomed.scale / step <= 1.01) endZoom()
  else zoomTo(zoomed.scale / step)
}

/**
 * Moves the zoomed picture by a quarter of the frame.
 * @param {number} across
 * @param {number} down
 */
export function pan(across, down) {
  if (zoomed) moveTo(zoomed.x - across * zoomed.frame.width / 4, zoomed.y - down * zoomed.frame.height / 4)
}

export function settleZoom() {
  if (zoomed && zoomed.scale <= 1.02) endZoom()
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
  sharp.decode().then(() => { if (sharp.naturalWidth > 1) image.srcset = `${double} 1x` }, () => {})
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
