// Longbox
// SPDX-License-Identifier: MIT

// What this device keeps: downloads for offline, and storage. The service worker does the work.

import { showDialog, dialogButton } from "./settings-dialogs.js"
import { count, figuresOf, sentenceOf, sentenceOfSync, size, sizeOfExplanations, sizeOfPictures } from "./settings-texts.js"

/** @typedef {import("../shared/messages.js").DownloadJob} DownloadJob */
/** @typedef {import("../shared/messages.js").FromWorker} FromWorker */
/** @typedef {import("../shared/messages.js").Selection} Selection */
/** @typedef {import("../shared/messages.js").StorageSizes} Sizes */

/** Which pictures a static copy has; undefined on a server. */
const { copy } = document.documentElement.dataset
const hasPictures = copy === undefined || copy === "all"
const selections = {
  ...(hasPictures ? { latest: "Latest 50", favorites: "Favorites", year: "One year", everything: "Everything" } : {}),
  explanations: "Explanations",
}
const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector))
// Not every browser can persist storage; undefined outside a secure context.
const storage = /** @type {Partial<StorageManager> | undefined} */ (navigator.storage)

/** @type {import("./services.d.ts").Services} */
let services
/** @type {Sizes | null} */
let known = null
/** @type {DownloadJob | null} */
let job = null

function build() {
  find("#downloads").innerHTML = Object.entries(selections).map(([selection, name]) => `
    <div class="row" data-selection="${selection}" tabindex="-1"><div class="t">
      <button type="button" data-download aria-describedby="size-${selection}">${name}</button>
      <small id="size-${selection}"></small></div>
      ${selection === "year" ? '<select aria-label="Year"></select>' : ""}
      <span class="pill" aria-hidden="true">Download</span>
      <span class="done" hidden>✓ Downloaded</span>
      <button class="button outlined" type="button" data-stop hidden>Stop</button>
      <progress aria-label="Download" max="1" value="0" hidden></progress></div>`).join("")
  find("#downloads").insertAdjacentHTML("afterend", '<p class="hint" id="download-status" role="status"></p>')
  find("#storage").innerHTML = `<h2>Storage</h2><div class="rows">
    <div class="row storage"><p class="figures"><span id="used"></span> <span id="quota"></span></p>
      <div class="shares" aria-hidden="true"><i></i><i></i><i></i></div>
      <ul><li id="pictures-kept"${hasPictures ? "" : " hidden"}></li><li id="albums-kept"${copy === undefined ? "" : " hidden"}></li><li id="rest-kept"></li></ul></div>
    <div class="row" id="safety" hidden><div class="t"><span id="safety-title">Keep it safe</span><small id="protected"></small></div>
      <button class="button action" type="button" id="protect">Protect</button></div></div>`
  find("#cache").innerHTML = `<div class="t"><button type="button" id="clear">Clear cache<span aria-hidden="true">…</span></button></div>
    <span class="value" id="cache-size"></span>`
}

async function refresh() {
  services.postToWorker({ kind: "sizes" })
  await showSafety()
}

async function showSafety() {
  const isPersisted = await storage?.persisted?.()
  find("#safety").hidden = isPersisted === undefined
  find("#protected").textContent = isPersisted
    ? "The browser keeps this until you clear it." : "The browser may delete this when space runs short."
  find("#protect").hidden = isPersisted === true || !storage?.persist
}

async function protect() {
  const isPersisted = await storage?.persist?.()
  await showSafety()
  if (!isPersisted) find("#protected").textContent = "Your browser didn’t allow it. It usually does once Longbox is installed."
}

/** @param {Sizes} sizes */
async function showSizes(sizes) {
  known = sizes
  showYears(sizes.years.map(({ year }) => year))
  showRows()
  const { usage, quota = 0 } = (await storage?.estimate?.()) ?? {}
  const { kept, pictureSize, albums } = sizes
  const { used, rest, usedText, restText } = figuresOf(sizes, usage)
  find("#used").textContent = usedText
  find("#quota").textContent = quota > 0 ? `of ${size(quota)}` : ""
  find("#pictures-kept").textContent = `${count(kept, "comic")}, ${size(pictureSize)}`
  find("#albums-kept").textContent = `${count(albums.count, "album")}, ${size(albums.size)}`
  find("#rest-kept").textContent = restText
  const shares = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".shares i"))
  shares.forEach((share, index) => { share.style.flexGrow = String([pictureSize, albums.size, rest][index] ?? 0) })
  find("#cache-size").textContent = size(used)
  for (const selector of ["#downloads", "#storage", "#cache"]) find(selector).hidden = false
}

/**
 * Lists the years in the order given; the chosen one stays, and a year that is being downloaded is chosen.
 * @param {number[]} years
 */
function showYears(years) {
  const choice = yearChoice()
  if (!choice) return
  const chosen = isUnderWay() && job?.selection.startsWith("year-") ? job.selection : choice.value
  if (choice.length !== years.length) {
    choice.innerHTML = years.map((year) => `<option value="year-${year}">${year}</option>`).join("")
  }
  choice.value = [...choice.options].some(({ value }) => value === chosen) ? chosen : choice.options[0]?.value ?? ""
}

/** @returns {HTMLSelectElement | null} */
const yearChoice = () => document.querySelector("#downloads select")

/**
 * The selection of a row; that of years depends on the chosen year.
 * @param {HTMLElement} row
 */
const selectionOf = (row) => /** @type {Selection} */ (row.querySelector("select")?.value ?? row.dataset.selection)

/** @param {Selection} selection */
function sizesOf(selection) {
  const year = Number(/^year-(\d+)$/.exec(selection)?.[1] ?? 0)
  if (year > 0) return known?.years.find((one) => one.year === year)
  return known?.sizes[/** @type {keyof Sizes["sizes"]} */ (selection)]
}

/**
 * The size of a selection in words, or how far its download is.
 * @param {Selection} selection
 */
function textOf(selection) {
  if (job?.selection === selection && isUnderWay()) return sentenceOf(job)
  if (selection === "explanations") return known ? sizeOfExplanations(known.sizes.explanations) : ""
  const sizes = /** @type {import("../shared/messages.js").PictureSizes | undefined} */ (sizesOf(selection))
  return sizes ? sizeOfPictures(sizes, selection === "favorites" ? "No favorites yet." : undefined) : ""
}

/** Whether the download continues by itself. A download that ran out of space must be restarted by hand. */
const isUnderWay = () => job?.state === "running" || job?.state === "offline"

/** Shows which selections are complete, under way, or can be downloaded. */
function showRows() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-selection]"))) {
    const selection = selectionOf(row)
    const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (row.querySelector(selector))
    const sizes = sizesOf(selection)
    const hadFocus = row.contains(document.activeElement)
    const isMine = isUnderWay() && job?.selection === selection
    const isComplete = Boolean(sizes && sizes.count > 0 && sizes.missing === 0)
    part("small").textContent = textOf(selection)
    const button = /** @type {HTMLButtonElement} */ (part("[data-download]"))
    button.disabled = isMine || !sizes || sizes.missing === 0
    part(".pill").hidden = button.disabled
    const years = row.querySelector("select")
    if (years) years.disabled = isMine
    part(".done").hidden = isMine || !isComplete
    part("[data-stop]").hidden = part("progress").hidden = !isMine
    const next = isMine ? part("[data-stop]") : button
    // A disabled button can't have the focus.
    if (hadFocus) (next.matches(":disabled") ? row : next).focus()
    if (!isMine || !job) continue
    const progress = /** @type {HTMLProgressElement} */ (part("progress"))
    progress.max = Math.max(job.total, 1)
    progress.value = job.done
  }
}

/** @param {DownloadJob | null} next */
function showDownload(next) {
  job = next
  if (known) showYears(known.years.map(({ year }) => year))
  const status = find("#download-status")
  // The row shows it while it runs.
  status.classList.toggle("aside", isUnderWay())
  // Announce changes of the state, not every picture.
  status.ariaLive = status.dataset.state === job?.state ? "off" : "polite"
  status.dataset.state = job?.state ?? ""
  status.textContent = job ? sentenceOf(job) : ""
  showRows()
  if (!isUnderWay()) refresh()
}

/** @param {Selection} selection */
function download(selection) {
  storage?.persist?.().then(showSafety)
  services.postToWorker({ kind: "download", selection })
  document.dispatchEvent(new CustomEvent("longbox:kept"))
}

/** Stops the download, and says how much of it is here. */
function stop() {
  services.postToWorker({ kind: "stop" })
  const things = job?.selection === "explanations" ? "explanation" : "comic"
  services.say(`Download stopped. ${count(job?.done ?? 0, things)} saved.`)
}

function askToClear() {
  const others = Math.max(0, (known?.kept ?? 0) - (known?.favorites ?? 0))
  const { count: all = 0, missing = 0 } = known?.sizes.explanations ?? {}
  const removed = [
    ...(hasPictures ? [`the pictures of ${count(others, "comic")}`] : []),
    // Without a complete download, all are missing.
    ...(missing < all ? ["the downloaded explanations"] : []),
  ].join(" and ")
  const text = (removed ? `This removes ${removed} from this device, and fetches all texts again.` : "This fetches all texts again.")
    + (hasPictures ? " Your favorites with their pictures, and your settings, stay." : " Your favorites and your settings stay.")
  showDialog("Clear cache?", [text], dialogButton("Clear", () => services.postToWorker({ kind: "clear" })))
}

/** @param {HTMLElement} target */
function press(target) {
  const row = /** @type {HTMLElement | null} */ (target.closest("[data-selection]"))
  if (row && "download" in target.dataset) download(selectionOf(row))
  else if ("stop" in target.dataset) stop()
  else if (target.closest("#clear")) askToClear()
  else if (target.id === "protect") protect()
}

/** @param {import("../shared/messages.js").SyncState} state */
function showSync(state) {
  const line = /** @type {HTMLElement | null} */ (document.querySelector("#sync"))
  if (!line) return
  line.hidden = false
  line.classList.toggle("waits", state.isWaiting)
  const text = sentenceOfSync(state)
  if (line.textContent !== text) line.textContent = text
}

/** @param {FromWorker} message */
function handleMessage(message) {
  if (message.kind === "cleared") {
    services.say("Cache cleared.")
    refresh()
  } else if (message.kind === "synced") showSync(message.state)
  else if (message.kind === "download") showDownload(message.job)
  else if (message.kind === "sizes") showSizes(message)
}

/**
 * @param {HTMLElement} page
 * @param {import("./services.d.ts").Services} given
 */
export function startDownloads(page, given) {
  services = given
  build()
  page.addEventListener("click", ({ target }) => { if (target instanceof HTMLElement) press(target) })
  yearChoice()?.addEventListener("change", showRows)
  navigator.serviceWorker.addEventListener("message", ({ data }) => handleMessage(data))
  navigator.serviceWorker.addEventListener("controllerchange", refresh)
  if (!navigator.serviceWorker.controller) return
  refresh()
  // The worker replies with the current download.
  services.postToWorker({ kind: "hello" })
}
