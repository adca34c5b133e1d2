// Longbox
// SPDX-License-Identifier: MIT

// A page's link to the service worker.

import { handle } from "../shared/messages.js"

/** @typedef {import("../shared/messages.js").ToWorker} ToWorker */
/** @typedef {import("../shared/messages.js").FromWorker} FromWorker */

// Undefined outside a secure context.
const workers = /** @type {ServiceWorkerContainer | undefined} */ (navigator.serviceWorker)

export const controller = () => workers?.controller

/** @param {ToWorker} message */
export const postToWorker = (message) => controller()?.postMessage(message)

/** @param {import("../shared/messages.js").Handlers<FromWorker, void>} listeners */
export const listen = (listeners) => workers?.addEventListener("message", ({ data }) => handle(listeners, data))

/** @param {() => void} step called when a worker takes control of this page */
export const onTakeover = (step) => workers?.addEventListener("controllerchange", step)

let onRefused = () => {}
/**
 * Fulfilled if the browser refuses the service worker, as it does if it doesn't trust the server's certificate, although it
 * shows pages. Then nothing is kept for offline use, and there are no notifications.
 * @type {Promise<void>}
 */
export const refused = new Promise((resolve) => { onRefused = resolve })

/** The shortest time from one look for a new version to the next, in milliseconds. */
const updateInterval = 3_600_000

export function registerWorker() {
  // The server would refuse the script, which the browser reports as an error.
  if (!workers || document.querySelector("form.sign-in")) return
  const { base = "" } = document.documentElement.dataset
  const script = `${base}/sw.js`
  const registering = workers.register(script, { updateViaCache: "none" }).catch(async (error) => {
    if (error.name !== "SecurityError" || location.protocol !== "https:") return
    // The error is the same if a proxy leads to its sign-in page.
    const response = await fetch(script, { redirect: "manual" }).catch(() => null)
    if (response?.ok && response.headers.get("content-type")?.includes("javascript")) onRefused()
  })
  let looked = Date.now()
  // Browsers look for a new version when a page is loaded, not when one stays open or comes from the back/forward cache.
  const lookForUpdate = () => {
    // The clock may be set back.
    if (document.visibilityState !== "visible" || !navigator.onLine || Math.abs(Date.now() - looked) < updateInterval) return
    looked = Date.now()
    registering.then((registration) => registration?.update()).catch(() => {})
  }
  addEventListener("pageshow", ({ persisted }) => { if (persisted) lookForUpdate() })
  document.addEventListener("visibilitychange", lookForUpdate)
  onTakeover(() => postToWorker({ kind: "hello" }))
  listen({ continue: () => postToWorker({ kind: "continue" }) })
  postToWorker({ kind: "hello" })
}

/** What a page says in place of the browser's error. */
const unreachable = "Longbox can’t be reached, and this page isn’t kept on this device. Try again when you are back online."

/** How long the server may take to answer before the browser itself loads a page, and shows that it does; in milliseconds. */
const probeTimeout = 2_000

/**
 * Whether no other page can be loaded, since there is no worker and the server doesn't answer; then says so.
 * @param {import("./services.d.ts").Services["say"]} say
 */
export async function isCutOff(say) {
  if (controller()) return false
  const { base = "" } = document.documentElement.dataset
  const probe = { cache: /** @type {const} */ ("no-store"), signal: AbortSignal.timeout(probeTimeout) }
  const mayAnswer = () => fetch(`${base}/healthz`, probe).then(() => true, (error) => error.name === "TimeoutError")
  if (navigator.onLine && await mayAnswer()) return false
  say(unreachable, { isError: true })
  return true
}

/**
 * Stays on this page, and says why, if a link is followed without a network and without a worker, which would lead to the
 * browser's error. Listens at the window, so that other scripts handle their links first.
 * @param {import("./services.d.ts").Services["say"]} say
 */
export function watchLinks(say) {
  addEventListener("click", (event) => {
    if (navigator.onLine || controller() || event.defaultPrevented) return
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[href]")) : null
    const isHere = link?.pathname === location.pathname && link.search === location.search
    if (!link || link.origin !== location.origin || link.target || isHere) return
    event.preventDefault()
    say(unreachable, { isError: true })
  })
}

/**
 * Saves by a script what a link with `download` leads to, since browsers don't ask the service worker for downloads.
 * @param {import("./services.d.ts").Services["say"]} say
 */
export function watchDownloads(say) {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[download]")) : null
    if (!link || !controller() || event.defaultPrevented) return
    event.preventDefault()
    import("./save-file.js").then(({ save }) => save(link, say))
  })
}

/**
 * Sends a form, also if the reader leaves the page at once. A service worker completes what it has received, and without one
 * `keepalive` does that. Firefox sends requests with `keepalive` past the worker, so that the device wouldn't learn of them.
 * @param {string} address
 * @param {URLSearchParams} body
 * @param {RequestInit} [options]
 */
export function post(address, body, options) {
  return fetch(address, { ...options, method: "POST", headers: { accept: "text/html" }, body, keepalive: !controller() })
}

/** Maximum wait for the worker's answer to a form in a message, in milliseconds. */
const answerTimeout = 5_000

/**
 * Sends what a reader changes. WebKit and Firefox end a page's requests as soon as the reader leaves it, maybe before the worker
 * has received them; then the worker gets the form in a message. Should both arrive, the second changes nothing.
 * @param {string} address
 * @param {URLSearchParams} body
 * @returns {Promise<boolean>} whether it was accepted
 */
export async function sendChange(address, body) {
  const response = await post(address, body, { redirect: "manual" }).catch(() => null)
  // The response to an accepted form is a redirect to its page.
  if (response) return response.type === "opaqueredirect"
  const worker = controller()
  if (!worker) return false
  return new Promise((resolve) => {
    const port = submit(worker, address, body)
    const end = (/** @type {boolean} */ isAccepted) => {
      clearTimeout(waiting)
      port.close()
      resolve(isAccepted)
    }
    const waiting = setTimeout(end, answerTimeout, false)
    port.onmessage = ({ data }) => end(data)
  })
}

/**
 * Sends what a reader has changed as they leave the page, which hears no answer.
 * @param {string} address
 * @param {URLSearchParams} body
 */
export function sendAtLast(address, body) {
  const worker = controller()
  if (worker) submit(worker, address, body)
  else post(address, body, { redirect: "manual" }).catch(() => {})
}

/**
 * Gives the worker a form in a message, and returns the port of its answer.
 * @param {ServiceWorker} worker
 * @param {string} address
 * @param {URLSearchParams} body
 */
function submit(worker, address, body) {
  const { base = "" } = document.documentElement.dataset
  const { port1, port2 } = new MessageChannel()
  const path = new URL(address, location.href).pathname.slice(base.length)
  /** @type {ToWorker} */
  const message = { kind: "submit", path, form: String(body), answer: port2 }
  worker.postMessage(message, [port2])
  return port1
}

// For files of a static copy. Until the worker controls the page, no form can be sent, and pages that only the device can
// render are not shown.

const root = document.documentElement

export function startFile() {
  if (root.dataset.file === undefined) return
  if (controller()) root.dataset.ready = ""
  else onTakeover(takeOver)
}

function takeOver() {
  // A file ignores the query; the worker doesn't.
  if (document.querySelector("[data-needs-worker]") || location.search) location.reload()
  else root.dataset.ready = ""
}
