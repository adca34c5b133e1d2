// Longbox
// SPDX-License-Identifier: MIT

import { singleFlight, within } from "./timing.js"

/** Number of concurrent picture downloads. */
const lanes = 4
/** How long a run lasts, in milliseconds. Then an open page sends a message, since browsers limit a worker's run time. */
const slice = 15_000

/** @typedef {import("./store.js").StoredDownload} Job */

/**
 * The download for offline use. It stores its job and compares with what is cached, so it resumes after the browser has
 * stopped the worker.
 */
export class Downloads {
  #parts

  /**
   * @param {object} parts
   * @param {import("./store.js").Store} parts.store
   * @param {Pick<import("./host.js").Host, "pictures">} parts.host
   * @param {Pick<import("./pictures.js").Pictures, "kept" | "absent" | "download">} parts.pictures
   * @param {{ store: import("./explanations.js").ExplanationStore,
   *   download: Pick<import("./explanations.js").ExplanationDownload, "run"> }} parts.explanations
   * @param {Pick<import("./connection.js").Connection, "send">} parts.connection
   * @param {Pick<import("./connection.js").Pages, "broadcast">} parts.pages
   */
  constructor(parts) {
    this.#parts = parts
  }

  /** The current job with its progress, or null. */
  async current() {
    const job = await this.#parts.store.get("download")
    return job ? this.#withProgress(job) : null
  }

  /** @param {import("../shared/messages.js").Selection} selection */
  async start(selection) {
    // Explanations may have been cleared since the progress was stored. Offline, the total is 0 until the connection is back.
    const total = selection === "explanations" ? (await this.explanationSizes().catch(() => null))?.count ?? 0 : 0
    await this.#change(() => ({ selection, state: "running", total }))
    // A run of another selection stops when it finds the new job.
    await this.settled()
    return this.run()
  }

  stop() {
    return this.#change(() => null)
  }

  /** Waits until the running download has ended. Call `stop` or store another job first. */
  async settled() {
    await this.#running.catch(() => {})
  }

  /** @type {Promise<void>} */
  #running = Promise.resolve()

  /** Continues the download for a while, if there is one. */
  run() {
    this.#running = this.#run()
    return this.#running
  }

  #run = singleFlight(async () => {
    const job = await this.#parts.store.get("download")
    if (job?.state !== "running" && job?.state !== "offline") return
    await (job.selection === "explanations" ? this.#downloadExplanations(job) : this.#downloadPictures(job, job.selection))
  })

  /**
   * @param {Job} job
   * @param {import("../shared/messages.js").PictureSelection} selection
   */
  async #downloadPictures(job, selection) {
    const [kept, absent] = await Promise.all([this.#parts.pictures.kept(), this.#parts.pictures.absent()])
    const pictures = await this.#parts.host.pictures(selection)
    const missing = pictures.filter(({ comic }) => !kept.has(comic) && !absent.has(comic))
    const total = pictures.length
    let [done, failed] = [pictures.filter(({ comic }) => kept.has(comic)).length, 0]
    /** @type {"offline" | "full" | "stopped" | null} */
    let ending = null
    const deadline = Date.now() + slice

    const lane = async () => {
      while (!ending && Date.now() < deadline) {
        const wanted = missing.shift()
        if (!wanted) return
        const outcome = await this.#parts.pictures.download(wanted)
        if (outcome === "kept") done += 1
        if (outcome === "failed") failed += 1
        if (outcome === "offline" || outcome === "full") ending = outcome
        if (!(await this.#isWanted(job))) ending ??= "stopped"
        if (!ending) this.#parts.pages.broadcast({ kind: "download", job: { ...described(job), state: "running", done, total } })
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))

    const end = /** @type {"offline" | "full" | "stopped" | null} */ (ending)
    if (end === "stopped") return
    await this.#end({ ...job, state: end ?? (missing.length > 0 ? "running" : "done"), failed })
  }

  /** @param {Job} job */
  async #downloadExplanations(job) {
    const { store, download } = this.#parts.explanations
    const deadline = Date.now() + slice
    let current = job
    /** @param {number} total */
    const report = async (total) => {
      current = { ...current, state: "running", total }
      await this.#note(current)
      return Date.now() < deadline
    }
    const ending = await download.run(async () => !(await this.#isWanted(job)), report)
    if (ending === "stopped") return
    if (ending !== "failed") return this.#end({ ...current, state: ending, failed: 0 })
    await this.#end({ ...current, state: "done", failed: Math.max(current.total - (await store.count()), 0) })
  }

  /**
   * Stores how a run has ended. If the download is not done, an open page sends a message, which continues it.
   * @param {Job} job
   */
  async #end(job) {
    await this.#note(job)
    if (job.state === "running") this.#parts.pages.broadcast({ kind: "continue" })
  }

  /** @param {Job} job */
  async #isWanted(job) {
    return isSame(job, await this.#parts.store.get("download"))
  }

  /**
   * Stores the progress of a job, unless it was stopped in the meantime.
   * @param {Job} job
   */
  #note(job) {
    return this.#change((current) => (isSame(job, current) ? job : current))
  }

  /** @param {(job: Job | null | undefined) => Job | null | undefined} step */
  async #change(step) {
    const job = (await this.#parts.store.change("download", step)) ?? null
    await this.#parts.pages.broadcast({ kind: "download", job: job && (await this.#withProgress(job)) })
  }

  /**
   * @param {Job} job
   * @returns {Promise<import("../shared/messages.js").DownloadJob>}
   */
  async #withProgress(job) {
    if (job.selection === "explanations") {
      return { ...described(job), total: job.total, done: await this.#parts.explanations.store.count() }
    }
    const pictures = await this.#parts.host.pictures(job.selection)
    const [kept, absent] = await Promise.all([this.#parts.pictures.kept(), this.#parts.pictures.absent()])
    const done = pictures.filter(({ comic }) => kept.has(comic)).length
    const gone = pictures.filter(({ comic }) => absent.has(comic) && !kept.has(comic)).length
    return { ...described(job), done, total: pictures.length, ...(gone ? { absent: gone } : {}) }
  }

  /**
   * Counts the explanations on the server and on this device.
   * @returns {Promise<import("../shared/messages.js").ExplanationSizes>}
   */
  async explanationSizes() {
    const { store } = this.#parts.explanations
    const [kept, progress] = await Promise.all([store.count(), store.progress()])
    const { explanations: all } = await (await this.#parts.connection.send("/device.json", { cache: "no-store" })).json()
    const missing = progress?.isComplete ? Math.max(all.count - kept, 0) : all.count
    return { count: all.count, size: all.size, kept, missing }
  }
}

/**
 * @param {Job} job
 * @param {Job | null | undefined} current
 */
const isSame = (job, current) => current?.selection === job.selection

/** @param {Job} job */
const described = ({ selection, state, failed }) => ({ selection, state, ...(failed === undefined ? {} : { failed }) })

/** Maximum time that clearing waits for a download to stop, in milliseconds. */
const timeout = 10_000

/** Measures and clears what is cached on this device. */
export class Storage {
  #parts
  /** @type {Promise<unknown>} */
  #clearing = Promise.resolve()

  /**
   * @param {object} parts
   * @param {import("./host.js").Host} parts.host
   * @param {import("./pictures.js").Pictures} parts.pictures
   * @param {import("./albums.js").Albums} parts.albums
   * @param {Downloads} parts.downloads
   * @param {import("./explanations.js").ExplanationStore} parts.explanations
   * @param {import("./archive.js").ArchiveUpdates} parts.archive
   * @param {import("./connection.js").Connection} parts.connection
   */
  constructor(parts) {
    this.#parts = parts
  }

  /**
   * The sizes; while the cache is being cleared, those after it.
   * @returns {Promise<import("../shared/messages.js").StorageSizes>}
   */
  async sizes() {
    await this.#clearing.catch(() => {})
    const { host, pictures, albums, downloads } = this.#parts
    const [kept, absent, facts] = await Promise.all([pictures.kept(), pictures.absent(), host.facts()])
    /** @param {import("./device.js").Picture[]} all */
    const sizesOf = (all) => {
      const lacking = all.filter(({ comic }) => !kept.has(comic))
      const missing = lacking.filter(({ comic }) => !absent.has(comic))
      return {
        count: all.length, size: sum(all), missing: missing.length, missingSize: sum(missing),
        unsized: missing.filter(({ size }) => size === 0).length, absent: lacking.length - missing.length,
      }
    }
    const everything = await host.pictures("everything")
    // Newest first, as the pictures are.
    const years = [...new Set(everything.map(({ year }) => year))].filter((year) => year > 0)
    return {
      years: years.map((year) => ({ year, ...sizesOf(everything.filter((picture) => picture.year === year)) })),
      sizes: {
        latest: sizesOf(await host.pictures("latest")),
        favorites: sizesOf(await host.pictures("favorites")),
        everything: sizesOf(everything),
        explanations: await downloads.explanationSizes().catch(() => null),
      },
      kept: kept.size,
      pictureSize: await pictures.size(),
      favorites: facts.favorites.filter((comic) => kept.has(comic)).length,
      albums: await albums.sizes(),
    }
  }

  /** Removes pictures and explanations except those of favorites, and fetches the archive again. */
  clear() {
    const cleared = this.#clear()
    this.#clearing = cleared
    return cleared
  }

  async #clear() {
    const { host, pictures, albums, downloads, explanations, archive, connection } = this.#parts
    await downloads.stop()
    // Downloads in progress must not be stored afterwards.
    await within(timeout, downloads.settled())
    const { favorites } = await host.facts()
    await pictures.clear(favorites)
    await albums.clearShown()
    await explanations.clear(favorites)
    await host.exclusively(() => host.drop())
    // Offline, the archive stays: no page works without it.
    if (connection.isConnected) await archive.refetch().catch(() => {})
  }
}

/** @param {import("./device.js").Picture[]} pictures */
const sum = (pictures) => pictures.reduce((total, { size }) => total + size, 0)
