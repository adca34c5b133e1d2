// Longbox
// SPDX-License-Identifier: MIT

// Shows whether the server can be reached.

import { listen, postToWorker } from "./service-worker.js"

const strips = () => document.querySelector(".strips")
const waits = () => document.querySelector("[data-waits]")
const banner = () => strips()?.querySelector(".connection")

let isReached = !banner()
let isSignedOut = false
// The same drawing as `Icon.offline`.
const icon = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M4 4l16 16M8.5 8A5 5 0 0 0 7 18h10M12 6.5A5.5 5.5 0 0 1 17 11a3.5 3.5 0 0 1 3 5"/></svg>'

let probing = 0
/** The shortest pause before a probe, in milliseconds. */
const shortest = 500
/** The next pause. It grows until the connection has held for a while. */
let pause = shortest
let onReturn = () => {}
let isLeaving = false

export const isConnected = () => isReached

/** Shows the state again after the pager has replaced the strips. */
export const showConnectionAgain = () => showConnection(isReached || isSignedOut, isSignedOut)

/**
 * @param {boolean} isNow whether the server can be reached
 * @param {boolean} [isOut] whether it asks this device to sign in again
 */
function showConnection(isNow, isOut = false) {
  // The page knows best whether there is a network: the worker's message may be older than the change.
  isNow &&= navigator.onLine
  isOut &&= isNow
  const isSame = probing !== 0 && isOut === isSignedOut && isReached === (isNow && !isOut)
  if (isOut !== isSignedOut) banner()?.remove()
  isSignedOut = isOut
  if (isOut) {
    showSignIn()
  } else if (isNow) {
    banner()?.remove()
    if (waits()) reloadSoon()
    onReturn()
  } else if (!banner()) {
    const strip = document.createElement("p")
    strip.className = "strip connection over"
    strips()?.prepend(strip)
    strip.innerHTML = icon
    strip.append("Offline. You can read what is saved on this device.")
  }
  if (isSame) return
  isReached = isNow && !isOut
  clearTimeout(probing)
  probing = 0
  if (isReached) probing = setTimeout(() => { pause = shortest }, 30_000)
  else if (navigator.onLine) probe(isOut ? 10_000 : shortest)
}

/** The pause before the next reload of a page that waits, in milliseconds. */
const reloadName = "reload"
let reloading = 0
/** @type {import("./tab-state.js").TabState | undefined} */
let tab

/** Loads a page again that waits for the connection, after pauses that grow while the server can't give this page. */
function reloadSoon() {
  const before = Number(tab?.getItem(reloadName))
  reloading ||= setTimeout(() => {
    // A reload would replace the page that the reader is going to.
    if (isLeaving) return
    tab?.setItem(reloadName, String(Math.min(Math.max(before * 2, shortest), 60_000)))
    location.reload()
  }, before)
}

/** Offers to sign in again. What is saved on this device stays readable. */
function showSignIn() {
  const { base = "" } = document.documentElement.dataset
  const path = location.pathname.slice(base.length)
  if (path === "/sign-in" || banner()) return
  const strip = document.createElement("p")
  strip.className = "strip connection over"
  const link = document.createElement("a")
  link.href = `${base}/sign-in?to=${encodeURIComponent(path + location.search)}`
  link.textContent = "Sign in again"
  strip.innerHTML = icon
  strip.append(link, " to reach your Longbox. What is saved on this device stays.")
  strips()?.prepend(strip)
}

/**
 * Probes the server at growing intervals while the page is visible.
 * @param {number} least the shortest interval, in milliseconds
 */
function probe(least) {
  pause = Math.max(pause, least)
  probing = setTimeout(() => {
    if (isReached) return
    probeNow()
    pause = Math.min(pause * 1.5, 60_000)
    probe(least)
  }, pause)
}

const probeNow = () => { if (document.visibilityState === "visible") postToWorker({ kind: "probe" }) }

/**
 * @param {import("./tab-state.js").TabState} given
 * @param {() => void} onceBack called whenever the connection is back, to load what failed
 */
export function watchConnection(given, onceBack) {
  tab = given
  onReturn = onceBack
  listen({ connection: (message) => showConnection(message.isReached, message.isSignedOut ?? isSignedOut) })
  if (waits()) addEventListener("beforeunload", () => { isLeaving = true })
  else given.removeItem(reloadName)
  addEventListener("offline", () => showConnection(false))
  addEventListener("online", () => {
    postToWorker({ kind: "online" })
    pause = shortest
    showConnection(true)
  })
  const greet = () => {
    postToWorker({ kind: "hello" })
    if (!isReached) probeNow()
  }
  // The page comes from the back/forward cache, so its state may be old.
  addEventListener("pageshow", ({ persisted }) => { if (persisted) greet() })
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") greet() })
  setInterval(() => {
    if (isReached && document.visibilityState === "visible") postToWorker({ kind: "tick" })
  }, 15 * 60_000)
  if (!navigator.onLine) showConnection(false)
  else if (!isReached) probe(shortest)
}
