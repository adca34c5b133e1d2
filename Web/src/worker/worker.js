// Longbox
// SPDX-License-Identifier: MIT

import { explanationFragmentPath, explanationPath } from "../shared/addresses.js"
import { handle } from "../shared/messages.js"
import { Albums } from "./albums.js"
import { ArchiveUpdates } from "./archive.js"
import { Background } from "./background.js"
import { Connection, Pages } from "./connection.js"
import { Device } from "./device.js"
import { Downloads, Storage } from "./downloads.js"
import { ExplanationDownload, Explanations, ExplanationStore } from "./explanations.js"
import { Host } from "./host.js"
import { News, Notifications, showBadge } from "./news.js"
import { Pictures } from "./pictures.js"
import { PageRequests } from "./requests.js"
import { loaders, RequestLoop } from "./respond.js"
import { Shell } from "./shell.js"
import { StaticCopy } from "./static-copy.js"
import { Store } from "./store.js"
import { LibrarySync } from "./sync.js"

/**
 * Creates and connects all parts of the worker.
 * @param {ServiceWorkerGlobalScope} scope
 * @param {Build} build
 */
export function makeWorker(scope, build) {
  const { registration, location: { origin } } = scope
  const { headers, base } = build
  const store = new Store(indexedDB, IDBKeyRange, base)
  const explanationStore = new ExplanationStore(indexedDB, base)
  const pages = new Pages(scope.clients)
  const connection = new Connection(pages, base, build.copy ? new StaticCopy(build) : null)
  const shell = new Shell(build, connection, origin)
  const newDevice = async () => Device.start(await shell.module())
  const host = new Host({ store, explanations: explanationStore, pages, build, newDevice })
  const news = new News(store, showBadge)
  const pictures = new Pictures({ host, connection, pages, store, base })
  const archive = new ArchiveUpdates({
    host, store, explanations: explanationStore, pictures, connection, onChange: async () => {
      pages.broadcast({ kind: "changed" })
      await news.noteArchive(await host.facts())
    },
  })
  const explanations = new Explanations({ store: explanationStore, connection, pages, headers })
  const explanationDownload = new ExplanationDownload({ explanations: explanationStore, store, connection, pages, host })
  const albums = new Albums({ host, connection, pages, base })
  const downloads = new Downloads({
    store, host, pictures, explanations: { store: explanationStore, download: explanationDownload }, connection, pages,
  })
  const sync = new LibrarySync({
    host, store, connection, registration, isOff: Boolean(build.copy),
    onEnd: async () => {
      const state = await sync.state().catch(() => null)
      if (state) pages.broadcast({ kind: "synced", state })
    },
    onChange: () => {
      pages.broadcast({ kind: "changed" })
      background.afterSync()
    },
  })
  const loop = new RequestLoop({ host, loaders: loaders({ archive, explanations, albums, pictures }), connection })
  const background = new Background({
    connection, host, sync, archive, pictures, albums, explanations, explanationDownload, downloads, news,
  })
  const requests = new PageRequests({ loop, background, host, sync, albums, archive, connection, headers, origin, base, isCopy: Boolean(build.copy) })
  const notifications = new Notifications({
    registration, clients: scope.clients, connection, news, store, locks: scope.navigator.locks, archive, host, pictures, pages, requests, base,
  })
  const storage = new Storage({ host, pictures, albums, downloads, explanations: explanationStore, archive, connection })

  /** @type {Readonly<Record<import("./requests.js").HandlerName, import("./requests.js").Handler>>} */
  const handlers = {
    page: (event, url) => requests.respond(event, url),
    fragment: (event, url) => explanations.respondFragment(event, numberIn(url, explanationFragmentPath)),
    explanation: (event, url) => explanations.respond(event, numberIn(url, explanationPath)),
    cover: (event, url) => albums.respondCover(event, url),
    picture: (event, url) => pictures.respond(event, url),
    asset: (event, url) => shell.respond(event, url),
  }

  return {
    albums, archive, background, connection, downloads, explanationDownload, explanationStore, handlers, host, newDevice,
    news, notifications, pages, pictures, requests, shell, storage, store, sync,
  }
}

/** @typedef {ReturnType<typeof makeWorker>} Worker */

/**
 * @param {URL} url
 * @param {RegExp} pattern
 */
const numberIn = (url, pattern) => Number(pattern.exec(url.pathname)?.[1])

/**
 * Fetches everything that pages need, then lets this worker take over.
 * @param {Worker} worker
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
 * @param {Worker} worker
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

/**
 * Handles a message from a page.
 * @param {Worker} worker
 * @param {import("../shared/messages.js").ToWorker} message
 * @param {{ postMessage(message: import("../shared/messages.js").FromWorker): void } | null} page the sender
 */
export async function handleMessage(worker, message, page) {
  const { background, connection, downloads, news, notifications, pages, requests, storage, sync } = worker
  /** @type {import("../shared/messages.js").Handlers<typeof message, Promise<unknown>>} */
  const steps = {
    hello: async () => {
      if (connection.isKnown) page?.postMessage(connection.message)
      const job = await downloads.current()
      if (job) page?.postMessage({ kind: "download", job })
      await Promise.allSettled([
        background.pageOpened(), background.learnConnection(), notifications.registerPeriodicCheck(), notifications.renewIfKeyChanged(),
      ])
    },
    tick: () => background.catchUp(),
    online: async () => {
      connection.noteReached(true)
      await connection.untilOnline()
      await background.catchUp()
    },
    probe: () => background.probe(),
    viewed: ({ comic, keepsPlace }) => Promise.all([
      requests.noteView(comic, keepsPlace),
      news.noteViewed(comic),
    ]),
    submit: async ({ path, form, answer }) => {
      const isChanged = await requests.submit({ path, form }).catch(() => null)
      answer.postMessage(isChanged !== null)
      if (isChanged) await pages.broadcast({ kind: "changed" })
    },
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
