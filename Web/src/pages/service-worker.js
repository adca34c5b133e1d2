// Longbox
// SPDX-License-Identifier: MIT

// A page's link to the service worker.

/** @typedef {import("../shared/messages.js").ToWorker} ToWorker */
/** @typedef {import("../shared/messages.js").FromWorker} FromWorker */
/** @typedef {{ [Kind in FromWorker["kind"]]?: (message: FromWorker & { kind: Kind }) => void }} Listeners */

// Undefined outside a secure context.
const workers = /** @type {ServiceWorkerContainer | undefined} */ (navigator.serviceWorker)

export const controller = () => workers?.controller

/** @param {ToWorker} message */
export const postToWorker = (message) => controller()?.postMessage(message)

/** @param {Listeners} listeners by kind of message */
export function listen(listeners) {
  workers?.addEventListener("message", ({ data }) => {
    const message = /** @type {FromWorker} */ (data)
    const step = /** @type {((message: FromWorker) => void) | undefined} */ (listeners[message.kind])
    step?.(message)
  })
}

/** @param {() => void} step called when a worker takes control of this page */
export const onTakeover = (step) => workers?.addEventListener("controllerchange", step)

export function registerWorker() {
  if (!workers) return
  const { base = "" } = document.documentElement.dataset
  workers.register(`${base}/sw.js`, { updateViaCache: "none" }).catch(() => {})
  onTakeover(() => postToWorker({ kind: "hello" }))
  listen({ continue: () => postToWorker({ kind: "continue" }) })
  postToWorker({ kind: "hello" })
}
