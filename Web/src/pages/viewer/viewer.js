// Longbox
// SPDX-License-Identifier: MIT

// Gestures on a comic's picture: swipe to turn the page; tap for the alt text; pinch, use the wheel, or double tap, hold
// and drag to zoom; drag to move the zoomed picture; double tap for a favorite. At rest the picture is part of the page;
// zoomed, it has a frame of its own between the bars, which keep working.

import { noteAct } from "../hints.js"
import { closeCaption, startCaption, toggleCaption } from "./caption.js"
import { isOnPicture, targetOf } from "./elements.js"
import { Gestures, wheel } from "./gestures.js"
import { startReading } from "./reading.js"
import { Swipe } from "./swipe.js"
import { current, endZoom, forget, onBegin, pan, toggleZoom, zoomIn, zoomOut } from "./zoom.js"

/** @typedef {import("./swipe.js").Pages} Pages */

/** @type {Record<string, () => void>} */
const keys = {
  "+": zoomIn, "=": zoomIn, "-": zoomOut, "0": endZoom, Escape: endZoom,
  ArrowLeft: () => pan(-1, 0), ArrowRight: () => pan(1, 0), ArrowUp: () => pan(0, -1), ArrowDown: () => pan(0, 1),
}

/** @param {string} key */
const press = (key) => keys[key]?.()

/** @param {{ x: number, y: number }} at */
function showBurst({ x, y }) {
  const heart = document.querySelector(".actions .heart .icon")?.cloneNode(true)
  if (!(heart instanceof SVGElement)) return
  heart.classList.add("burst")
  heart.style.left = `${x}px`
  heart.style.top = `${y}px`
  document.body.append(heart)
  setTimeout(() => heart.remove(), 800)
}

/**
 * @param {Pages & { favorite: () => void }} pages
 * @returns {import("../services.d.ts").ZoomControls}
 */
export function startViewer(pages) {
  let lastWasTouch = false
  const { dataset } = document.documentElement
  startCaption()
  startReading()
  onBegin(closeCaption)

  /** @param {{ x: number, y: number }} at */
  function doubleTap(at) {
    noteAct("double-tap")
    if (dataset.doubleTap === "zoom") return toggleZoom(at)
    if (dataset.doubleTap === "nothing") return
    showBurst(at)
    pages.favorite()
  }

  const hasDoubleTap = () => dataset.doubleTap !== "nothing"
  const gestures = new Gestures(new Swipe(pages), { tap: toggleCaption, doubleTap, hasDoubleTap })
  document.documentElement.classList.add("gestures")
  document.addEventListener("pointerdown", (event) => gestures.down(event))
  document.addEventListener("pointermove", (event) => gestures.move(event))
  document.addEventListener("pointerup", (event) => gestures.up(event))
  document.addEventListener("pointercancel", (event) => gestures.up(event))
  document.addEventListener("wheel", wheel, { passive: false })
  document.addEventListener("dblclick", (event) => {
    if (isOnPicture(event) && targetOf(event)?.closest(".picture") && !lastWasTouch) doubleTap(event)
  })
  document.addEventListener("click", (event) => {
    const isPicture = isOnPicture(event) && targetOf(event)?.closest(".picture:not(.absent) :is(img, canvas)")
    if (isPicture && !lastWasTouch && !gestures.hasPanned) toggleCaption()
  })
  document.addEventListener("dragstart", (event) => { if (current()) event.preventDefault() })
  // Prevents the browser's own pinch zoom, and scrolling during a gesture.
  document.addEventListener("touchmove", (event) => {
    const isOurs = event.touches.length > 1 || current() || gestures.isBusy
    if (isOurs && isOnPicture(event) && event.cancelable) event.preventDefault()
  }, { passive: false })
  addEventListener("resize", endZoom)
  document.addEventListener("longbox:page", () => {
    closeCaption()
    forget()
  })
  addEventListener("pointerdown", ({ pointerType }) => { lastWasTouch = pointerType !== "mouse" }, { capture: true })
  return { isZoomed: () => current() !== null, press }
}
