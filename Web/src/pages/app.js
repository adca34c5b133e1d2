// Longbox
// SPDX-License-Identifier: MIT

// The script of every page. It registers the service worker, shows whether there is a connection, handles keys, and
// loads other scripts. Every page works without it.

import * as bars from "./bars.js"
import { isConnected, showConnection, watchConnection } from "./connection.js"
import { openDetails, watchDetails } from "./details.js"
import { watchExplanation } from "./disclosure.js"
import * as keys from "./keys.js"
import { note } from "./notes.js"
import { askAgain, passToWorker, watchPicture } from "./pictures.js"
import { listen, registerWorker, tell } from "./service-worker.js"

const pictures = (selector = ".picture img") =>
  /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll(selector))
const has = (/** @type {string} */ selector) => document.querySelector(selector) !== null

/** Sets up a page after the browser has loaded it or the pager has put it in place. */
function prepare() {
  pictures().forEach(watchPicture)
  document.querySelectorAll("details.explanation").forEach(watchExplanation)
  openDetails()
  const animations = pictures(".picture img[data-frames]")
  if (animations.length) import("./animation.js").then(({ watch }) => animations.forEach(watch))
  document.dispatchEvent(new Event("longbox:page"))
}

/** @type {import("./services.d.ts").Services} */
const services = { note, prepare, tell, keepKeys: keys.keep, showConnection: () => showConnection(isConnected()) }

// First, since a key may be pressed at any time.
keys.start()
if (has(".comic-page")) {
  keys.keep(import("./comic.js").then(({ start }) => keys.useZoom(start(services))))
}
if (has(".search-box")) import("./search.js")
if (has(".quiz")) import("./quiz.js")
if (has("#on-this-device") && "serviceWorker" in navigator) import("./settings.js").then(({ start }) => start(services))

registerWorker(() => pictures().forEach(passToWorker))
watchConnection(() => pictures("img[data-missing]").forEach(askAgain))
listen({
  full: () => note("full", "There is no more room on this device. What is kept stays; clear the cache in the settings for more."),
  library: reloadIfShown,
  updated: () => note("updated", "Longbox was updated.", 6_000),
})
watchDetails()
bars.start()
prepare()

/** Reloads after a change on another device, if this page may show it and is not in use. */
function reloadIfShown() {
  const isInUse = document.activeElement?.matches("input, textarea") || has("dialog[open], .zoomed, .explanation[open]")
  if (has(".favorites-page, .overview-page, .comic-page, .quiz-kinds") && !isInUse) location.reload()
}
