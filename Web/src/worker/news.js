// Longbox
// SPDX-License-Identifier: MIT

import { AsyncMutex } from "./timing.js"

/** How many comics each list of news holds at most. */
const mostNews = 100

/** Which comics are new to the reader. The badge of the installed app shows how many. */
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
   * Notes that the archive has changed. What was there at first is no news, and the sample box has none.
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
   * Notes that a notification came for a comic.
   * @param {number} comic
   * @returns {Promise<boolean>} whether it is the first one for that comic
   */
  noteAnnounced(comic) {
    return this.#change((news) => {
      if (news.announced.includes(comic)) return false
      news.announced.push(comic)
      return true
    })
  }

  /**
   * Notes that a comic is out, whether or not the archive has it.
   * @param {number} comic
   */
  noteComic(comic) {
    return this.#change((news) => { if (!news.samples) addUnseen(news, comic) })
  }

  /**
   * Notes that somebody looks at a comic.
   * @param {number} comic
   */
  async noteViewed(comic) {
    if (!(await this.#store.get("news"))?.unseen.includes(comic)) return
    await this.#change((news) => { news.unseen = news.unseen.filter((other) => other !== comic) })
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

/**
 * Shows a number on the icon of the installed app.
 * @param {number} count
 */
export async function showBadge(count) {
  try {
    if (count > 0) await navigator.setAppBadge?.(count)
    else await navigator.clearAppBadge?.()
  } catch {
    // Not installed, or not allowed.
  }
}
