// Longbox
// SPDX-License-Identifier: MIT

import { AsyncMutex } from "./timing.js"

/** Maximum length of each list of comics. */
const mostNews = 100

/** Tracks which comics are new to the reader, and shows their number on the app's badge. */
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
  noteViewed(comic) { return this.noteRead(async (other) => other === comic) }

  /**
   * Removes the comics that were read from those not viewed yet.
   * @param {(comic: number) => Promise<boolean>} isRead
   */
  async noteRead(isRead) {
    /** @type {number[]} */
    const read = []
    for (const comic of (await this.#store.get("news"))?.unseen ?? []) if (await isRead(comic)) read.push(comic)
    if (read.length > 0) await this.#change((news) => { news.unseen = news.unseen.filter((comic) => !read.includes(comic)) })
  }

  /**
   * @template T
   * @param {(news: import("./store.js").NewsState) => T} step
   */
  #change(step) {
    return this.#mutex.run(async () => {
      const news = (await this.#store.get("news")) ?? { samples: 0, latest: 0, unseen: [], announced: [] }
      const result = step(news)
      news.unseen = news.unseen.slice(-mostNews)
      news.announced = news.announced.slice(-mostNews)
      await this.#store.set("news", news)
      await this.#badge(news.unseen.length)
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
    // There is no comic 404.
    if (comic !== 404) news.unseen.push(comic)
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
