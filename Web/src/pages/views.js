// Longbox
// SPDX-License-Identifier: MIT

// Reports a comic as viewed once it was in view for two seconds. The service worker stores that on this device.

import { controller, onTakeover, postToWorker } from "./service-worker.js"

/** How long a comic has to be in view, in milliseconds. */
const pause = 2_000

let timer = 0
/** The comic that was reported, or that the reader has marked, on this page. */
let settled = 0

/** The number of the comic on this page, or 0. */
function shownComic() {
  if (!document.querySelector(".comic-page .picture")) return 0
  const address = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))?.href ?? ""
  return Number(/\/(\d+)\/$/.exec(address)?.[1] ?? 0)
}

function restart() {
  clearTimeout(timer)
  const comic = shownComic()
  if (comic !== settled) settled = 0
  if (comic && !settled && document.visibilityState === "visible") timer = setTimeout(report, pause)
}

function report() {
  // Without a worker, the server has recorded the view.
  if (!controller()) return
  // A missing picture doesn't count as viewed. It may load later.
  const missing = document.querySelector(".pages > .stage .picture img[data-missing]")
  if (missing) return missing.addEventListener("load", restart)
  settled = shownComic()
  document.dispatchEvent(new Event("longbox:viewed"))
  postToWorker({ kind: "viewed", comic: settled, keepsPlace: document.querySelector(".continue") !== null })
}

export function startViews() {
  document.addEventListener("longbox:page", restart)
  document.addEventListener("visibilitychange", restart)
  onTakeover(restart)
  // A view would replace the mark that the reader sets.
  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.endsWith("/read/set")) return
    clearTimeout(timer)
    settled = shownComic()
  })
}
