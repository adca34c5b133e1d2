// Longbox
// SPDX-License-Identifier: MIT

/** @typedef {import("../shared/messages.js").DownloadJob} DownloadJob */
/** @typedef {import("../shared/messages.js").StorageSizes} Sizes */

/**
 * @param {number} number
 * @param {string} noun
 */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`

/** @param {number} bytes */
export function size(bytes) {
  const megabytes = bytes / 1e6
  if (megabytes >= 1000) return `${(megabytes / 1000).toFixed(1)} GB`
  return megabytes >= 100 ? `${Math.round(megabytes)} MB` : `${megabytes.toFixed(1)} MB`
}

/** @param {Sizes["sizes"]["explanations"]} explanations */
export function sizeOfExplanations(explanations) {
  if (!explanations) return "Size unknown while offline."
  if (explanations.count === 0) return "No explanations yet."
  const all = `${count(explanations.count, "explanation")}, ${size(explanations.size)}`
  if (explanations.missing === 0 || explanations.kept === 0) return `${all}, for reading and deep search`
  return `${explanations.kept.toLocaleString("en")} of ${all}`
}

/**
 * @param {import("../shared/messages.js").PictureSizes} pictures
 * @param {string} [none] the text if there are none
 */
export function sizeOfPictures({ count: all, size: wholeSize, missing, missingSize, unsized, absent }, none = "No comics yet.") {
  if (all === 0) return none
  const here = all - missing - absent
  const gone = absent > 0 ? `, ${absent.toLocaleString("en")} not available on xkcd.com` : ""
  if (missing === 0) return `${count(here, "comic")}${wholeSize > 0 && absent === 0 && unsized === 0 ? `, ${size(wholeSize)}` : ""}${gone}`
  const weight = missingSize > 0 ? `, ${unsized > 0 ? "more than " : ""}${size(missingSize)}` : ""
  const which = here > 0 ? `${missing.toLocaleString("en")} of ${count(all, "comic")} to download` : count(missing, "comic")
  return `${which}${weight}${gone}`
}

/**
 * The space used on this device, and what is left of it for all but pictures and albums.
 * @param {Pick<Sizes, "pictureSize" | "albums">} sizes
 * @param {number} [usage] in bytes, as the browser estimates it; undefined if it doesn't
 */
export function figuresOf({ pictureSize, albums }, usage) {
  const counted = pictureSize + albums.size
  const used = Math.max(usage ?? 0, counted)
  const rest = used - counted
  const name = "Texts, search and Longbox itself"
  return {
    used, rest,
    usedText: usage === undefined ? `${size(used)} of pictures and albums` : `${size(used)} used`,
    restText: usage === undefined ? `${name}: this browser doesn’t tell their size` : `${name}, ${size(rest)}`,
  }
}

/**
 * When this device has synced, and what waits.
 * @param {import("../shared/messages.js").SyncState} state
 * @param {Date} [now]
 */
export function sentenceOfSync({ at, isWaiting }, now = new Date()) {
  const last = new Date(at)
  const time = last.toLocaleString([], { hour: "2-digit", minute: "2-digit" })
  const day = last.toDateString() === now.toDateString() ? "today" : last.toLocaleString([], { dateStyle: "medium" })
  const synced = at > 0 ? `Last synced ${day} at ${time}.` : "Not synced yet."
  return isWaiting ? `${synced} A change waits for the connection.` : synced
}

/** @param {DownloadJob} job */
export function sentenceOf(job) {
  const things = (/** @type {number} */ number) => count(number, job.selection === "explanations" ? "explanation" : "comic")
  // A download that was started without a connection doesn't know its total yet.
  const progress = job.total > 0 ? `${job.done.toLocaleString("en")} of ${things(job.total)}` : things(job.done)
  switch (job.state) {
    case "running": return `Downloading: ${progress}.`
    case "offline": return `${progress} saved. It goes on when you are back online.`
    case "full": return `No space left on this device: ${progress} saved.`
    case "done": {
      const rest = [
        job.absent ? `${job.absent.toLocaleString("en")} not available on xkcd.com` : "",
        job.failed ? `${job.failed.toLocaleString("en")} couldn’t be fetched. Download again later for these` : "",
      ].filter(Boolean)
      return `${[`${things(job.done)} saved`, ...rest].join(", ")}.`
    }
  }
}
