// Longbox
// SPDX-License-Identifier: MIT

import { singleFlight } from "./timing.js"

/** How long other requests have to show whether the server is reached before it is asked for that alone, in milliseconds. */
const grace = 500
/** The maximum wait for the server's answer to that, in milliseconds. A network may swallow requests for minutes. */
const longestSilence = 5_000

/** Background work: after a request, when a page is opened, and periodically. */
export class Background {
  #parts

  /**
   * @param {object} parts
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./host.js").Host} parts.host
   * @param {import("./sync.js").LibrarySync} parts.sync
   * @param {import("./archive.js").ArchiveUpdates} parts.archive
   * @param {import("./pictures.js").Pictures} parts.pictures
   * @param {import("./albums.js").Albums} parts.albums
   * @param {import("./explanations.js").Explanations} parts.explanations
   * @param {import("./explanations.js").ExplanationDownload} parts.explanationDownload
   * @param {import("./downloads.js").Downloads} parts.downloads
   * @param {import("./news.js").News} parts.news
   */
  constructor(parts) {
    this.#parts = parts
  }

  /**
   * Follows up on a response: syncs, and refreshes what the page showed.
   * @param {import("./device.js").DeviceRequest} request
   * @param {import("./respond.js").Outcome} outcome
   */
  async after({ form = null }, { response, needs }) {
    const { connection, sync, archive, albums, news } = this.#parts
    const steps = []
    if (response?.viewed) steps.push(news.noteViewed(response.viewed))
    if (response?.isLibraryChanged && form !== null) steps.push(this.#noteRead())
    if (response?.isLibraryChanged) steps.push(sync.runOrWait())
    if (connection.isConnected) {
      if (form !== null) steps.push(this.keepFavorites(), albums.keepSaved())
      if (needs.some(({ kind }) => ["latest", "comic", "picture"].includes(kind))) steps.push(archive.refreshIfDue())
      steps.push(this.#refreshExplanations(needs))
    }
    await Promise.allSettled(steps)
  }

  /** Follows up on a sync that has changed the library. */
  async afterSync() {
    await Promise.allSettled([this.keepFavorites(), this.#parts.albums.keepSaved(), this.#noteRead()])
  }

  /** Called when a page is opened. */
  async pageOpened() {
    const { connection, sync, archive, downloads } = this.#parts
    if (!connection.isConnected) return
    await Promise.allSettled([sync.run(), sync.lookForLibraryIfDue(), archive.refreshIfDue(), downloads.run()])
  }

  /** Called every 15 minutes, and when the connection is back. */
  async catchUp() {
    const { connection, sync, archive, downloads, albums, explanationDownload } = this.#parts
    if (!connection.isConnected) return
    await Promise.allSettled([
      sync.run(), archive.refresh(), downloads.run(), this.keepFavorites(), albums.clearUnsaved(), albums.keepSaved(),
      explanationDownload.refresh(),
    ])
  }

  /** Checks whether the server can be reached again, and whether this device is signed in. */
  async probe() {
    const { connection } = this.#parts
    if (!connection.isOnline) return
    const wasConnected = connection.isKnown && connection.isConnected
    await connection.send("/device.json", { cache: "no-store" })
    if (!wasConnected) await this.catchUp()
  }

  /**
   * Finds out whether the server can be reached, unless that is known soon. A worker that has just started shows pages of this
   * device without asking anyone, and they would look connected.
   */
  async learnConnection() {
    const { connection } = this.#parts
    if (connection.isKnown) return
    await new Promise((resolve) => { setTimeout(resolve, grace) })
    if (connection.isKnown || !connection.isOnline) return
    await connection.send("/device.json", { cache: "no-store", signal: AbortSignal.timeout(longestSilence) })
  }

  /** Fetches missing pictures and explanations of favorites. */
  keepFavorites = singleFlight(async () => {
    const { connection, host, explanations, pictures } = this.#parts
    if (!connection.isConnected) return
    await explanations.refresh((await host.facts()).favorites)
    await pictures.keepFavorites()
  })

  /** Takes the comics off the badge that were marked as read, here or on another device. */
  #noteRead() {
    const { news, host } = this.#parts
    return news.noteRead((comics) => host.readAmong(comics))
  }

  /**
   * Caches the explanations on a page; those shown only in part, if the reader keeps comics.
   * @param {import("./device.js").Need[]} needs
   */
  async #refreshExplanations(needs) {
    const { host, explanations } = this.#parts
    const shown = needs.filter(({ kind }) => kind === "explanation" || kind === "explanationLead")
    if (shown.length === 0) return
    const { keepsComics } = await host.facts()
    const kept = shown.filter(({ kind }) => kind === "explanation" || keepsComics)
    if (kept.length > 0) await explanations.refresh(kept.map(({ key }) => Number(key)))
  }
}
