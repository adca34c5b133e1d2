// Longbox
// SPDX-License-Identifier: MIT

// The service worker: installs Longbox on the device and responds to requests, online and offline. See docs/device.md. This
// file forwards the browser's events.

import { route } from "./requests.js"
import { activate, handleMessage, install, makeWorker } from "./worker.js"

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))
const worker = makeWorker(scope, build)
// For tests and the developer console.
Object.assign(scope, { longbox: worker })

scope.addEventListener("install", (event) => event.waitUntil(install(worker, scope)))
scope.addEventListener("activate", (event) => event.waitUntil(activate(worker, scope, build)))
scope.addEventListener("fetch", (event) => route(event, worker.handlers, {
  origin: scope.location.origin, base: build.base, isCopy: Boolean(build.copy),
}))
scope.addEventListener("message", (event) => event.waitUntil(handleMessage(worker, event.data, event.source)))
scope.addEventListener("sync", (event) => {
  if (event.tag === "library") event.waitUntil(worker.sync.run())
})
scope.addEventListener("periodicsync", (event) => {
  if (event.tag === "news") event.waitUntil(worker.archive.refresh().catch(() => {}))
})
scope.addEventListener("push", (event) => event.waitUntil(worker.notifications.receive(event.data)))
scope.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(worker.notifications.act(event.action, event.notification.data))
})
scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(worker.notifications.renewSubscription(event)))
