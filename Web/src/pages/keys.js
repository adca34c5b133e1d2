// Longbox
// SPDX-License-Identifier: MIT

// Keyboard shortcuts; a setting turns them off. Keys wait, in order, while the viewer's scripts or the
// next comic load.

import { openDetails, openPad } from "./details.js"
import { KeyQueue, shortcutKey } from "./key-queue.js"

const { base = "" } = document.documentElement.dataset

/** @typedef {import("./services.d.ts").ZoomControls} ZoomControls */

/**
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
const find = (selector) => document.querySelector(selector)
/** @param {string} name */
const link = (name) => find(`.pager a[aria-label="${name} comic"]`)
const searchBox = () => find(".search-box [name=q]")
/** Whether a note is being written; one in a closed sheet is not. */
const isWriting = () => [...document.querySelectorAll(".note-of[open] textarea")].some((note) => note.checkVisibility())
/** @param {string} path below the base path */
const open = (path) => location.assign(`${base}${path}`)

/** The keys and what they do; key-list.js describes them. A shortcut does nothing on pages without its control. @type {[string[], () => void][]} */
const shortcuts = [
  [["ArrowLeft", "h"], () => link("Previous")?.click()],
  [["ArrowRight", "l"], () => link("Next")?.click()],
  [["Home"], () => link("First")?.click()],
  [["End"], () => link("Latest")?.click()],
  [["r"], () => (link("Random") ? link("Random")?.click() : open("/random"))],
  [["R"], () => find(".drawn")?.click()],
  [["f"], () => find(".heart")?.click()],
  [["a"], () => find(".to-alt")?.click()],
  [["d"], () => openDetails("about")],
  [["e"], () => openDetails("explanation")],
  [["t"], () => openDetails("transcript")],
  [["s", "/"], () => (searchBox() ? searchBox()?.focus() : open("/search"))],
  [["g"], openPad],
  [["?"], showList],
]

/** The viewer's controls, once loaded. @type {ZoomControls | null} */
let zoom = null
const zoomKeys = ["+", "=", "-", "0"]

/** @param {ZoomControls} controls */
export const useZoom = (controls) => { zoom = controls }

// A waiting key does nothing if a sheet has opened in the meantime.
const queue = new KeyQueue((key) => { if (!find("dialog[open]:not(.leaving)")) actionOf(key)?.() })

/** Makes keys wait until a step has ended. @param {Promise<unknown>} step */
export const keep = (step) => queue.waitFor(step)

/** @typedef {import("./key-queue.js").Key} Key */

/**
 * Whether a key moves the zoomed picture or ends the zoom; Left and Right without Shift turn the page. @param {Key} key
 */
const isForZoomed = ({ key, isShifted }) => key === "Escape" || (key.startsWith("Arrow") && (isShifted || !/Left|Right/.test(key)))

/**
 * The action of a key in the current state, if any.
 * @param {Key} pressed
 * @returns {(() => void) | undefined}
 */
function actionOf(pressed) {
  const { key, isShifted, isInDetails } = pressed
  const controls = zoom
  if (controls && (zoomKeys.includes(key) || (controls.isZoomed() && isForZoomed(pressed)))) return () => controls.press(key)
  if (isShifted && key.length > 1) return undefined
  if (/^(Arrow|Home|End)/.test(key) && (isInDetails || !find(".pager"))) return undefined
  return shortcuts.find(([keys]) => keys.includes(key))?.[1]
}

/** Whether a key may act once its turn comes: a waiting key may zoom first. @param {Key} pressed */
const mayAct = (pressed) =>
  actionOf(pressed) || (find(".comic-page") && (zoomKeys.includes(pressed.key)
    || (isForZoomed(pressed) && queue.has(({ key }) => zoomKeys.includes(key)))))

/** @param {KeyboardEvent} event */
function press(event) {
  if (document.documentElement.dataset.shortcuts === "off" || event.isComposing || event.defaultPrevented) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest("input, textarea, select, [contenteditable], dialog[open]")) return
  // What is pressed belongs to the note, wherever the focus is.
  if (isWriting()) return
  // Scrollable elements keep the keys that scroll.
  const isScrolled = /^(Home|End)$/.test(event.key) && target?.closest(".details")
  const isInDetails = Boolean(isScrolled || target?.closest(".wide, [role=tablist], .table"))
  const pressed = { key: shortcutKey(event), isShifted: event.shiftKey, isInDetails }
  if (!mayAct(pressed)) return
  event.preventDefault()
  queue.press(pressed, event.repeat)
}

export function start() {
  document.addEventListener("keydown", press)
  document.addEventListener("click", ({ target }) => { if (target instanceof Element && target.closest(".to-keys")) showList() })
  document.addEventListener("sheetleave", (event) => keep(/** @type {CustomEvent<Promise<unknown>>} */ (event).detail))
}

/** Acts on the keys that were pressed before this script was here (`EarlyKeys` in Swift). */
export function actOnEarlyKeys() {
  const early = /** @type {{ earlyKeys?: KeyboardEvent[] }} */ (self).earlyKeys ?? []
  onkeydown = null
  early.forEach(press)
}

function showList() {
  import("./key-list.js").then(({ showKeys }) => showKeys())
}
