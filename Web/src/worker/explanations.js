// Longbox
// SPDX-License-Identifier: MIT

import { explanationAddress } from "../shared/addresses.js"
import { header, isSegment, mostDeltas } from "./archive.js"
import { Database } from "./store.js"

/** Maximum age of an explanation before a view fetches it again, in milliseconds. */
const maximumAge = 24 * 3_600_000

/** Explanations from this device, or else from the server. */
export class Explanations {
  #parts

  /**
   * @param {object} parts
   * @param {ExplanationStore} parts.store
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./connection.js").Pages} parts.pages
   * @param {Readonly<Record<string, string>>} parts.headers the headers of pages
   */
  constructor(parts) {
    this.#parts = parts
  }

  /**
   * The stored explanations of these comics; none if the database can't be read.
   * @param {readonly number[]} comics
   */
  async some(comics) {
    return this.#parts.store.some(comics).catch(() => [])
  }

  /**
   * @param {number} comic
   * @param {{ isOnline: boolean }} context
   * @returns {Promise<Explanation | null | undefined>} null if there is none,
   *   undefined if it can't be loaded now
   */
  async find(comic, { isOnline }) {
    const [kept] = await this.some([comic])
    return kept ?? (isOnline ? this.#fetch(comic) : undefined)
  }

  /**
   * Fetches the explanations of comics that are missing or old. After two failures in a row it leaves the others for later.
   * @param {readonly number[]} comics
   */
  async refresh(comics) {
    const kept = new Map((await this.#parts.store.some(comics)).map(({ comic, keptAt }) => [comic, keptAt]))
    let failures = 0
    for (const comic of comics.filter((number) => Date.now() - (kept.get(number) ?? 0) > maximumAge)) {
      if (!this.#parts.connection.isConnected || failures === 2) return
      failures = (await this.#fetch(comic)) === undefined ? failures + 1 : 0
    }
  }

  /**
   * Responds with an explanation as JSON; null if there is none or it can't be loaded now.
   * @param {FetchEvent} event
   * @param {number} comic
   */
  async respond(event, comic) {
    return Response.json((await this.#known(event, comic)) ?? null)
  }

  /**
   * Responds with the whole explanation as an HTML fragment.
   * @param {FetchEvent} event
   * @param {number} comic
   */
  async respondFragment(event, comic) {
    const known = await this.#known(event, comic)
    if (known?.whole) return this.#fragment(known.whole, 200)
    return this.#parts.connection.send(event.request)
      .catch(() => this.#fragment("<p>This explanation is not on this device yet.</p>", 503))
  }

  /**
   * @param {FetchEvent} event
   * @param {number} comic
   */
  async #known(event, comic) {
    const known = await this.find(comic, { isOnline: true })
    if (known) event.waitUntil(this.refresh([comic]).catch(() => {}))
    return known
  }

  /**
   * @param {string} html
   * @param {number} status
   */
  #fragment(html, status) {
    return new Response(`<article id="explanation"><h2>Explanation</h2>${html}</article>`, {
      status,
      headers: { ...this.#parts.headers, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    })
  }

  /**
   * @param {number} comic
   * @returns {Promise<Explanation | null | undefined>}
   */
  async #fetch(comic) {
    try {
      const response = await this.#parts.connection.send(explanationAddress(comic), { cache: "no-cache" })
      if (response.status === 404) return null
      if (!response.ok) return undefined
      const explanation = await response.json()
      await this.#parts.store.keep([explanation]).catch((error) => this.#parts.pages.noteFull(error))
      return explanation
    } catch {
      return undefined
    }
  }
}

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

/** Version of the explanation format; a new one makes devices download all explanations again. 2 added plain texts. */
const format = 2

/** @typedef {"done" | "stopped" | "running" | "offline" | "failed" | "full"} Ending how a run ended; "running" has more to fetch */

/** Downloads all explanations and their index, then only changes. */
export class ExplanationDownload {
  #parts

  /**
   * @param {object} parts
   * @param {ExplanationStore} parts.explanations
   * @param {Pick<import("./store.js").Store, "archive">} parts.store
   * @param {import("./connection.js").Connection} parts.connection
   * @param {import("./connection.js").Pages} parts.pages
   * @param {Pick<import("./host.js").Host, "drop" | "exclusively">} parts.host
   */
  constructor(parts) {
    this.#parts = parts
  }

  /** Fetches changes if all explanations were downloaded before. */
  async refresh() {
    const progress = await this.#parts.explanations.progress()
    // Clearing the cache removes the progress, which stops this run.
    if (progress?.isComplete) await this.run(async () => !(await this.#parts.explanations.progress()))
  }

  /**
   * Fetches new and changed explanations in chunks, from where the last run stopped.
   * @param {() => Promise<boolean>} isStopped called before each chunk is fetched and before it is stored
   * @param {(total: number) => Promise<boolean>} [report] called after each chunk; returns whether to fetch the next now
   * @returns {Promise<Ending>}
   */
  async run(isStopped, report = async () => true) {
    let progress = (await this.#parts.explanations.progress()) ?? { change: 0, samples: (await this.#parts.store.archive())?.samples ?? 0, format }
    if (progress.format !== format) progress = { ...progress, change: 0 }
    for (;;) {
      if (await isStopped()) return "stopped"
      let chunk
      try {
        const query = `since=${progress.change}&samples=${progress.samples}`
        const response = await this.#parts.connection.send(`/explanations?${query}`, { cache: "no-cache" })
        if (!response.ok) return "failed"
        chunk = await response.json()
      } catch {
        return "offline"
      }
      if (await isStopped()) return "stopped"
      const samples = chunk.samples ? 1 : 0
      if (samples !== progress.samples) await this.#parts.explanations.clear()
      progress = { change: chunk.change, samples, format, isComplete: chunk.isLast || progress.isComplete === true }
      try {
        await this.#parts.explanations.keep(chunk.explanations, progress)
      } catch (error) {
        this.#parts.pages.noteFull(error)
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
    const known = (await this.#parts.explanations.index()) ?? []
    const headers = known.map(header)
    const mergesDeltas = known.length > mostDeltas
    const since = (mergesDeltas ? headers[0] : headers.at(-1))?.revision ?? 0
    let segment
    try {
      const query = `since=${since}&rules=${headers[0]?.rules ?? 0}&samples=${headers[0]?.samples ?? 0}`
      const response = await this.#parts.connection.send(`/explanations/index?${query}`, { cache: "no-cache" })
      if (!response.ok) return "failed"
      if (response.status === 204) return "done"
      segment = await response.arrayBuffer()
      if (!isSegment(segment)) return "failed"
    } catch {
      return "offline"
    }
    const before = header(segment).base === 0 ? [] : mergesDeltas ? known.slice(0, 1) : known
    try {
      await this.#parts.explanations.keepIndex([...before, segment])
    } catch (error) {
      this.#parts.pages.noteFull(error)
      return "full"
    }
    // The next device starts with the new index.
    await this.#parts.host.exclusively(() => this.#parts.host.drop())
    return "done"
  }
}
