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
  const mebibytes = bytes / 2 ** 20
  return mebibytes >= 100 ? `${Math.round(mebibytes)} MiB` : `${mebibytes.toFixed(1)} MiB`
}

/** @param {Sizes["sizes"]["explanations"]} explanations */
export function sizeOfExplanations(explanations) {
  if (!explanations) return "Not known without a connection."
  const all = count(explanations.count, "text")
  if (explanations.count === 0) return "There are none."
  if (explanations.missing === 0) return `${all}, on this device already.`
  const here = explanations.kept.toLocaleString("en")
  return `${all} for reading and deep search, about ${size(explanations.size)}; ${here} on this device.`
}

/** @param {import("../shared/messages.js").PictureSizes} pictures */
export function sizeOfPictures({ count: all, missing, missingSize }) {
  if (all === 0) return "There are none."
  if (missing === 0) return `${count(all, "picture")}, on this device already.`
  return `${count(missing, "picture")} of ${all.toLocaleString("en")} to fetch, ${missingSize ? size(missingSize) : "size not known yet"}.`
}

/** @param {DownloadJob} job */
export function sentenceOf(job) {
  const things = (/** @type {number} */ number) => count(number, job.selection === "explanations" ? "explanation" : "picture")
  const progress = `${job.done.toLocaleString("en")} of ${things(job.total)}`
  switch (job.state) {
    case "running": return `Downloading: ${progress}.`
    case "paused": return `Paused: ${progress} on this device.`
    case "offline": return `${progress} on this device. It goes on when you are back online.`
    case "full": return `There is no more room on this device: ${progress} stay on it.`
    case "done": return job.failed
      ? `${things(job.failed)} could not be fetched. Download again later for these.` : `Done: ${things(job.total)} on this device.`
  }
}
