// Longbox
// SPDX-License-Identifier: MIT

import { coverPath, explanationFragmentPath, explanationPath, picturePath } from "../shared/addresses.js"
import { useServersAddress } from "./static-copy.js"

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
 * Whether a path is a file that a reader may open in a tab. All other navigations are pages.
 * @param {string} path
 */
const isFile = (path) => picturePath.test(path) || coverPath.test(path) || /^\/(assets\/|healthz$)|\.\w+$/.test(path)

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
