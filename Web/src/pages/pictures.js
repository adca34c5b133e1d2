// Longbox
// SPDX-License-Identifier: MIT

// Shows a card in place of a picture that can't be loaded.

import { isConnected } from "./connection.js"
import { controller, onTakeover, postToWorker } from "./service-worker.js"

/** @param {HTMLImageElement} image */
export function watchPicture(image) {
  const look = () => {
    // A picture of 1 by 1 pixels means that the comic's picture is missing.
    if (image.complete && image.naturalWidth <= 1) showMissing(image)
    else if (image.complete) showFound(image)
  }
  image.addEventListener("load", look)
  image.addEventListener("error", look)
  look()
}

/** @param {HTMLImageElement} image */
function showMissing(image) {
  const isRetried = "missing" in image.dataset
  const figure = image.closest(/** @type {"figure"} */ (".picture"))
  if (!figure || (isRetried && figure.querySelector(".lost"))) return sayWhy(image)
  image.dataset.missing = ""
  const card = document.createElement("div")
  card.className = "lost"
  card.innerHTML = `<svg class="drawing" viewBox="0 0 112 84" aria-hidden="true" focusable="false"><path d="M3 6l45-3-6 17 10 11-9 18 10 12-6 20-42-2zM66 3l43 1-2 77-44 1 6-20-9-13 9-17-9-13z"/><circle cx="23" cy="40" r="6"/><path d="M23 46v16M15 54l8-4 8 4M17 72l6-10 6 10"/><path class="mark" d="M84 32c0-12 16-10 14 0-1 6-7 6-7 12M91 54v1"/></svg><p role="status"></p>`
  const again = document.createElement("button")
  again.className = "button primary"
  again.type = "button"
  again.textContent = "Try again"
  again.addEventListener("click", () => tryAgain(image, again))
  card.append(again)
  // The sample box has no attribution to xkcd.
  if (document.querySelector(".attribution a")) {
    const link = document.createElement("a")
    link.href = `https://xkcd.com/${/^Comic (\d+)/.exec(image.alt)?.[1]}/`
    link.textContent = "Open on xkcd.com"
    card.append(link)
  }
  const [width, height] = [Number(image.getAttribute("width")), Number(image.getAttribute("height"))]
  if (width && height) {
    card.style.aspectRatio = `${width} / ${height}`
    figure.style.setProperty("--lost-width", `${Math.max(width, 280)}px`)
    figure.style.setProperty("--lost-height", `${height}px`)
  }
  figure.prepend(card)
  const alt = document.querySelector(".details .alt")?.cloneNode(true)
  if (alt && !image.closest(".stage")?.querySelector(".alt")) figure.append(alt)
  // Set after the paragraph was inserted; otherwise screen readers don't announce it.
  setTimeout(() => sayWhy(image))
}

/** Whether the server can be asked for pictures. */
const isOnline = () => navigator.onLine && isConnected()

/**
 * @param {HTMLImageElement} image
 * @param {string} [reason] why another try has failed
 */
function sayWhy(image, reason = "") {
  const card = image.closest(".picture")?.querySelector(".lost")
  // A try in progress says how it has ended.
  if (!card || card.ariaBusy === "true") return
  const why = isOnline() ? `The picture couldn’t be loaded${reason && `: ${reason}`}.` : "This comic isn’t on this device yet. It loads when you are back online."
  const paragraph = card.querySelector("p")
  if (paragraph && paragraph.textContent !== why) paragraph.textContent = why
}

/**
 * Loads a picture again at the reader's request: the card says that it tries, and if it fails, why.
 * @param {HTMLImageElement} image
 * @param {HTMLButtonElement} button
 */
async function tryAgain(image, button) {
  const card = /** @type {HTMLElement | null} */ (button.closest(".lost"))
  const paragraph = card?.querySelector("p")
  if (!card || !paragraph || card.ariaBusy === "true") return
  card.ariaBusy = "true"
  paragraph.textContent = "Trying again…"
  const ended = new Promise((resolve) => {
    for (const kind of ["load", "error"]) image.addEventListener(kind, resolve, { once: true })
  })
  retryPicture(image)
  await ended
  const reason = "missing" in image.dataset && isOnline() ? await reasonOf(image) : ""
  card.ariaBusy = null
  if ("missing" in image.dataset) sayWhy(image, reason)
}

/**
 * Why a picture can't be had, as a part of a sentence; empty if unknown.
 * @param {HTMLImageElement} image
 */
async function reasonOf(image) {
  const response = await fetch(image.currentSrc || image.src).catch(() => null)
  if (!response || response.status === 504) return "the server didn’t answer"
  if (response.status === 404) return "xkcd.com didn’t send it"
  return response.status >= 500 ? "the server reports an error" : ""
}

const wasControlled = Boolean(controller())
/** When a worker took control of this page, which had none until then. */
let takeover = 0

/**
 * Fetches the pictures again that came past the worker, so that they are kept.
 * @param {Iterable<HTMLImageElement>} images those shown when a worker takes control
 */
export function passAllToWorker(images) {
  // Otherwise it only replaces another worker.
  if (!wasControlled) takeover ||= performance.now()
  for (const image of images) passToWorker(image)
}

/** @param {HTMLImageElement} image */
function passToWorker(image) {
  // Not by `workerStart`, which is always 0 in Firefox.
  const entries = takeover && image.naturalWidth > 1 ? performance.getEntriesByName(image.currentSrc) : []
  if (entries.length === 0 || entries.some(({ startTime }) => startTime >= takeover)) return
  fetch(image.currentSrc).then(({ status }) => {
    // It was the server's drawing of a missing picture, which not every browser tells from a picture.
    if (status === 404) retryPicture(image)
  }, () => {})
}

/** @param {HTMLImageElement} image */
function showFound(image) {
  passToWorker(image)
  if (!("missing" in image.dataset)) return
  delete image.dataset.missing
  const figure = image.closest(".picture")
  const hadFocus = figure?.contains(document.activeElement)
  for (const part of figure?.querySelectorAll(".lost, .alt") ?? []) part.remove()
  if (hadFocus) document.querySelector("main")?.focus({ preventScroll: true })
}

/** @param {HTMLImageElement} image */
export function retryPicture(image) {
  /** @param {string} address */
  const again = (address) => `${address.replace(/[?&]again=\d+/, "")}${address.includes("?v=") ? "&" : "?"}again=${Date.now()}`
  if (image.srcset) image.srcset = image.srcset.replace(/\S+(?= [12]x)/g, again)
  image.src = again(image.getAttribute("src") ?? "")
}

// Reports a comic as viewed once it was in view for two seconds. The service worker stores that on this device.

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
