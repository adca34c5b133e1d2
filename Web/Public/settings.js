// Longbox
// SPDX-License-Identifier: MIT
//
// What the settings show of this device: downloads for offline, and storage. app.js loads it there. Only the service worker
// knows and does these things.

const section = document.querySelector("#on-this-device")
const worker = () => navigator.serviceWorker.controller
const tellWorker = (message) => worker()?.postMessage(message)
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
const part = (selector) => section.querySelector(selector)
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`
const size = (bytes) => {
  const mebibytes = bytes / 2 ** 20
  return mebibytes >= 100 ? `${Math.round(mebibytes)} MiB` : `${mebibytes.toFixed(1)} MiB`
}
let known = null
let job = null

const refresh = async () => {
  tellWorker({ kind: "sizes" })
  const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {}
  part("#room").textContent = `${size(usage)} of ${size(quota)}`
  const isPersisted = await navigator.storage?.persisted?.()
  part("#protected").textContent = isPersisted
    ? "Yes: the browser will not clear it by itself." : "No: the browser may clear it when room is short."
}

const showSizes = ({ sizes, kept, favorites, albums }) => {
  known = { kept, favorites }
  const { explanations, ...pictures } = sizes
  part("#size-explanations").textContent = !explanations ? "Not known without a connection."
    : explanations.count === 0 ? "There are none."
    : explanations.missing === 0 ? `${count(explanations.count, "text")}, on this device already.`
    : `${count(explanations.count, "text")} for reading and deep search, about ${size(explanations.size)}; ${explanations.kept.toLocaleString("en")} on this device.`
  part("[data-download=explanations]").disabled = !explanations || explanations.missing === 0
  for (const [selection, { count: all, missing, missingSize }] of Object.entries(pictures)) {
    part(`#size-${selection}`).textContent = all === 0 ? "There are none."
      : missing === 0 ? `${count(all, "picture")}, on this device already.`
      : `${count(missing, "picture")} of ${all.toLocaleString("en")} to fetch, ${missingSize ? size(missingSize) : "size not known yet"}.`
    part(`[data-download=${selection}]`).disabled = missing === 0
  }
  part("#pictures-kept").textContent = kept.toLocaleString("en")
  part("#albums-kept").textContent = albums.count ? `${count(albums.count, "album")} with covers, ${size(albums.size)}` : "None"
  section.hidden = false
}

const things = (number, { selection }) => count(number, selection === "explanations" ? "explanation" : "picture")
const progressOf = (job) => `${job.done.toLocaleString("en")} of ${things(job.total, job)}`
const sentences = {
  running: (job) => `Downloading: ${progressOf(job)}.`,
  paused: (job) => `Paused: ${progressOf(job)} on this device.`,
  offline: (job) => `${progressOf(job)} on this device. It goes on when you are back online.`,
  full: (job) => `There is no more room on this device: ${progressOf(job)} stay on it.`,
  done: (job) => job.failed
    ? `${things(job.failed, job)} could not be fetched. Download again later for these.` : `Done: ${things(job.total, job)} on this device.`,
}

const showDownload = (next) => {
  job = next
  const progress = part("progress")
  const isUnderWay = job !== null && job.state !== "done"
  progress.hidden = part("#download-ways").hidden = !isUnderWay
  const sentence = job ? sentences[job.state](job) : ""
  // Read out when the state changes, not with each picture.
  part("#download-status").ariaLive = part("#download-status").dataset.state === job?.state ? "off" : "polite"
  part("#download-status").dataset.state = job?.state ?? ""
  part("#download-status").textContent = sentence
  if (!isUnderWay) return refresh()
  progress.max = Math.max(job.total, 1)
  progress.value = job.done
  part("#pause").textContent = job.state === "paused" || job.state === "full" ? "Resume" : "Pause"
}

section.addEventListener("click", async ({ target }) => {
  const selection = target.dataset?.download
  if (selection) {
    navigator.storage?.persist?.().then(refresh)
    tellWorker({ kind: "download", selection })
  } else if (target.id === "pause") {
    tellWorker({ kind: job?.state === "paused" || job?.state === "full" ? "resume" : "pause" })
  } else if (target.id === "stop") {
    tellWorker({ kind: "stop" })
  } else if (target.id === "clear") {
    const others = Math.max(0, (known?.kept ?? 0) - (known?.favorites ?? 0))
    part("#clear-what").textContent = `This removes the pictures of ${count(others, "comic")} from this device, and fetches all
      texts anew. Your favorites with their pictures, and your settings, stay.`
    part("dialog").showModal()
  }
})
part("dialog").addEventListener("close", ({ target }) => {
  if (target.returnValue === "clear") tellWorker({ kind: "clear" })
  target.returnValue = ""
})
const hear = { cleared: refresh, download: ({ job }) => showDownload(job), sizes: showSizes }
navigator.serviceWorker.addEventListener("message", ({ data }) => hear[data.kind]?.(data))
navigator.serviceWorker.addEventListener("controllerchange", refresh)
// The same version as this file's.
import(import.meta.url.replace("settings.js", "push.js"))
if (worker()) {
  refresh()
  // The worker answers with the download that is under way.
  tellWorker({ kind: "hello" })
}
