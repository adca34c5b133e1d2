// Longbox
// SPDX-License-Identifier: MIT

/**
 * Whether the server can be reached, as the page shows it.
 * @module
 */

import { messages, note } from "./notes.js"
import { listen, tell } from "./service-worker.js"

const banner = () => messages.querySelector(".connection")

let isReached = !banner()
let probing = 0
let onReturn = () => {}

export const isConnected = () => isReached

/** @param {boolean} isNow */
export function showConnection(isNow) {
  // Whether there is a network the page knows better: the worker's answer may be older than the change.
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
 * The network is there, but the server is not: asks for it now and then, ever less often, while somebody looks.
 * @param {number} pause in milliseconds
 */
function probe(pause) {
  probing = setTimeout(() => {
    if (isReached) return
    if (document.visibilityState === "visible") tell({ kind: "probe" })
    probe(Math.min(pause * 1.5, 60_000))
  }, pause)
}

/** @param {() => void} onceBack called whenever there is a connection, for what did not load without one */
export function watchConnection(onceBack) {
  onReturn = onceBack
  listen({ connection: ({ isReached }) => showConnection(isReached) })
  addEventListener("offline", () => showConnection(false))
  addEventListener("online", () => {
    tell({ kind: "online" })
    showConnection(true)
  })
  addEventListener("pageshow", (event) => {
    // Out of the browser's memory of pages: time has passed.
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
