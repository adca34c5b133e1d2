// Longbox
// SPDX-License-Identifier: MIT

import { coverPath, explanationFragmentPath, explanationPath, picturePath } from "../shared/addresses.js"
import { DamagedArchive } from "./device.js"
import { useServersAddress } from "./static-copy.js"
import { within } from "./timing.js"

/**
 * @typedef {{ mode: string, method: string, accept: string | null, path: string }} Requested what routing depends on
 */
/** @typedef {(event: FetchEvent, url: URL) => Promise<Response>} Handler */
/** @typedef {"page" | "fragment" | "explanation" | "cover" | "picture" | "asset"} HandlerName */

/**
 * The handler of a request is the first row that matches; for "browser" the worker does not respond. The request loop
 * responds for all pages; the rest are files.
 * @type {readonly [(requested: Requested) => boolean, HandlerName | "browser"][]}
 */
const table = [
  [({ mode, path }) => mode === "navigate" && isFile(path), "browser"],
  [({ mode, method }) => mode === "navigate" && (method === "GET" || method === "POST"), "page"],
  [({ mode }) => mode === "navigate", "browser"],
  // Scripts fetch a page to show in place, or submit a form.
  [({ accept }) => accept === "text/html", "page"],
  [({ method }) => method !== "GET", "browser"],
  [({ path }) => path === "/search" || path === "/settings/export", "page"],
  [({ path }) => explanationFragmentPath.test(path), "fragment"],
  [({ path }) => explanationPath.test(path), "explanation"],
  [({ path }) => coverPath.test(path), "cover"],
  [({ path }) => picturePath.test(path), "picture"],
  [({ path }) => path.startsWith("/assets/") || path === "/manifest.webmanifest", "asset"],
]

/**
 * Whether a path is a file that a reader may open in a tab, or what only the server makes for frames. All other navigations are pages.
 * @param {string} path
 */
const isFile = (path) => picturePath.test(path) || coverPath.test(path) || /^\/(assets\/|embed\/|healthz$)|\.\w+$/.test(path)

/**
 * @param {Requested} requested
 * @returns {HandlerName | "browser"}
 */
export function handlerOf(requested) {
  return table.find(([fits]) => fits(requested))?.[1] ?? "browser"
}

/**
 * Responds to a request, unless it is for the browser. Handlers get its address without the base path.
 * @param {FetchEvent} event
 * @param {Readonly<Record<HandlerName, Handler>>} handlers
 * @param {{ origin: string, base: string, isCopy?: boolean }} site
 */
export function route(event, handlers, { origin, base, isCopy = false }) {
  const { request } = event
  if (!request.url.startsWith(`${origin}${base}/`)) return
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(base.length)
  if (isCopy) useServersAddress(url)
  const name = handlerOf({
    mode: request.mode, method: request.method, accept: request.headers.get("accept"), path: url.pathname,
  })
  if (name !== "browser") event.respondWith(handlers[name](event, url))
}

/** Maximum time that a request to the server waits for a sync, in milliseconds. */
const timeout = 3_000
/** The maximum number of bytes read from a form: one more than an import may have. */
const mostBytes = (8 << 20) + 1
/** The maximum number of redirects that are followed here; then the browser goes on. */
const mostFollowed = 5

/** Responds to page requests and forms: by the device, else by the server, else with an error page. */
export class PageRequests {
  #parts

  /**
   * @param {object} parts
   * @param {Pick<import("./respond.js").RequestLoop, "respond">} parts.loop
   * @param {import("./background.js").Background} parts.background
   * @param {Pick<import("./host.js").Host, "facts">} parts.host
   * @param {Pick<import("./sync.js").LibrarySync, "run" | "runOrWait">} parts.sync
   * @param {Pick<import("./albums.js").Albums, "renew" | "expire">} parts.albums
   * @param {Pick<import("./archive.js").ArchiveUpdates, "refetch">} parts.archive
   * @param {Pick<import("./connection.js").Connection, "send">} parts.connection
   * @param {Readonly<Record<string, string>>} parts.headers the headers of pages
   * @param {string} parts.origin
   * @param {string} parts.base the site's base path, or empty
   * @param {boolean} [parts.isCopy] whether the site is a static copy, which takes no forms and makes no pages
   */
  constructor(parts) {
    this.#parts = parts
  }

  /**
   * @param {Pick<FetchEvent, "request" | "waitUntil">} event
   * @param {URL} url
   * @param {number} [followed] the number of redirects that have led here
   * @returns {Promise<Response>}
   */
  async respond(event, url, followed = 0) {
    const { request } = event
    const { loop, background, archive, origin, base, isCopy } = this.#parts
    // A form from another site's page: the server checks its origin and rejects it.
    if (request.method === "POST" && !request.referrer.startsWith(`${origin}${base}/`)) return this.#passOn(request)
    const copy = request.clone()
    try {
      const deviceRequest = {
        path: url.pathname,
        query: url.search.slice(1),
        form: request.method === "POST" ? await formOf(request) : null,
        isPrefetch: request.headers.get("purpose") === "prefetch",
      }
      let outcome = await loop.respond(deviceRequest)
      if (outcome.isForServer && !(isCopy && deviceRequest.form !== null)) {
        const response = await this.#passOn(copy).catch(() => null)
        if (response) {
          if (response.ok) event.waitUntil(Promise.allSettled(outcome.afterwards.map((step) => step())))
          return response
        }
        outcome = await loop.respond(deviceRequest, { isOffline: true })
      }
      if (!outcome.response) throw new Error("The device has no response.")
      if (!deviceRequest.isPrefetch) event.waitUntil(background.after(deviceRequest, outcome))
      const { location } = outcome.response
      // Not awaited here: if that fails, a form must not be sent again.
      const isFollowing = isFollowed(request, location) && followed < mostFollowed
      return isFollowing ? this.#follow(event, location, followed + 1) : this.#response(outcome.response)
    } catch (error) {
      console.warn("Longbox could not respond on the device:", error)
      if (error instanceof DamagedArchive) event.waitUntil(archive.refetch().catch(() => {}))
      return this.#passOn(copy).catch(() => this.#errorPage())
    }
  }

  /**
   * Responds to a script with the page that a redirect leads to; `content-location` is its path. Firefox logs an error for a
   * redirect by a worker, although it follows it.
   * @param {Pick<FetchEvent, "request" | "waitUntil">} event
   * @param {string} location
   * @param {number} followed
   */
  async #follow(event, location, followed) {
    const { origin, base } = this.#parts
    const request = new Request(origin + base + location, { headers: event.request.headers })
    const response = await this.respond({ request, waitUntil: (step) => event.waitUntil(step) }, new URL(location, origin), followed)
    if (response.url) return response
    // The headers of a redirect can't be changed.
    const { body, status, headers } = response
    const followedResponse = new Response(body, { status, headers })
    if (!headers.has("content-location")) followedResponse.headers.set("content-location", base + location)
    return followedResponse
  }

  /**
   * Submits a form as a page would.
   * @param {{ path: string, form: string }} deviceRequest
   * @returns {Promise<boolean>} whether the library has changed
   */
  async submit(deviceRequest) {
    const { loop, background } = this.#parts
    const outcome = await loop.respond(deviceRequest)
    await background.after(deviceRequest, outcome)
    return outcome.response?.isLibraryChanged ?? false
  }

  /**
   * Notes a view of a comic, and syncs it if this reader has a library on the server.
   * @param {number} comic
   * @param {boolean} keepsPlace whether the reader's place stays where it is
   */
  async noteView(comic, keepsPlace) {
    const { loop, sync } = this.#parts
    const form = `comic=${comic}${keepsPlace ? "&place=keep" : ""}`
    const { response } = await loop.respond({ path: "/read/viewed", form })
    if (response?.isLibraryChanged) await sync.runOrWait()
  }

  /**
   * Forwards a request to the server. Sends unsent edits first; after a form, fetches what it changed on the server.
   * @param {Request} request
   */
  async #passOn(request) {
    const { host, sync, albums, connection, origin, base } = this.#parts
    if ((await host.facts().catch(() => null))?.isDueForSync) await within(timeout, sync.run())
    const { method, referrer } = request
    const response = await connection.send(request)
    if (method === "POST") {
      // The settings of albums hold for all of them, which are fetched again after the sync.
      if (new URL(request.url).pathname === `${base}/albums/settings`) await within(timeout, albums.expire())
      await within(timeout, sync.run({ isForced: true }))
      // The form may have changed the cached album page that it was on.
      if (referrer.startsWith(`${origin}${base}/`)) await within(timeout, albums.renew(new URL(referrer).pathname.slice(base.length)))
    }
    return response
  }

  /** @param {import("./device.js").DeviceResponse} response */
  #response({ status, location, body, isFile }) {
    const { headers, origin, base } = this.#parts
    if (location) return Response.redirect(location.startsWith("/") ? origin + base + location : location, status)
    const kind = isFile
      ? { "content-type": "application/json; charset=utf-8", "content-disposition": 'attachment; filename="longbox-library.json"' }
      : { "content-type": "text/html; charset=utf-8" }
    return new Response(body, { status, headers: { ...headers, ...kind, "cache-control": "no-cache" } })
  }

  /** The error page if neither the device nor the server can respond. */
  #errorPage() {
    const { headers, base } = this.#parts
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Longbox</title><link rel="stylesheet" href="${base}/assets/style.css"><body class="message-page"><main class="message">
      <h1>That did not work</h1><p role="alert">Longbox could not open what is stored on this device, and there is no connection
      to fetch it again. Your favorites are safe. Load this page again when you are back online.</p>
      <p><a href="${base}/">Try again</a></p></main>`
    return new Response(html, { status: 503, headers: { ...headers, "content-type": "text/html; charset=utf-8" } })
  }
}

/**
 * Whether a redirect is followed here: a script asked, and doesn't want to see the redirect.
 * @param {Request} request
 * @param {string} location
 */
const isFollowed = ({ mode, redirect }, location) => location.startsWith("/") && mode !== "navigate" && redirect === "follow"

/**
 * The form in a request; one with a file as bytes.
 * @param {Request} request
 */
async function formOf(request) {
  if (!request.headers.get("content-type")?.startsWith("multipart/form-data")) return request.text()
  return new Uint8Array(await (await request.blob()).slice(0, mostBytes).arrayBuffer())
}
