// Longbox
// SPDX-License-Identifier: MIT

// Replaces pictures that are not on this device with a message.

import { isConnected } from "./connection.js"
import { controller } from "./service-worker.js"

/** @param {HTMLImageElement} image */
export function watchPicture(image) {
  const look = () => {
    // The worker answers with a picture of 1 by 1 for a missing one.
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
  // Reserve the picture's size: the placeholder has another shape.
  image.style.width = `${image.getAttribute("width") ?? 320}px`
  image.style.aspectRatio = `${image.getAttribute("width") ?? 4} / ${image.getAttribute("height") ?? 3}`
  const paragraph = document.createElement("p")
  paragraph.className = "not-here"
  paragraph.role = "status"
  image.after(paragraph)
  // Added once the paragraph is in the page; otherwise it would not be read out.
  setTimeout(() => paragraph.append("This comic is not on this device yet. It will load when you are back online."))
}

/**
 * Fetches a picture again through the worker, if it was loaded before the worker took over, so that it is cached.
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
  // Otherwise the viewer may have set the style: a sharper picture loads during zoom.
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
