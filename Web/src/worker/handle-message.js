// Longbox
// SPDX-License-Identifier: MIT

import { handle } from "../shared/messages.js"

/**
 * Handles a message from a page.
 * @param {import("./worker.js").Worker} worker
 * @param {import("../shared/messages.js").ToWorker} message
 * @param {{ postMessage(message: import("../shared/messages.js").FromWorker): void } | null} page the sender
 */
export async function handleMessage({ background, connection, downloads, news, notifications, requests, storage, sync }, message, page) {
  /** @type {import("../shared/messages.js").Handlers<typeof message, Promise<unknown>>} */
  const steps = {
    hello: async () => {
      if (connection.isKnown) page?.postMessage(connection.message)
      const job = await downloads.current()
      if (job) page?.postMessage({ kind: "download", job })
      await Promise.allSettled([
        background.pageOpened(), notifications.registerPeriodicCheck(), notifications.renewIfKeyChanged(),
      ])
    },
    tick: () => background.catchUp(),
    online: () => {
      connection.noteReached(true)
      return background.catchUp()
    },
    probe: () => background.probe(),
    viewed: ({ comic, keepsPlace }) => Promise.all([
      requests.noteView(comic, keepsPlace),
      news.noteViewed(comic),
    ]),
    sizes: async () => {
      const state = await sync.state()
      if (state) page?.postMessage({ kind: "synced", state })
      page?.postMessage({ kind: "sizes", ...(await storage.sizes()) })
    },
    download: ({ selection }) => downloads.start(selection),
    continue: () => downloads.run(),
    stop: () => downloads.stop(),
    clear: async () => {
      await storage.clear()
      page?.postMessage({ kind: "cleared" })
    },
  }
  try {
    await handle(steps, message)
  } catch (error) {
    console.warn(`Longbox: ${message.kind}:`, error)
  }
}
