// Longbox
// SPDX-License-Identifier: MIT

/**
 * Fetches everything that a page may need; only then this worker takes over.
 * @param {import("./worker.js").Worker} worker
 * @param {ServiceWorkerGlobalScope} scope
 */
export async function install({ shell, archive, host, sync }, scope) {
  await shell.install()
  await archive.refresh()
  await host.device()
  // What the reader did so far is on the server only.
  await sync.lookForLibrary()
  await scope.skipWaiting()
}

/**
 * Takes over the open pages, and tells them where another version did that before.
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
