// Longbox
// SPDX-License-Identifier: MIT

/**
 * Pictures of comics that are not on this device, and what stands in their place.
 * @module
 */

import { isConnected } from "./connection.js"
import { controller } from "./service-worker.js"

/** @param {HTMLImageElement} image */
export function watchPicture(image) {
  const look = () => {
    // The worker stands a picture of 1 by 1 in for what it does not have.
    if (image.complete && image.naturalWidth <= 1) showMissing(image)
    else if (image.complete) showFound(image)
  }
  image.addEventListener("load", look)
  image.addEventListener("error", look)
  look()
}

/** @param {HTMLImageElement} image */
function showMissing(image) {
  if ("missing" in image.dataset || (image.naturalWidth === 0 && navigator.onLine && isConnected())) return
  image.dataset.missing = ""
  // The room that the picture will need: what stands in for it has another shape.
  image.style.width = `${image.getAttribute("width") ?? 320}px`
  image.style.aspectRatio = `${image.getAttribute("width") ?? 4} / ${image.getAttribute("height") ?? 3}`
  const paragraph = document.createElement("p")
  paragraph.className = "not-here"
  paragraph.role = "status"
  image.after(paragraph)
  // After it is in the page, or it would not be read out.
  setTimeout(() => paragraph.append("This comic is not on this device yet. It will load when you are back online."))
}

/**
 * Asks once more, by way of the worker, for a picture that came before the worker did, so that it is kept.
 * @param {HTMLImageElement} image
 */
export function passToWorker(image) {
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(image.currentSrc))
  if (controller() && image.naturalWidth > 1 && !entries.some(({ workerStart }) => workerStart > 0)) {
    fetch(image.currentSrc).catch(() => {})
  }
}

/** @param {HTMLImageElement} image */
function showFound(image) {
  passToWorker(image)
  // Its style may be the viewer's: a sharper picture comes while it is zoomed.
  if (!("missing" in image.dataset)) return
  delete image.dataset.missing
  image.style.width = image.style.aspectRatio = ""
  image.parentElement?.querySelector(".not-here")?.remove()
}

/** @param {HTMLImageElement} image */
export function askAgain(image) {
  /** @param {string} address */
  const again = (address) => `${address}${address.includes("?") ? "&" : "?"}again=${Date.now()}`
  if (image.srcset) image.srcset = image.srcset.replace(/\S+(?= [12]x)/g, again)
  image.src = again(image.getAttribute("src") ?? "")
}
