// Longbox
// SPDX-License-Identifier: MIT

// Shows whether the server can be reached.

import { messages, note } from "./notes.js"
import { listen, tell } from "./service-worker.js"

const banner = () => messages.querySelector(".connection")

let isReached = !banner()
let probing = 0
let onReturn = () => {}

export const isConnected = () => isReached

/** @param {boolean} isNow */
export function showConnection(isNow) {
  // The page knows best whether there is a network: the worker's message may be older than the change.
  isNow &&= navigator.onLine
  if (isNow) {
    banner()?.remove()
    if (document.querySelector("[data-waits]")) location.reload()
    onReturn()
  } else if (!banner()) {
    const strong = document.createElement("strong")
    strong.append("No connection.")
    note("connection", strong)
    banner()?.append(" What is on this device works as ever.")
  }
  isReached = isNow
  clearTimeout(probing)
  if (!isNow && navigator.onLine) probe(500)
}

/**
 * Probes the server at growing intervals while the page is visible.
 * @param {number} pause in milliseconds
 */
function probe(pause) {
  probing = setTimeout(() => {
    if (isReached) return
    if (document.visibilityState === "visible") tell({ kind: "probe" })
    probe(Math.min(pause * 1.5, 60_000))
  }, pause)
}

/** @param {() => void} onceBack called whenever the connection is back, to load what failed */
export function watchConnection(onceBack) {
  onReturn = onceBack
  listen({ connection: ({ isReached }) => showConnection(isReached) })
  addEventListener("offline", () => showConnection(false))
  addEventListener("online", () => {
    tell({ kind: "online" })
    showConnection(true)
  })
  addEventListener("pageshow", (event) => {
    // From the back/forward cache: time has passed.
    if (event.persisted) tell({ kind: "hello" })
  })
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") tell({ kind: "hello" })
  })
  setInterval(() => {
    if (isReached && document.visibilityState === "visible") tell({ kind: "tick" })
  }, 15 * 60_000)
  if (!navigator.onLine) showConnection(false)
  else if (!isReached) probe(500)
}
