// Longbox
// SPDX-License-Identifier: MIT
//
// What every page does where scripts run: it registers the service worker, says when there is no connection, and loads what
// else a page needs. Every page works without it.
"use strict"

const messages = document.querySelector(".messages")
const worker = () => navigator.serviceWorker?.controller

function tellWorker(message) {
  worker()?.postMessage(message)
}

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {})
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    tellWorker({ kind: "hello" })
    document.querySelectorAll(".picture img").forEach(passToWorker)
  })
  navigator.serviceWorker.addEventListener("message", ({ data }) => hear[data.kind]?.(data))
  tellWorker({ kind: "hello" })
}

const hear = {
  // Whether there is a network the page knows better: the worker's answer may be older than the change.
  connection: ({ isReached }) => showConnection(isReached),
  continue: () => tellWorker({ kind: "continue" }),
  full: () => note("full", "There is no more room on this device. What is kept stays; clear the cache in the settings for more."),
  library: () => {
    // Another device has changed something that this page shows.
    const isInUse = document.activeElement?.matches("input, textarea")
      || document.querySelector("dialog[open], .zoomed, .explanation[open]")
    if (document.querySelector(".favorites-page, .overview-page, .comic-page, .quiz-kinds") && !isInUse) location.reload()
  },
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

/** A picture that came before the worker did is kept as well: it is asked for once more, by way of the worker. */
function passToWorker(image) {
  const came = performance.getEntriesByName(image.currentSrc).some(({ workerStart }) => workerStart > 0)
  if (worker() && image.naturalWidth > 1 && !came) fetch(image.currentSrc).catch(() => {})
}

function showFound(image) {
  passToWorker(image)
  // Its style may be the viewer's: a sharper picture comes while it is zoomed.
  if (!("missing" in image.dataset)) return
  delete image.dataset.missing
  image.style.width = image.style.aspectRatio = ""
  image.parentElement.querySelector(".not-here")?.remove()
}

function askAgain(image) {
  const again = (address) => `${address}${address.includes("?") ? "&" : "?"}again=${Date.now()}`
  if (image.srcset) image.srcset = image.srcset.replace(/\S+(?= [12]x)/g, again)
  image.src = again(image.getAttribute("src"))
}

// Details stand open beside the comic where the style sheet shows them so

const besideComic = matchMedia("(min-width: 40em) and (min-height: 31em)")
function openBesideComic() {
  const details = document.querySelector(".details .about")
  if (besideComic.matches && details) details.open = true
}
besideComic.addEventListener("change", openBesideComic)

// The whole explanation of a comic, in place of its beginning

function watchExplanation(disclosure) {
  const load = (name) => script("explanation.js").then((explanation) => explanation[name](disclosure))
  disclosure.addEventListener("click", (event) => {
    if (!event.target.closest(".whole") || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    load("showWhole")
  })
  disclosure.addEventListener("toggle", () => {
    if (disclosure.open && !disclosure.querySelector(".lead")) load("showBeginning")
  })
  if (location.hash === "#explanation" && document.querySelector(".comic-page")) disclosure.open = true
}

// What every page needs that comes, whether the browser loaded it or turning put it in the place of another

function prepare() {
  document.querySelectorAll(".picture img").forEach(watchPicture)
  document.querySelectorAll(".explanation").forEach(watchExplanation)
  openBesideComic()
  const animations = document.querySelectorAll(".picture img[data-frames]")
  if (animations.length) script("animation.js").then(({ watch }) => animations.forEach(watch))
  document.dispatchEvent(new Event("longbox:page"))
}

// What only some pages need; the address of this file says of which version the others have to be

const { src } = document.currentScript
const script = (name) => import(src.replace("app.js", name))
if (document.querySelector(".search-box")) script("search.js")
if (document.querySelector(".quiz")) script("quiz.js")
if (document.querySelector("#on-this-device") && "serviceWorker" in navigator) script("settings.js")
if (document.querySelector(".comic-page")) {
  Promise.all(["turning.js", "viewer.js"].map(script)).then(([turning, viewer]) => {
    turning.start({ prepare, showConnection: () => showConnection(isConnected) })
    viewer.start(turning)
  })
}
script("keys.js")
script("bars.js").then(({ start }) => start({ note }))
prepare()
