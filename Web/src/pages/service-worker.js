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
export const tell = (message) => controller()?.postMessage(message)

/** @param {Listeners} listeners by kind of message */
export function listen(listeners) {
  workers?.addEventListener("message", ({ data }) => {
    const message = /** @type {FromWorker} */ (data)
    const step = /** @type {((message: FromWorker) => void) | undefined} */ (listeners[message.kind])
    step?.(message)
  })
}

/** @param {() => void} onTakeover called when a worker takes control of this page */
export function registerWorker(onTakeover) {
  if (!workers) return
  workers.register("/sw.js", { updateViaCache: "none" }).catch(() => {})
  workers.addEventListener("controllerchange", () => {
    tell({ kind: "hello" })
    onTakeover()
  })
  listen({ continue: () => tell({ kind: "continue" }) })
  tell({ kind: "hello" })
}
