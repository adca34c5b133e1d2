// Longbox
// SPDX-License-Identifier: MIT

/**
 * Messages between pages and the service worker.
 * @module
 */

/** @typedef {"latest" | "favorites" | "everything"} PictureSelection */
/** @typedef {PictureSelection | "explanations"} Selection what can be downloaded for offline use */
/** @typedef {"running" | "paused" | "offline" | "full" | "done"} DownloadState */

/**
 * A download and its progress.
 * @typedef {object} DownloadJob
 * @property {Selection} selection
 * @property {DownloadState} state
 * @property {number} done how many are on this device
 * @property {number} total
 * @property {number} [failed] how many could not be fetched, once it is done
 */

/** @typedef {{ count: number, size: number, missing: number, missingSize: number }} PictureSizes sizes in bytes */
/** @typedef {{ count: number, size: number, kept: number, missing: number }} ExplanationSizes */

/**
 * What the downloads hold and what is kept on this device.
 * @typedef {object} StorageSizes
 * @property {Record<PictureSelection, PictureSizes> & { explanations: ExplanationSizes | null }} sizes explanations are
 *   null where the server can't be asked
 * @property {number} kept how many comics have their picture on this device
 * @property {number} favorites how many of those are favorites
 * @property {{ count: number, size: number }} albums
 */

/**
 * What a page says to the worker.
 *
 * - hello: a page was opened or shown again
 * - tick: a quarter of an hour has passed
 * - online: the browser has a network again
 * - probe: look whether the server can be reached again
 * - sizes: asks for a `sizes` message
 * - download, pause, resume, stop: the download for offline use
 * - continue: the answer to `continue`
 * - clear: clear the cache
 * @typedef {{ kind: "hello" | "tick" | "online" | "probe" | "sizes" | "pause" | "resume" | "stop" | "continue" | "clear" }
 *   | { kind: "download", selection: Selection }} ToWorker
 */

/**
 * What the worker says to pages.
 *
 * - connection: whether the server answered the last request
 * - library: sync has changed the reader's library
 * - updated: another version of Longbox has taken over
 * - full: there is no room left on this device
 * - continue: asks a page to answer, which gives the worker more time for its download
 * - download: the state of the download, null where there is none
 * - sizes: the answer to `sizes`
 * - cleared: the cache has been cleared
 * @typedef {{ kind: "library" | "updated" | "full" | "continue" | "cleared" }
 *   | { kind: "connection", isReached: boolean }
 *   | { kind: "download", job: DownloadJob | null }
 *   | { kind: "sizes" } & StorageSizes} FromWorker
 */

/**
 * Handlers of messages by kind, each called with its own type of message.
 * @template {{ kind: string }} Message
 * @template Result
 * @typedef {{ [Kind in Message["kind"]]?: (message: Extract<Message, { kind: Kind }>) => Result }} Handlers
 */

/**
 * Calls the handler for a message; undefined where there is none.
 * @template {{ kind: string }} Message
 * @template Result
 * @param {Handlers<Message, Result>} handlers
 * @param {Message} message
 * @returns {Result | undefined}
 */
export function handle(handlers, message) {
  const kind = /** @type {Message["kind"]} */ (message?.kind)
  if (!Object.hasOwn(handlers, kind)) return undefined
  const handler = /** @type {((message: Message) => Result) | undefined} */ (handlers[kind])
  return handler?.(message)
}
