// Longbox
// SPDX-License-Identifier: MIT

import { Database } from "../shared/database.js"

/**
 * An explanation as the server sends it: two pieces of HTML, and its plain text, which those stored by earlier versions
 * lack.
 * @typedef {{ comic: number, beginning: string, whole: string, text?: string }} Explanation
 */
/** @typedef {Explanation & { keptAt: number }} KeptExplanation */
/**
 * The progress of the download of all explanations; `format` is the format version that it fetched.
 * @typedef {{ change: number, samples: number, format?: number, isComplete?: boolean }} DownloadedUntil
 */

export class ExplanationStore {
  #database
  /**
   * The comics with a stored explanation, so that the database isn't asked for others.
   * @type {Promise<Set<number>> | null}
   */
  #comics = null

  /**
   * @param {IDBFactory} databases
   * @param {string} [base] the site's base path
   */
  constructor(databases, base = "") {
    this.#database = new Database(`longbox-explanations${base}`, (database) => {
      database.createObjectStore("texts", { keyPath: "comic" })
      database.createObjectStore("state")
    }, databases)
  }

  comics() {
    this.#comics ??= this.#database.transaction(["texts"], "readonly", (texts) => {
      const request = texts.getAllKeys()
      return () => new Set(request.result.map(Number))
    }).catch((error) => {
      this.#comics = null
      throw error
    })
    return this.#comics
  }

  /**
   * The stored explanations of these comics.
   * @param {readonly number[]} comics
   * @returns {Promise<KeptExplanation[]>}
   */
  async some(comics) {
    const known = await this.comics()
    const kept = comics.filter((comic) => known.has(comic))
    if (kept.length === 0) return []
    return this.#database.transaction(["texts"], "readonly", (texts) => {
      const requests = kept.map((comic) => texts.get(comic))
      return () => requests.map(({ result }) => result).filter(Boolean)
    })
  }

  async count() {
    return (await this.comics()).size
  }

  /** @returns {Promise<DownloadedUntil | undefined>} */
  progress() { return this.#state("progress") }

  /**
   * The index of explanations, for search: a whole segment and its deltas.
   * @returns {Promise<ArrayBuffer[] | undefined>}
   */
  index() { return this.#state("index") }

  /** @param {ArrayBuffer[] | undefined} segments */
  keepIndex(segments) {
    return this.#database.transaction(["state"], "readwrite", (state) => {
      state.put(segments, "index")
      return () => {}
    })
  }

  /**
   * Stores explanations, and the progress if they are part of the download of all.
   * @param {readonly Explanation[]} explanations
   * @param {DownloadedUntil} [progress]
   */
  async keep(explanations, progress) {
    await this.#database.transaction(["texts", "state"], "readwrite", (texts, state) => {
      for (const explanation of explanations) texts.put({ ...explanation, keptAt: Date.now() })
      if (progress) state.put(progress, "progress")
      return () => {}
    })
    const known = await this.comics()
    for (const { comic } of explanations) known.add(comic)
  }

  /**
   * Removes the index, the progress, and all explanations except those of some comics.
   * @param {readonly number[]} [except]
   */
  async clear(except = []) {
    await this.#database.transaction(["texts", "state"], "readwrite", (texts, state) => {
      const keys = texts.getAllKeys()
      keys.onsuccess = () => {
        for (const comic of keys.result) if (!except.includes(Number(comic))) texts.delete(comic)
      }
      state.clear()
      return () => {}
    })
    this.#comics = null
  }

  /** @param {string} name */
  #state(name) {
    return this.#database.transaction(["state"], "readonly", (state) => {
      const request = state.get(name)
      return () => request.result
    })
  }
}
