// Longbox
// SPDX-License-Identifier: MIT

// Lists of comics: shows the number in place of a thumbnail that can't be loaded, and scrolls to where the reader was, and to
// the last read comic, when the reader returns.

const { base = "" } = document.documentElement.dataset

/** @typedef {import("./tab-state.js").TabState} TabState */
/**
 * A place in a list; `top` is that of a comic in view, in pixels from the top of the window.
 * @typedef {{ scroll: number, comic?: string | undefined, top?: number | undefined }} ListPlace
 */

/** @param {Event} event */
function noteMissing({ target }) {
  if (!(target instanceof HTMLImageElement) || !target.closest(".cover")) return
  // The worker's response for a missing thumbnail is a picture of 1 by 1 pixels.
  if (target.naturalWidth <= 1) target.dataset.missing = ""
  else delete target.dataset.missing
}

const lists = ":is(.covers, .lines, .results)"
const hasList = () => document.querySelector(lists) !== null
/** @param {string | null | undefined} comic */
const tileOf = (comic) => comic
  ? document.querySelector(`${lists} :is(a[href$="/${Number(comic)}/"], a[href*="/${Number(comic)}/?"])`)?.closest("li") : null
/** @param {string | undefined} path */
const comicIn = (path) => /\/(\d+)\/$/.exec(path ?? "")?.[1]

/**
 * The item of a list in the middle of the window, or the next below. Found by binary search, since an item out of view is slow
 * to measure, and during a transition to another page no element is at a point.
 */
function itemInMiddle() {
  const isAbove = (/** @type {Element | undefined} */ element) => element && element.getBoundingClientRect().bottom <= innerHeight / 2
  const items = [...document.querySelectorAll(lists)].find((list) => !isAbove(list))?.children ?? []
  let [low, high] = [0, items.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAbove(items[middle])) low = middle + 1
    else high = middle
  }
  return items[low]
}

/** Where the reader is in this page. @returns {ListPlace} */
export function listPlace() {
  // At the top a reader wants to see what is new.
  const item = scrollY > 0 ? itemInMiddle() : undefined
  const comic = comicIn(item?.querySelector("a")?.pathname)
  return comic ? { scroll: scrollY, comic, top: item?.getBoundingClientRect().top } : { scroll: scrollY }
}

/**
 * Scrolls to a place, and on to a comic if that is not in view then.
 * @param {ListPlace | null} place
 * @param {string | null} [comic]
 */
export function returnTo(place, comic = null) {
  if (place) scrollTo({ top: place.scroll, behavior: "instant" })
  const [pinned, read] = [tileOf(place?.comic), tileOf(comic)]
  const last = read ?? pinned
  if (!last) return
  const top = () => last.getBoundingClientRect().top
  keep(top, () => {
    if (pinned) scrollBy({ top: pinned.getBoundingClientRect().top - (place?.top ?? 0), behavior: "instant" })
    read?.scrollIntoView({ block: "nearest", behavior: "instant" })
  })
}

/** The number of frames in which nothing moves, and the maximum number in all. */
const calmFrames = 6
const mostFrames = 90

/**
 * Scrolls, and again whenever something has moved: a part of a long list gets its real height only when it is near the window.
 * Ends once nothing moves any more, or when the reader scrolls.
 * @param {() => number} top
 * @param {() => void} scroll
 */
function keep(top, scroll) {
  let isScrolled = false
  const noteScroll = () => { isScrolled = true }
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(kind, noteScroll, { once: true, passive: true, capture: true })
  }
  let [expected, calm, left] = [NaN, 0, mostFrames]
  const frame = () => {
    calm = Math.abs(top() - expected) < 1 ? calm + 1 : 0
    left -= 1
    if (isScrolled || calm === calmFrames || left < 0) return
    if (calm === 0) scroll()
    expected = top()
    requestAnimationFrame(frame)
  }
  frame()
}

const placeName = "list"
const comicName = "comic"
const address = () => location.pathname + location.search

/**
 * The place at which the reader left this list; null if this is the first visit.
 * @param {TabState} tab
 */
function placeToReturnTo(tab) {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"))
  if (entry?.type === "navigate" || !hasList()) return null
  const place = JSON.parse(tab.getItem(placeName) ?? "null")
  return place?.address === address() ? { place: /** @type {ListPlace} */ (place), isBack: entry?.type === "back_forward" } : null
}

/** The comic that this page shows, if it does. */
function comicShown() {
  const isLatest = location.pathname === `${base}/`
  const latest = isLatest && document.querySelector(".comic-page .bar .number")?.textContent.replace("#", "")
  return comicIn(location.pathname) || latest
}

/**
 * Notes which comic is shown, for the list that the reader may return to.
 * @param {TabState} tab
 */
function noteComic(tab) {
  const comic = comicShown()
  if (comic) tab.setItem(comicName, comic)
}

/**
 * Sorts a list without a new history entry, so that Back leaves it.
 * @param {MouseEvent} event
 */
function sort(event) {
  const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("nav.segments a")) : null
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  location.replace(link.href)
}

/** @param {TabState} tab */
export function start(tab) {
  document.addEventListener("click", sort)
  // Neither event bubbles.
  document.addEventListener("error", noteMissing, true)
  document.addEventListener("load", noteMissing, true)
  for (const image of document.querySelectorAll(".cover img")) {
    if (image instanceof HTMLImageElement && image.complete && image.currentSrc && image.naturalWidth <= 1) image.dataset.missing = ""
  }
  const returning = placeToReturnTo(tab)
  // Otherwise the browser restores its own scroll position after `pageshow`.
  if (returning) history.scrollRestoration = "manual"
  // Not only when the reader leaves it: Chromium shows a page from its back/forward cache before the one that is left hears of that.
  document.addEventListener("longbox:page", () => noteComic(tab))
  addEventListener("pagehide", () => {
    noteComic(tab)
    if (!hasList()) return
    tab.setItem(placeName, JSON.stringify({ address: address(), ...listPlace() }))
    // What was read before the list is not what the reader returns from.
    if (!comicShown()) tab.removeItem(comicName)
  })
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) {
      noteComic(tab)
      returnTo(null, tab.getItem(comicName))
    } else if (returning) {
      returnTo(returning.place, returning.isBack ? tab.getItem(comicName) : null)
    }
  })
}
