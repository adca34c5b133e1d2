// Longbox
// SPDX-License-Identifier: MIT

import { explanationPath, picturePath } from "../shared/addresses.js"

/** How long `device.json` is used for pictures before it is fetched again, in milliseconds. */
const maximumAge = 5 * 60_000

/**
 * The files of an archive or an index, with their paths.
 * @typedef {{ revision: number, rules: number, whole: string, deltas: Record<string, string> }} Segments
 */
/**
 * The files that a static copy's `device.json` lists.
 * @typedef {object} Files
 * @property {Segments} archive
 * @property {Segments} index
 * @property {number} packLength the number of comics in a pack of explanations
 * @property {Record<string, { file: string, change: number }>} packs
 * @property {number[]} jpeg the comics whose picture is a JPEG
 * @property {number[]} gif
 */
/** @typedef {{ copy: Files, archive: { samples: boolean }, explanations: { count: number } }} Manifest */

/**
 * Responds to requests for a server's addresses from the files of a static copy (`longbox publish`), so that most of
 * the worker doesn't know of it. Some parts do: there is no sync, forms stay on the device, and files have no tags of ours.
 */
export class StaticCopy {
  #base
  #assets
  /** @type {Manifest | null} */
  #manifest = null
  #readAt = 0

  /** @param {{ base: string, assets: string }} build */
  constructor({ base, assets }) {
    this.#base = base
    this.#assets = assets
  }

  /**
   * Throws if the host can't be reached, as `fetch` does.
   * @param {RequestInfo} request a path is without the base path
   * @param {RequestInit} [options]
   * @returns {Promise<Response>}
   */
  send = async (request, options) => {
    const { pathname, search } = typeof request === "string"
      ? new URL(request, "https://copy.invalid") : withoutBase(request, this.#base)
    const query = new URLSearchParams(search)
    const number = Number(explanationPath.exec(pathname)?.[1] ?? 0)
    if (number) return this.#explanation(number)
    switch (pathname) {
      case "/archive": return this.#segment(({ archive }) => archive, query)
      case "/explanations/index": return this.#segment(({ index }) => index, query)
      case "/explanations": return this.#explanations(query)
    }
    const asset = /^\/assets\/([^/]+)$/.exec(pathname)?.[1]
    if (asset) return this.#fetch(`/assets/${this.#assets}/${asset}`)
    const picture = picturePath.exec(pathname)
    if (picture) return this.#picture(Number(picture[1]), picture[2] ?? "", query.get("v") ?? "")
    return typeof request === "string" ? this.#fetch(request, options) : whole(await fetch(request, options))
  }

  /**
   * @param {string} path
   * @param {RequestInit} [options]
   */
  async #fetch(path, options) { return whole(await fetch(this.#base + path, options)) }

  async #files() {
    const response = await this.#fetch("/device.json", { cache: "no-cache" })
    if (!response.ok) throw new TypeError(`/device.json responded with ${response.status}`)
    // The response may be the network's sign-in page (a captive portal).
    const manifest = /** @type {Manifest | null} */ (await response.json().catch(() => null))
    if (!manifest?.copy) throw new TypeError("/device.json is not the manifest of a static copy.")
    this.#manifest = manifest
    this.#readAt = Date.now()
    return manifest
  }

  async #filesForPictures() {
    return this.#manifest && Date.now() - this.#readAt < maximumAge ? this.#manifest : this.#files()
  }

  /**
   * The delta for a copy of a segment, or the whole; 204 if the copy is current.
   * @param {(files: Files) => Segments} choose
   * @param {URLSearchParams} query as the server's `/archive` has it
   */
  async #segment(choose, query) {
    const manifest = await this.#files()
    const { revision, rules, whole, deltas } = choose(manifest.copy)
    const since = Number(query.get("since") ?? 0)
    const isAlike = since > 0 && Number(query.get("rules")) === rules
      && Number(query.get("samples") ?? 0) === (manifest.archive.samples ? 1 : 0)
    if (isAlike && since === revision) return new Response(null, { status: 204 })
    const response = await this.#fetch(`/${(isAlike && deltas[since]) || whole}`)
    return response.ok ? unzipped(response) : response
  }

  /**
   * The next explanations that have changed: those of one pack, as the server's `/explanations`.
   *
   * Packs are sorted by their last change, so a device that has everything up to a change has each explanation of the
   * packs before it.
   * @param {URLSearchParams} query
   */
  async #explanations(query) {
    const { copy, archive: { samples }, explanations: { count } } = await this.#files()
    const isAlike = Number(query.get("samples") ?? 0) === (samples ? 1 : 0)
    const all = Object.values(copy.packs).toSorted((one, other) => one.change - other.change)
    const known = isAlike && Number(query.get("since")) <= (all.at(-1)?.change ?? 0) ? Number(query.get("since")) : 0
    const due = all.filter(({ change }) => change > known)
    const next = due[0]
    if (!next) return Response.json({ samples, count, change: known, isLast: true, explanations: [] })
    const response = await this.#fetch(`/${next.file}`)
    if (!response.ok) return response
    return Response.json({
      samples, count, change: next.change, isLast: due.length === 1, explanations: await response.json(),
    })
  }

  /**
   * One explanation, as the server's `/explanations/353`.
   * @param {number} comic
   */
  async #explanation(comic) {
    const { copy } = await this.#files()
    const pack = copy.packs[Math.floor((comic - 1) / copy.packLength)]
    if (!pack) return new Response(null, { status: 404 })
    const response = await this.#fetch(`/${pack.file}`)
    if (!response.ok) return response
    const found = (await response.json()).find((/** @type {{ comic: number }} */ one) => one.comic === comic)
    return found ? Response.json(found) : new Response(null, { status: 404 })
  }

  /**
   * @param {number} comic
   * @param {string} kind
   * @param {string} version
   */
  async #picture(comic, kind, version) {
    if (!version) return new Response(null, { status: 404 })
    if (kind === "thumbnail") return this.#fetch(`/thumbnails/${comic}-${version}.webp`)
    const { copy } = await this.#filesForPictures()
    const ending = copy.jpeg.includes(comic) ? "jpg" : copy.gif.includes(comic) ? "gif" : "png"
    return this.#fetch(`/pictures/${comic}-${version}${kind === "image@2x" ? "@2x" : ""}.${ending}`)
  }
}

/**
 * The server's address for a file of a static copy. Hosts add a slash to the path of a folder; this removes it.
 * @param {URL} url without the base path
 */
export function useServersAddress(url) {
  const [, folder, comic, version = "", double, ending] =
    /^\/(pictures|thumbnails)\/(\d+)-([0-9a-f]+)(@2x)?\.(\w+)$/.exec(url.pathname) ?? []
  if (folder && ending) {
    url.pathname = `/comics/${comic}/${folder === "thumbnails" ? "thumbnail" : double ? "image@2x" : "image"}`
    url.searchParams.set("v", version)
    return
  }
  const path = url.pathname.replace(/\/index\.html$/, "/")
  url.pathname = path === "/" || /^\/\d+\/$/.test(path) ? path : path.replace(/\/$/, "")
}

/**
 * @param {Request} request
 * @param {string} base
 */
function withoutBase(request, base) {
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(base.length)
  return url
}

/**
 * Throws for a 5xx status: a host of files fails only if a part of it can't be reached.
 * @param {Response} response
 */
function whole(response) {
  if (response.status >= 500) throw new TypeError(response.statusText)
  return response
}

/**
 * The bytes of a file that was gzipped when it was published. Some hosts tell browsers to unpack it.
 * @param {Response} response
 */
async function unzipped(response) {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new Response(bytes)
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")))
}
