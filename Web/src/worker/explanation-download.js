// Longbox
// SPDX-License-Identifier: MIT

import { header, isSegment, mostDeltas } from "./segment.js"

/** Version of the explanation format; a new one makes devices download all explanations again. 2 added plain texts. */
const format = 2

/** @typedef {"done" | "stopped" | "running" | "offline" | "failed" | "full"} Ending how a run ended; "running" has more to fetch */

/** Downloads all explanations and their index, then only changes. */
export class ExplanationDownload {
  #explanations
  #store
  #connection
  #pages
  #host

  /**
   * @param {object} parts
   * @param {import("./explanation-store.js").ExplanationStore} parts.explanations
   * @param {Pick<import("./store.js").Store, "archive">} parts.store
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./pages.js").Pages} parts.pages
   * @param {Pick<import("./host.js").Host, "drop" | "exclusively">} parts.host
   */
  constructor({ explanations, store, connection, pages, host }) {
    this.#explanations = explanations
    this.#store = store
    this.#connection = connection
    this.#pages = pages
    this.#host = host
  }

  /** Fetches changes if all explanations were downloaded before. */
  async refresh() {
    const progress = await this.#explanations.progress()
    // Clearing the cache removes the progress, which stops this run.
    if (progress?.isComplete) await this.run(async () => !(await this.#explanations.progress()))
  }

  /**
   * Fetches new and changed explanations in chunks, from where the last run stopped.
   * @param {() => Promise<boolean>} isStopped called before each chunk is fetched and before it is stored
   * @param {(total: number) => Promise<boolean>} [report] called after each chunk; returns whether to fetch the next now
   * @returns {Promise<Ending>}
   */
  async run(isStopped, report = async () => true) {
    let progress = (await this.#explanations.progress()) ?? { change: 0, samples: (await this.#store.archive())?.samples ?? 0, format }
    if (progress.format !== format) progress = { ...progress, change: 0 }
    for (;;) {
      if (await isStopped()) return "stopped"
      let chunk
      try {
        const query = `since=${progress.change}&samples=${progress.samples}`
        const response = await this.#connection.send(`/explanations?${query}`, { cache: "no-cache" })
        if (!response.ok) return "failed"
        chunk = await response.json()
      } catch {
        return "offline"
      }
      if (await isStopped()) return "stopped"
      const samples = chunk.samples ? 1 : 0
      if (samples !== progress.samples) await this.#explanations.clear()
      progress = { change: chunk.change, samples, format, isComplete: chunk.isLast || progress.isComplete === true }
      try {
        await this.#explanations.keep(chunk.explanations, progress)
      } catch (error) {
        this.#pages.noteFull(error)
        return "full"
      }
      const goesOn = await report(chunk.count)
      if (chunk.isLast) return this.refreshIndex()
      if (!goesOn) return "running"
    }
  }

  /**
   * Updates the index of explanations with a delta or a whole segment.
   * @returns {Promise<Exclude<Ending, "stopped" | "running">>}
   */
  async refreshIndex() {
    const known = (await this.#explanations.index()) ?? []
    const headers = known.map(header)
    const mergesDeltas = known.length > mostDeltas
    const since = (mergesDeltas ? headers[0] : headers.at(-1))?.revision ?? 0
    let segment
    try {
      const query = `since=${since}&rules=${headers[0]?.rules ?? 0}&samples=${headers[0]?.samples ?? 0}`
      const response = await this.#connection.send(`/explanations/index?${query}`, { cache: "no-cache" })
      if (!response.ok) return "failed"
      if (response.status === 204) return "done"
      segment = await response.arrayBuffer()
      if (!isSegment(segment)) return "failed"
    } catch {
      return "offline"
    }
    const before = header(segment).base === 0 ? [] : mergesDeltas ? known.slice(0, 1) : known
    try {
      await this.#explanations.keepIndex([...before, segment])
    } catch (error) {
      this.#pages.noteFull(error)
      return "full"
    }
    // The next device starts with the new index.
    await this.#host.exclusively(() => this.#host.drop())
    return "done"
  }
}
