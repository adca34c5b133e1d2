// Longbox
// SPDX-License-Identifier: MIT

// This device's settings: offline downloads and storage. The service worker does the work.

import { startNotifications } from "./push.js"
import { count, sentenceOf, size, sizeOfExplanations, sizeOfPictures } from "./settings-texts.js"

/** @typedef {import("../shared/messages.js").DownloadJob} DownloadJob */
/** @typedef {import("../shared/messages.js").FromWorker} FromWorker */
/** @typedef {import("../shared/messages.js").Selection} Selection */
/** @typedef {import("../shared/messages.js").StorageSizes} Sizes */

const section = /** @type {HTMLElement} */ (document.querySelector("#on-this-device"))
const selections = { latest: "Latest 50", favorites: "Favorites", everything: "Everything", explanations: "Explanations" }
section.innerHTML = `
  <fieldset>
    <legend>Download for offline</legend>
    ${Object.entries(selections).map(([selection, name]) => `<p class="download">
      <button class="button" type="button" data-download="${selection}" aria-describedby="size-${selection}">${name}</button>
      <span class="hint" id="size-${selection}"></span></p>`).join("")}
    <progress aria-label="Download" max="1" value="0" hidden></progress>
    <p class="hint" id="download-status" role="status"></p>
    <p class="download" id="download-ways" hidden>
      <button class="button" type="button" id="pause">Pause</button>
      <button class="button" type="button" id="stop">Stop</button></p>
  </fieldset>
  <h2>Storage</h2>
  <dl><dt>Pictures kept</dt><dd id="pictures-kept"></dd><dt>Albums kept</dt><dd id="albums-kept"></dd><dt>Room taken</dt><dd id="room"></dd>
    <dt>Protected</dt><dd id="protected"></dd></dl>
  <p><button class="button" type="button" id="clear">Clear cache</button></p>
  <dialog aria-labelledby="clear-title"><form method="dialog">
    <h2 id="clear-title">Clear cache?</h2><p id="clear-what"></p>
    <p class="download"><button class="button" value="clear">Clear</button><button class="button">Cancel</button></p>
  </form></dialog>`

/** @param {string} selector */
const part = (selector) => /** @type {HTMLElement} */ (section.querySelector(selector))
/** @param {Selection} selection */
const downloadButton = (selection) => /** @type {HTMLButtonElement} */ (part(`[data-download=${selection}]`))
const dialog = /** @type {HTMLDialogElement} */ (part("dialog"))
const progress = /** @type {HTMLProgressElement} */ (part("progress"))
// Not every browser can persist storage; undefined outside a secure context.
const storage = /** @type {Partial<StorageManager> | undefined} */ (navigator.storage)

/** @type {import("./services.d.ts").Services} */
let services
/** @type {{ kept: number, favorites: number } | null} */
let known = null
/** @type {DownloadJob | null} */
let job = null

async function refresh() {
  services.tell({ kind: "sizes" })
  const { usage = 0, quota = 0 } = (await storage?.estimate?.()) ?? {}
  part("#room").textContent = `${size(usage)} of ${size(quota)}`
  const isPersisted = await storage?.persisted?.()
  part("#protected").textContent = isPersisted
    ? "Yes: the browser will not clear it by itself." : "No: the browser may clear it when room is short."
}

/** @param {Sizes} sizes */
function showSizes({ sizes, kept, favorites, albums }) {
  known = { kept, favorites }
  part("#size-explanations").textContent = sizeOfExplanations(sizes.explanations)
  downloadButton("explanations").disabled = !sizes.explanations || sizes.explanations.missing === 0
  for (const selection of /** @type {const} */ (["latest", "favorites", "everything"])) {
    part(`#size-${selection}`).textContent = sizeOfPictures(sizes[selection])
    downloadButton(selection).disabled = sizes[selection].missing === 0
  }
  part("#pictures-kept").textContent = kept.toLocaleString("en")
  part("#albums-kept").textContent = albums.count ? `${count(albums.count, "album")} with covers, ${size(albums.size)}` : "None"
  section.hidden = false
}

/** @param {DownloadJob | null} next */
function showDownload(next) {
  job = next
  const isUnderWay = job !== null && job.state !== "done"
  progress.hidden = part("#download-ways").hidden = !isUnderWay
  const status = part("#download-status")
  // Announce changes of the state, not every picture.
  status.ariaLive = status.dataset.state === job?.state ? "off" : "polite"
  status.dataset.state = job?.state ?? ""
  status.textContent = job ? sentenceOf(job) : ""
  if (!job || !isUnderWay) return refresh()
  progress.max = Math.max(job.total, 1)
  progress.value = job.done
  part("#pause").textContent = isHalted() ? "Resume" : "Pause"
}

const isHalted = () => job?.state === "paused" || job?.state === "full"

/** @param {HTMLElement} target */
function press({ id, dataset }) {
  if (dataset.download) {
    storage?.persist?.().then(refresh)
    services.tell({ kind: "download", selection: /** @type {Selection} */ (dataset.download) })
  } else if (id === "pause") services.tell({ kind: isHalted() ? "resume" : "pause" })
  else if (id === "stop") services.tell({ kind: "stop" })
  else if (id === "clear") {
    const others = Math.max(0, (known?.kept ?? 0) - (known?.favorites ?? 0))
    part("#clear-what").textContent = `This removes the pictures of ${count(others, "comic")} from this device, and fetches all
      texts again. Your favorites with their pictures, and your settings, stay.`
    dialog.showModal()
  }
}

/** @param {FromWorker} message */
function hear(message) {
  if (message.kind === "cleared") refresh()
  else if (message.kind === "download") showDownload(message.job)
  else if (message.kind === "sizes") showSizes(message)
}

/** @param {import("./services.d.ts").Services} given */
export function start(given) {
  services = given
  section.addEventListener("click", ({ target }) => { if (target instanceof HTMLElement) press(target) })
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "clear") services.tell({ kind: "clear" })
    dialog.returnValue = ""
  })
  navigator.serviceWorker.addEventListener("message", ({ data }) => hear(data))
  navigator.serviceWorker.addEventListener("controllerchange", refresh)
  startNotifications(section)
  if (!navigator.serviceWorker.controller) return
  refresh()
  // The worker replies with the current download.
  services.tell({ kind: "hello" })
}
