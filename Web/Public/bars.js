// Longbox
// SPDX-License-Identifier: MIT
//
// What the bars do where scripts run: share a comic, show its details, and name the page at the thumb when its heading has
// been scrolled away. app.js loads it on every page.

/** What app.js gives: `note(name, text)` says something in the place for messages. */
let note = () => {}

/** What comes up from below is loaded when it is first asked for. */
const sheets = () => import(import.meta.url.replace("bars.js", "sheets.js"))
const showMenu = () => sheets().then(({ showMenu }) => showMenu(pageTitle()))

// Share

const icon = (path) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`

function addShare() {
  const actions = document.querySelector(".comic-page .actions")
  if (!actions || actions.querySelector(".share")) return
  const button = document.createElement("button")
  button.className = "button share"
  button.type = "button"
  button.ariaLabel = "Share"
  button.innerHTML = icon("M12 15V3.5M8 7l4-3.5L16 7M6 11H5v9.5h14V11h-1")
  button.addEventListener("click", share)
  actions.querySelector(".edit").after(button)
}

const pageTitle = () => document.querySelector(".bar").textContent.trim()

async function share() {
  const number = document.querySelector(".bar .number").textContent.slice(1)
  const url = new URL(`/${number}/`, location).href
  const title = `xkcd ${pageTitle()}`
  if (!navigator.share) return copy(url)
  const text = `${title} by Randall Munroe, https://xkcd.com/${number}/, CC BY-NC 2.5`
  const files = await pictureFile(number)
  const whole = files && navigator.canShare?.({ files }) ? { title, text, url, files } : { title, text, url }
  // Who closes the sheet has not failed.
  await navigator.share(whole).catch((error) => { if (error.name !== "AbortError") copy(url) })
}

async function pictureFile(number) {
  const image = document.querySelector(".picture img")
  if (!image || "missing" in image.dataset) return null
  const response = await fetch(image.currentSrc).catch(() => null)
  const blob = response?.ok ? await response.blob() : null
  return blob && [new File([blob], `xkcd-${number}.${blob.type.split("/").pop()}`, { type: blob.type })]
}

async function copy(url) {
  const isCopied = await Promise.resolve(navigator.clipboard?.writeText(url).then(() => true)).catch(() => false)
  document.querySelector(".messages .shared")?.remove()
  note("shared", isCopied ? "Link copied." : `Copy this link to share it: ${url}`)
  if (isCopied) setTimeout(() => document.querySelector(".messages .shared")?.remove(), 6_000)
}

// Details in a sheet, on a small screen

document.addEventListener("click", (event) => {
  if (!event.target.closest?.(".to-details")) return
  event.preventDefault()
  sheets().then(({ showDetails }) => showDetails())
})

// The page's name, where the thumb is

const place = document.createElement("button")
place.className = "place"
place.type = "button"
place.hidden = true
place.title = "Back to the start. Press and hold for more."
document.body.append(place)

/** The part of the page whose heading was scrolled past last. */
function partInView() {
  const headings = [...document.querySelectorAll("main h2")].filter((heading) => heading.checkVisibility() && !heading.closest(".details"))
  const past = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
  return past.at(-1)?.firstChild?.textContent.trim() ?? ""
}

function namePlace() {
  place.hidden = document.querySelector(".bar").getBoundingClientRect().bottom > 0
  if (place.hidden) return
  const part = partInView()
  place.textContent = part ? `${pageTitle()} · ${part}` : pageTitle()
}

let naming = 0
/** With the next frame, for which the page is laid out anyway. */
function namePlaceSoon() {
  cancelAnimationFrame(naming)
  naming = requestAnimationFrame(namePlace)
}
addEventListener("scroll", namePlaceSoon, { passive: true })
document.addEventListener("longbox:page", () => {
  addShare()
  namePlaceSoon()
})

let holding = 0
let wasHeld = false
place.addEventListener("pointerdown", () => {
  wasHeld = false
  holding = setTimeout(() => {
    wasHeld = true
    showMenu()
  }, 500)
})
for (const end of ["pointerup", "pointercancel", "pointerleave"]) place.addEventListener(end, () => clearTimeout(holding))
place.addEventListener("contextmenu", (event) => {
  event.preventDefault()
  clearTimeout(holding)
  if (!wasHeld) showMenu()
})
place.addEventListener("click", () => {
  if (!wasHeld) scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" })
})

export function start(services) {
  note = services.note
  addShare()
  namePlace()
}
