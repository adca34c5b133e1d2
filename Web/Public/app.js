// Longbox
// SPDX-License-Identifier: MIT
//
// What a page does where scripts run: it registers the service worker, says when there is no connection, and fills in
// what the settings show of this device. Every page works without it.
"use strict"

const messages = document.querySelector(".messages")
const worker = () => navigator.serviceWorker?.controller

function tellWorker(message) {
  worker()?.postMessage(message)
}

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {})
  navigator.serviceWorker.addEventListener("controllerchange", () => tellWorker({ kind: "hello" }))
  navigator.serviceWorker.addEventListener("message", ({ data }) => hear[data.kind]?.(data))
  tellWorker({ kind: "hello" })
}

const hear = {
  // Whether there is a network the page knows better: the worker's answer may be older than the change.
  connection: ({ isReached }) => showConnection(isReached),
  continue: () => tellWorker({ kind: "continue" }),
  download: ({ job }) => onThisDevice?.showDownload(job),
  full: () => note("full", "There is no more room on this device. What is kept stays; clear the cache in the settings for more."),
  library: () => {
    // Another device has changed something that this page shows.
    const isTyping = document.activeElement?.matches("input, textarea") || document.querySelector("dialog[open]")
    if (document.querySelector(".favorites-page, .overview-page, .comic-page") && !isTyping) location.reload()
  },
  sizes: (sizes) => onThisDevice?.showSizes(sizes),
  cleared: () => onThisDevice?.refresh(),
  updated: () => {
    note("updated", "Longbox was updated.")
    setTimeout(() => document.querySelector(".updated")?.remove(), 6_000)
  },
}

/** A message in the place for messages, which assistive technology reads out. */
function note(name, text) {
  if (messages.querySelector(`.${name}`)) return
  const paragraph = document.createElement("p")
  paragraph.className = `note ${name}`
  paragraph.append(text)
  messages.append(paragraph)
}

// The connection

let isConnected = !messages.querySelector(".connection")
let probing = 0

function showConnection(isNow) {
  isNow &&= navigator.onLine
  if (isNow) {
    messages.querySelector(".connection")?.remove()
    if (document.querySelector("[data-waits]")) location.reload()
    document.querySelectorAll("img[data-missing]").forEach(askAgain)
  } else if (!messages.querySelector(".connection")) {
    const strong = document.createElement("strong")
    strong.append("No connection.")
    note("connection", strong)
    messages.querySelector(".connection").append(" What is on this device works as ever.")
  }
  isConnected = isNow
  clearTimeout(probing)
  if (!isNow && navigator.onLine) probe(500)
}

/** The network is there, but the server is not: asks for it now and then, ever less often, while somebody looks. */
function probe(pause) {
  probing = setTimeout(() => {
    if (isConnected) return
    if (document.visibilityState === "visible") tellWorker({ kind: "probe" })
    probe(Math.min(pause * 1.5, 60_000))
  }, pause)
}

addEventListener("offline", () => showConnection(false))
addEventListener("online", () => {
  tellWorker({ kind: "online" })
  showConnection(true)
})
addEventListener("pageshow", (event) => {
  // Out of the browser's memory of pages: time has passed.
  if (event.persisted) tellWorker({ kind: "hello" })
})
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") tellWorker({ kind: "hello" })
})
setInterval(() => {
  if (isConnected && document.visibilityState === "visible") tellWorker({ kind: "tick" })
}, 15 * 60_000)
if (!navigator.onLine) showConnection(false)
else if (!isConnected) probe(500)

// Pictures that are not here

function watchPicture(image) {
  const look = () => {
    // The worker stands a picture of 1 by 1 in for what it does not have.
    if (image.complete && image.naturalWidth <= 1) showMissing(image)
    else if (image.complete) showFound(image)
  }
  image.addEventListener("load", look)
  image.addEventListener("error", look)
  look()
}

function showMissing(image) {
  if ("missing" in image.dataset || (image.naturalWidth === 0 && navigator.onLine && isConnected)) return
  image.dataset.missing = ""
  // The room that the picture will need: what stands in for it has another shape.
  image.style.width = `${image.getAttribute("width") ?? 320}px`
  image.style.aspectRatio = `${image.getAttribute("width") ?? 4} / ${image.getAttribute("height") ?? 3}`
  const paragraph = document.createElement("p")
  paragraph.className = "not-here"
  paragraph.role = "status"
  image.after(paragraph)
  // After it is in the page, or it would not be read out.
  setTimeout(() => paragraph.append("This comic is not on this device yet. It will load when you are back online."))
}

function showFound(image) {
  delete image.dataset.missing
  image.removeAttribute("style")
  image.parentElement.querySelector(".not-here")?.remove()
}

function askAgain(image) {
  const again = (address) => `${address}${address.includes("?") ? "&" : "?"}again=${Date.now()}`
  if (image.srcset) image.srcset = image.srcset.replace(/\S+(?= [12]x)/g, again)
  image.src = again(image.getAttribute("src"))
}

document.querySelectorAll(".picture img").forEach(watchPicture)

// Details stand open beside the comic where the style sheet shows them so

const besideComic = matchMedia("(min-width: 56.25em) and (min-height: 31em)")
const details = document.querySelector(".details .about")
function openBesideComic() {
  if (besideComic.matches && details) details.open = true
}
besideComic.addEventListener("change", openBesideComic)
openBesideComic()

// The whole explanation of a comic, in place of its beginning

document.querySelectorAll(".explanation").forEach((disclosure) => {
  const body = disclosure.querySelector(".explanation-body")
  const link = () => body.querySelector(".whole")
  const hasLead = () => body.querySelector(".lead") !== null
  let isLoading = false

  const showWhole = async () => {
    const response = await fetch(link().href).catch(() => null)
    const page = response && new DOMParser().parseFromString(await response.text(), "text/html")
    const text = page?.querySelector("#explanation")
    const hadLead = hasLead()
    // What says why there is nothing takes no lead's place.
    if (!text || (!response.ok && hadLead)) return
    const whole = document.createElement("div")
    whole.className = "explanation-text"
    whole.tabIndex = -1
    whole.append(...text.childNodes)
    body.replaceChildren(whole)
    if (hadLead) whole.focus({ preventScroll: true })
  }

  /** The page was made before the explanation was here: its first sentences, as they would stand in it. */
  const showBeginning = async () => {
    const comic = new URL(link().href).pathname.split("/")[1]
    const response = await fetch(`/explanations/${comic}`).catch(() => null)
    const explanation = response?.ok ? await response.json() : null
    if (!explanation) return showWhole()
    body.innerHTML = explanation.beginning
  }

  const load = (show) => {
    if (isLoading || !link()) return
    isLoading = true
    show().finally(() => { isLoading = false })
  }

  body.addEventListener("click", (event) => {
    if (!event.target.closest(".whole") || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    load(showWhole)
  })
  disclosure.addEventListener("toggle", () => {
    if (disclosure.open && !hasLead()) load(showBeginning)
  })
  if (location.hash === "#explanation" && document.querySelector(".comic-page")) disclosure.open = true
})

// Settings: downloads and storage

const onThisDevice = (() => {
  const section = document.querySelector("#on-this-device")
  if (!section || !("serviceWorker" in navigator)) return null
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
    <dl><dt>Pictures kept</dt><dd id="pictures-kept"></dd><dt>Room taken</dt><dd id="room"></dd>
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

  const showSizes = ({ sizes, kept, favorites }) => {
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
  if (worker()) refresh()
  navigator.serviceWorker.addEventListener("controllerchange", refresh)
  return { refresh, showSizes, showDownload }
})()

// Search, where there is a box for it; the address of this file says of which version the other has to be

if (document.querySelector(".search-box")) import(document.currentScript.src.replace("app.js", "search.js"))
