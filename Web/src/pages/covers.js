// Longbox
// SPDX-License-Identifier: MIT

// Lists of covers: a thumbnail that can't be loaded gives way to its number, and the comic last read is in view again
// when the reader returns.

const { base = "" } = document.documentElement.dataset

const key = "last-comic"

/** @param {Event} event */
function noteMissing({ target }) {
  if (!(target instanceof HTMLImageElement) || !target.closest(".cover")) return
  // The worker answers with a picture of 1 by 1 for a missing one.
  if (target.naturalWidth <= 1) target.dataset.missing = ""
  else delete target.dataset.missing
}

function showLastComic() {
  const comic = sessionStorage.getItem(key)
  const tile = comic === null ? null : document.querySelector(`.covers #c${comic}, .lines #c${comic}`)
  tile?.scrollIntoView({ block: "nearest", behavior: "instant" })
}

/** Notes which comic is shown, for the list that the reader may return to. */
function noteComic() {
  const comic = /\/(\d+)\/$/.exec(location.pathname)?.[1]
  const latest = location.pathname === `${base}/` && document.querySelector(".comic-page .bar .number")?.textContent.replace("#", "")
  if (comic || latest) sessionStorage.setItem(key, String(comic || latest))
}

const placeKey = "list-place"
const address = () => location.pathname + location.search
const hasList = () => document.querySelector(".covers, .lines") !== null

/** Where the reader has left this list, if this is a return to it. */
function placeToReturnTo() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"))
  if (entry?.type === "navigate" || !hasList()) return null
  const place = JSON.parse(sessionStorage.getItem(placeKey) ?? "null")
  return place?.address === address() ? { scroll: Number(place.scroll), isBack: entry?.type === "back_forward" } : null
}

export function start() {
  // Neither event bubbles.
  document.addEventListener("error", noteMissing, true)
  document.addEventListener("load", noteMissing, true)
  for (const image of document.querySelectorAll(".cover img")) {
    if (image instanceof HTMLImageElement && image.complete && image.currentSrc && image.naturalWidth <= 1) image.dataset.missing = ""
  }
  const place = placeToReturnTo()
  // A browser restores the place after this event, and would take the comic out of view again.
  if (place) history.scrollRestoration = "manual"
  addEventListener("pagehide", () => {
    noteComic()
    if (hasList()) sessionStorage.setItem(placeKey, JSON.stringify({ address: address(), scroll: scrollY }))
  })
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) return showLastComic()
    if (!place) return
    scrollTo({ top: place.scroll, behavior: "instant" })
    if (place.isBack) showLastComic()
  })
}
