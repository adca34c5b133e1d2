// Longbox
// SPDX-License-Identifier: MIT

/**
 * Fetches everything that pages need, then lets this worker take over.
 * @param {import("./worker.js").Worker} worker
 * @param {ServiceWorkerGlobalScope} scope
 */
export async function install({ shell, archive, host, sync }, scope) {
  await shell.install()
  await archive.refresh()
  await host.device()
  // So far, the reader's library is only on the server.
  await sync.lookForLibrary()
  await scope.skipWaiting()
}

/**
 * Takes over the open pages; notifies them if this is an update.
 * @param {import("./worker.js").Worker} worker
 * @param {ServiceWorkerGlobalScope} scope
 * @param {Build} build
 */
export async function activate({ shell, store, pages }, scope, { assets }) {
  await shell.tidy()
  await scope.clients.claim()
  const before = await store.get("assets")
  await store.set("assets", assets)
  if (before && before !== assets) await pages.broadcast({ kind: "updated" })
}
