// Longbox
// SPDX-License-Identifier: MIT

import { within } from "./timing.js"

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
   * @param {import("./downloads.js").Downloads} parts.downloads
   * @param {import("./explanation-store.js").ExplanationStore} parts.explanations
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
