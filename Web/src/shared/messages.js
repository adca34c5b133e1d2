// Longbox
// SPDX-License-Identifier: MIT

// Messages between pages and the service worker.

/** @typedef {"latest" | "favorites" | "everything" | `year-${number}`} PictureSelection */
/** @typedef {PictureSelection | "explanations"} Selection what can be downloaded for offline use */
/** @typedef {"running" | "offline" | "full" | "done"} DownloadState */

/**
 * @typedef {object} DownloadJob
 * @property {Selection} selection
 * @property {DownloadState} state
 * @property {number} done items on this device
 * @property {number} total
 * @property {number} [failed] items that could not be fetched, once the download is done
 * @property {number} [absent] pictures that xkcd.com doesn't have
 */

/**
 * Pictures that can be downloaded; sizes in bytes.
 * @typedef {object} PictureSizes
 * @property {number} count
 * @property {number} size
 * @property {number} missing those that are not on this device
 * @property {number} missingSize
 * @property {number} unsized those missing whose size is not known yet
 * @property {number} absent those that xkcd.com doesn't have; they are not missing
 */
/** @typedef {{ count: number, size: number, kept: number, missing: number }} ExplanationSizes */

/**
 * The sizes of the downloads and of what this device keeps.
 * @typedef {object} StorageSizes
 * @property {Record<"latest" | "favorites" | "everything", PictureSizes> & { explanations: ExplanationSizes | null }} sizes explanations are
 *   null while the server can't be reached
 * @property {(PictureSizes & { year: number })[]} years those of each year, the latest first
 * @property {number} kept comics whose picture is on this device
 * @property {number} pictureSize the size of all pictures on this device in bytes
 * @property {number} favorites favorites among those
 * @property {{ count: number, size: number }} albums
 */

/** @typedef {{ at: number, isWaiting: boolean }} SyncState the time of the last sync in milliseconds since 1970, 0 if unknown */

/**
 * Messages from a page to the worker.
 *
 * - hello: a page was opened or shown again
 * - tick: 15 minutes have passed
 * - online: the browser has a network again
 * - probe: check whether the server can be reached again
 * - viewed: a comic was in view for a while; `keepsPlace` if it doesn't become the reader's place
 * - sizes: request a `sizes` message
 * - download, stop: control the download for offline use
 * - continue: reply to `continue`
 * - clear: clear the cache
 * - submit: a form of a page that the reader has left too soon for a request; `answer` hears whether it was accepted
 * @typedef {{ kind: "hello" | "tick" | "online" | "probe" | "sizes" | "stop" | "continue" | "clear" }
 *   | { kind: "viewed", comic: number, keepsPlace: boolean }
 *   | { kind: "submit", path: string, form: string, answer: MessagePort }
 *   | { kind: "download", selection: Selection }} ToWorker
 */

/**
 * Messages from the worker to pages.
 *
 * - connection: whether the server responded to the last request, and whether it asks this device to sign in, if known
 * - changed: the library or the archive may have changed, and not by a form of a page
 * - updated: another version of Longbox has taken over
 * - full: the device's storage is full
 * - continue: asks a page to reply, which gives the worker more time for its download
 * - download: the state of the download, or null
 * - sizes: reply to `sizes`
 * - cleared: the cache has been cleared
 * - synced: a sync has ended or has to wait; also sent with `sizes`
 * @typedef {{ kind: "changed" | "updated" | "full" | "continue" | "cleared" }
 *   | { kind: "connection", isReached: boolean, isSignedOut?: boolean }
 *   | { kind: "download", job: DownloadJob | null }
 *   | { kind: "synced", state: SyncState }
 *   | { kind: "sizes" } & StorageSizes} FromWorker
 */

/**
 * Message handlers by kind; each receives its own type of message.
 * @template {{ kind: string }} Message
 * @template Result
 * @typedef {{ [Kind in Message["kind"]]?: (message: Extract<Message, { kind: Kind }>) => Result }} Handlers
 */

/**
 * Calls the handler for a message; undefined if there is none.
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
