// Longbox
// SPDX-License-Identifier: MIT

// The script of every page. It registers the service worker, shows whether there is a connection, handles keys, and
// loads other scripts. Every page works without it.

import * as bars from "./share-button.js"
import { isOld, showLook, showWaitingChange, startChanges } from "./changes.js"
import * as covers from "./covers.js"
import { showConnectionAgain, watchConnection } from "./connection.js"
import { prepareDetails, startDetails, startNotes, watchExplanation } from "./details.js"
import { keepNumbersNumeric } from "./digits.js"
import { passClicksOn } from "./early-clicks.js"
import * as keys from "./keys.js"
import { passAllToWorker, retryPicture, startViews, watchPicture } from "./pictures.js"
import { startReturningForms } from "./returning-forms.js"
import { isCutOff, listen, onTakeover, post, postToWorker, refused, registerWorker, sendAtLast, sendChange, startFile, watchDownloads, watchLinks } from "./service-worker.js"
import { TabState } from "./tab-state.js"
import { startTabs } from "./tabs.js"
import { say, showMessages, startToast } from "./toast.js"

const pictures = (selector = ".pages > .stage .picture img") =>
  /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll(selector))
const has = (/** @type {string} */ selector) => document.querySelector(selector) !== null

/** @type {Promise<void> | undefined} */
let printing

/** Sets up a page after the browser has loaded it or the pager has put it in place. */
function prepare() {
  pictures().forEach(watchPicture)
  document.querySelectorAll("details.explanation").forEach(watchExplanation)
  prepareDetails()
  const animations = pictures(".pages > .stage .picture img[data-frames]")
  if (animations.length) import("./animation.js").then(({ watch }) => animations.forEach(watch))
  // Before the reader prints: what is printed can't wait for a script.
  if (has(".tall")) printing ??= import("./print.js").then(({ startPrint }) => startPrint())
  document.dispatchEvent(new Event("longbox:page"))
}

const tab = new TabState(sessionStorage, localStorage)
// First, before other scripts use it.
tab.takeOver()

/** @type {import("./services.d.ts").Services} */
const services = {
  say, tab, prepare, post, postToWorker, refused, sendAtLast, sendChange, showLook, isOld, keepKeys: keys.keep, isCutOff: () => isCutOff(say),
  showMessages: (page) => {
    showMessages(page)
    showConnectionAgain()
  },
}

addEventListener("pageshow", ({ persisted }) => { if (persisted) tab.takeOver() })
// Early, since a key may be pressed at any time, and so may a link.
keys.start()
passClicksOn()
/** @param {Event | null} prompt */
const offerInstallation = (prompt) => import("./installation.js").then(({ offer }) => offer(prompt, refused))
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault()
  offerInstallation(event)
})
// Safari on an iPhone or iPad has no prompt.
if (/** @type {{ standalone?: boolean }} */ (navigator).standalone === false && navigator.maxTouchPoints > 0) offerInstallation(null)
if (has(".comic-page")) {
  keys.keep(import("./comic.js").then(({ start }) => keys.useZoom(start(services))))
}
keys.actOnEarlyKeys()
if (has(".search-box")) import("./search.js")
if (has(".year")) import("./overview.js")
if (has(".favorites")) import("./favorites.js").then(({ start }) => start(services))
if (has(".quiz")) import("./quiz.js").then(({ start }) => start(services))
if (has(".sign-in")) import("./sign-in.js")
if (has(".link-actions")) import("./link-actions.js").then(({ start }) => start(services))
if (has(".settings")) import("./settings.js").then(({ start }) => start(services))

registerWorker()
startFile()
onTakeover(() => passAllToWorker(pictures()))
watchConnection(tab, () => pictures("img[data-missing]").forEach(retryPicture))
listen({
  full: () => say("This device is full. Saved comics stay. Clear the cache in Settings to make space.", { isError: true }),
  updated: () => say("Longbox was updated."),
})
watchDownloads(say)
refused.then(() => {
  // Settings say more. Once a session is enough.
  if (has(".settings") || tab.getItem("refused")) return
  tab.setItem("refused", "yes")
  const action = document.createElement("a")
  action.className = "button"
  action.href = `${document.documentElement.dataset["base"] ?? ""}/settings#offline-title`
  action.textContent = "What to do"
  say("Nothing is kept for offline use: this browser doesn’t trust the certificate.", { action, isError: true })
})
keepNumbersNumeric()
covers.start(tab)
bars.start(say)
startViews()
startNotes()
startTabs(tab)
startChanges(tab)
startReturningForms(services)
prepare()
startDetails()
startToast(showWaitingChange)
watchLinks(say)
addEventListener("pagehide", () => tab.passOn())
