// Longbox
// SPDX-License-Identifier: MIT

import { missingNumber } from "../shared/addresses.js"
import { hasKey, renewed } from "../shared/push-key.js"
import { AsyncMutex, within } from "./timing.js"

/** Maximum length of each list of comics. */
const mostNews = 100

/** Tracks which comics are new to the reader, and shows each change of their number on the app’s badge. */
export class News {
  #store
  #badge
  #mutex = new AsyncMutex()

  /**
   * @param {Pick<import("./store.js").Store, "get" | "set">} store
   * @param {(count: number) => Promise<void>} badge shows a number on the app's icon
   */
  constructor(store, badge) {
    this.#store = store
    this.#badge = badge
  }

  /**
   * Notes that the archive has changed. The first archive and the sample box bring no news.
   * @param {Pick<import("./device.js").Facts, "latest" | "isSampleBox">} facts
   */
  noteArchive({ latest, isSampleBox }) {
    const samples = isSampleBox ? 1 : 0
    return this.#change((news) => {
      if (news.latest === 0 || samples || news.samples) Object.assign(news, { samples, latest, unseen: [] })
      else addUnseen(news, latest)
    })
  }

  /**
   * @param {number} comic
   * @returns {Promise<boolean>} whether it is the first for that comic
   */
  noteAnnounced(comic) {
    return this.#change((news) => {
      if (news.announced.includes(comic)) return false
      news.announced.push(comic)
      return true
    })
  }

  /**
   * Notes that a comic was published, even if the archive lacks it.
   * @param {number} comic
   */
  noteComic(comic) {
    return this.#change((news) => { if (!news.samples) addUnseen(news, comic) })
  }

  /** @param {number} comic */
  noteViewed(comic) { return this.noteRead(async (comics) => comics.filter((other) => other === comic)) }

  /**
   * Removes the comics that were read from those not viewed yet.
   * @param {(comics: readonly number[]) => Promise<number[]>} readAmong chooses those that were read
   */
  async noteRead(readAmong) {
    const unseen = (await this.#store.get("news"))?.unseen ?? []
    const read = unseen.length > 0 ? await readAmong(unseen) : []
    if (read.length > 0) await this.#change((news) => { news.unseen = news.unseen.filter((comic) => !read.includes(comic)) })
  }

  /**
   * @template T
   * @param {(news: import("./store.js").NewsState) => T} step
   */
  #change(step) {
    return this.#mutex.run(async () => {
      const news = (await this.#store.get("news")) ?? { samples: 0, latest: 0, unseen: [], announced: [] }
      const before = news.unseen.length
      const result = step(news)
      news.unseen = news.unseen.slice(-mostNews)
      news.announced = news.announced.slice(-mostNews)
      await this.#store.set("news", news)
      if (news.unseen.length !== before) await this.#badge(news.unseen.length)
      return result
    })
  }
}

/**
 * @param {import("./store.js").NewsState} news
 * @param {number} latest
 */
function addUnseen(news, latest) {
  for (let comic = Math.max(news.latest + 1, latest - mostNews); comic <= latest; comic += 1) {
    if (comic !== missingNumber) news.unseen.push(comic)
  }
  news.latest = Math.max(news.latest, latest)
}

/** @param {number} count */
export async function showBadge(count) {
  try {
    if (count > 0) await navigator.setAppBadge?.(count)
    else await navigator.clearAppBadge?.()
  } catch {
    // Not installed, or not allowed.
  }
}

/** Maximum time that a notification waits for its picture, in milliseconds. */
const timeout = 4_000

/** Minimum time between comparisons of the server's key, in milliseconds. */
const keyInterval = 24 * 3_600_000

/** Minimum time between periodic checks for new comics, in milliseconds. */
const newsInterval = 12 * 3_600_000

/**
 * The content of a push message; see docs/push.md.
 * @typedef {object} PushMessage
 * @property {boolean} [test]
 * @property {boolean} [confirms] whether it is the first message of a subscription
 * @property {number} [comic]
 * @property {number} [count]
 * @property {string} [title]
 * @property {string} [thumbnail]
 * @property {boolean} [hides] whether to blur the picture
 */

/** Shows notifications of new comics, and handles their actions. */
export class Notifications {
  #parts

  /**
   * @param {object} parts
   * @param {ServiceWorkerRegistration} parts.registration
   * @param {Clients} parts.clients
   * @param {import("./connection.js").Connection} parts.connection
   * @param {News} parts.news
   * @param {Pick<import("./store.js").Store, "get" | "set">} parts.store
   * @param {Pick<LockManager, "request">} parts.locks
   * @param {import("./archive.js").ArchiveUpdates} parts.archive
   * @param {import("./host.js").Host} parts.host
   * @param {import("./pictures.js").Pictures} parts.pictures
   * @param {import("./connection.js").Pages} parts.pages
   * @param {import("./requests.js").PageRequests} parts.requests
   * @param {string} parts.base the site's base path, or empty
   */
  constructor(parts) {
    this.#parts = parts
  }

  /** @param {PushMessageData | null} data */
  async receive(data) {
    const message = messageIn(data)
    if (message?.test) return this.#notify("Longbox", { body: "Notifications work. This one was a test.", tag: "test", data: { path: "/" } })
    if (message?.confirms) return this.#notify("Longbox", { body: "Notifications are on.", tag: "confirmation", data: { path: "/settings" } })
    const comic = message?.comic
    // Browsers require a notification for each push message, even for one that can't be read.
    if (!message || comic === undefined || !Number.isInteger(comic)) {
      return this.#notify("Longbox", { body: "There is something new.", tag: "news", data: { path: "/" } })
    }
    // A server that crashed while sending may send the same message twice. On a full device nothing can be noted.
    const isFirst = await this.#parts.news.noteAnnounced(comic).catch(() => true)
    const arrival = this.#fetchNews(comic).catch(() => {})
    if (isFirst) await this.#announce(comic, message)
    await arrival
  }

  /**
   * Handles a tap on a notification or on one of its actions.
   * @param {string} action empty for the notification itself
   * @param {{ comic?: number, path?: string } | undefined} data
   */
  async act(action, data) {
    const comic = data?.comic ?? 0
    if (action === "favorite") return this.#submit("/favorites/set", `comic=${comic}&on=yes`)
    if (action !== "later") return this.#openPage(data?.path ?? "/")
    await this.#submit("/read/set", `comic=${comic}&on=no`)
    await this.#parts.pictures.keepLatest(comic)
  }

  /**
   * Sends a changed subscription to the server: a browser may replace it at any time.
   * @param {{ oldSubscription?: PushSubscription | null, newSubscription?: PushSubscription | null }} event
   */
  async renewSubscription({ oldSubscription, newSubscription }) {
    const { connection, registration } = this.#parts
    let subscription = newSubscription ?? (await registration.pushManager.getSubscription())
    if (!subscription) {
      const { publicKey } = await (await connection.send("/api/push/key")).json()
      subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    }
    await this.#register(subscription, oldSubscription?.endpoint)
  }

  /**
   * Subscribes again if the server has another key than the one that the subscription was made with. Asks the server at most
   * once a day.
   * @param {number} [now]
   */
  async renewIfKeyChanged(now = Date.now()) {
    const { connection, registration, store, locks } = this.#parts
    const old = await registration.pushManager?.getSubscription()
    if (!old || !connection.isConnected) return
    const checked = (await store.get("keyChecked")) ?? 0
    if (checked <= now && now - checked < keyInterval) return
    const response = await connection.send("/api/push/key")
    if (!response.ok) return
    const { publicKey } = await response.json()
    if (!hasKey(old, publicKey)) {
      // Before an open page registers it, too: the server knows its place and its wishes by what it replaces.
      await renewed(registration.pushManager, publicKey, locks, { register: (made, replaces) => this.#register(made, replaces) })
    }
    await store.set("keyChecked", now)
  }

  /** Registers periodic checks for new comics, for devices without push. */
  async registerPeriodicCheck() {
    await this.#parts.registration.periodicSync?.register("news", { minInterval: newsInterval }).catch(() => {})
  }

  /**
   * @param {PushSubscription} subscription
   * @param {string | undefined} replaces the endpoint of the subscription before
   */
  async #register(subscription, replaces) {
    await this.#parts.connection.send("/api/push/subscriptions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...subscription.toJSON(), replaces }),
    })
  }

  /**
   * @param {number} comic
   * @param {PushMessage} message
   */
  async #announce(comic, { count, title, thumbnail, hides = false }) {
    const image = await within(timeout, this.#image(thumbnail, hides))
    if (count) {
      return this.#notify(`${count} new comics`, {
        body: `The newest is #${comic}.`, tag: "comics", data: { comic, path: "/comics?unread=1" }, ...(image ? { image } : {}),
      })
    }
    return this.#notify(title ? `#${comic} ${title}` : `#${comic}`, {
      body: "A new comic is out.",
      tag: `comic-${comic}`,
      data: { comic, path: `/${comic}/` },
      actions: [{ action: "favorite", title: "Favorite" }, { action: "later", title: "Read later" }],
      ...(image ? { image } : {}),
    })
  }

  /**
   * @param {string} title
   * @param {NotificationOptions} options
   */
  #notify(title, options) {
    const { registration, base } = this.#parts
    return registration.showNotification(title, { icon: `${base}/assets/icon-192.png`, ...options })
  }

  /**
   * Loads the thumbnail as a data URL, which needs no connection later.
   * @param {string | undefined} thumbnail
   * @param {boolean} isHidden whether to blur it
   */
  async #image(thumbnail, isHidden) {
    if (!thumbnail?.startsWith("/comics/")) return undefined
    const response = await this.#parts.connection.send(thumbnail)
    if (!response.ok) return undefined
    const picture = await response.blob()
    return dataURL(isHidden ? await blurred(picture) : picture)
  }

  /**
   * Fetches what a tap on the notification shows, so that it works offline.
   * @param {number} comic
   */
  async #fetchNews(comic) {
    const { archive, news, host, pictures } = this.#parts
    await archive.refresh().catch(() => {})
    await news.noteComic(comic)
    if ((await host.facts()).keepsComics) await pictures.keepLatest(comic)
  }

  /**
   * @param {string} path
   * @param {string} form
   */
  async #submit(path, form) {
    if (await this.#parts.requests.submit({ path, form })) await this.#parts.pages.broadcast({ kind: "changed" })
  }

  /** @param {string} path */
  async #openPage(path) {
    const { clients, base } = this.#parts
    const [open] = await clients.matchAll({ type: "window" })
    if (!open) {
      await clients.openWindow(base + path)
      return
    }
    const shown = (await open.navigate(base + path)) ?? open
    await shown.focus().catch(() => {})
  }
}

/**
 * @param {PushMessageData | null} data
 * @returns {PushMessage | null}
 */
function messageIn(data) {
  try {
    return data?.json() ?? null
  } catch {
    return null
  }
}

/**
 * Blurs a picture: scales it down to 12 pixels wide, then up smoothly, so that nothing is recognizable.
 * @param {Blob} picture
 */
async function blurred(picture) {
  const bitmap = await createImageBitmap(picture)
  /**
   * @param {ImageBitmap | OffscreenCanvas} source
   * @param {number} width
   */
  const draw = (source, width) => {
    const canvas = new OffscreenCanvas(width, Math.max(1, Math.round((width * bitmap.height) / bitmap.width)))
    const context = canvas.getContext("2d")
    if (!context) throw new Error("There is no canvas.")
    context.imageSmoothingQuality = "high"
    context.drawImage(source, 0, 0, canvas.width, canvas.height)
    return canvas
  }
  return draw(draw(bitmap, 12), 360).convertToBlob({ type: "image/png" })
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
function dataURL(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(String(reader.result)))
    reader.addEventListener("error", () => reject(reader.error))
    reader.readAsDataURL(blob)
  })
}
