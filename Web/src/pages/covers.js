// Longbox
// SPDX-License-Identifier: MIT

// Lists of covers: shows the number in place of a thumbnail that can't be loaded, and scrolls to the last read comic when
// the reader returns.

const { base = "" } = document.documentElement.dataset

const key = "last-comic"

/** @param {Event} event */
function noteMissing({ target }) {
  if (!(target instanceof HTMLImageElement) || !target.closest(".cover")) return
  // The worker's response for a missing thumbnail is a picture of 1 by 1 pixels.
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

/** The scroll position at which the reader left this list; null if this is the first visit. */
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
  // Otherwise the browser restores its own scroll position after `pageshow`.
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
