// Longbox
// SPDX-License-Identifier: MIT

// Turns the page in place. The neighbours are prefetched and their pictures decoded, so that the next comic shows at
// once; they are attached beside the page (neighbours.js), and a swipe moves them in. Without this script each comic is a page load.

import { fetchPage, prefetch, prefetchBeyond, prefetched, parts, take } from "./ahead.js"
import { ComicScrolls } from "./comic-scrolls.js"
import { changeCount, exchange } from "./forms.js"
import * as neighbours from "./neighbours.js"
import { saidCount, sayComic, startStatus } from "./status.js"

/** @typedef {import("./ahead.js").FetchedPage} FetchedPage */
/** @typedef {import("./services.d.ts").Services} Services */
/** @typedef {import("./neighbours.js").Direction} Direction */
/** @typedef {"first" | "previous" | "random" | "next" | "latest"} Target */
/**
 * How a page arrives: the side it comes from, the finger's velocity in pixels per millisecond, whether it is a random
 * comic, whether the browser goes back to it, and whether Back returns from it.
 * @typedef {{ direction?: Direction | undefined, velocity?: number, isBack?: boolean, isRandom?: boolean, isNew?: boolean }} Arrival
 */

/** @type {Services} */
let services

const names = { first: "First comic", previous: "Previous comic", random: "Random comic", next: "Next comic", latest: "Latest comic" }
/** @type {Record<string, Direction>} */
const directions = { [names.next]: "next", [names.latest]: "next", [names.previous]: "previous", [names.first]: "previous" }

/** @param {Target} name */
const linkSelector = (name) => `.pager a[href][aria-label="${names[name]}"]`

/**
 * This page's link to another comic; null if there is none.
 * @param {Target} name
 * @returns {HTMLAnchorElement | null}
 */
export const linkTo = (name) => document.querySelector(linkSelector(name))

/** @param {HTMLAnchorElement} link */
const addressOf = (link) => link.pathname + link.search

/** The direction of the last turn. @type {Direction | undefined} */
let travel
/** The number of comics to prefetch beyond the neighbour, in the direction of the last turn. */
const further = 2

function prefetchNeighbours() {
  for (const direction of /** @type {const} */ (["next", "previous"])) {
    const link = linkTo(direction)
    neighbours.mount(direction, link && { address: addressOf(link), stage: null })
  }
  // Not every browser has `saveData`.
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator)
  if (connection?.saveData) return
  const near = [linkTo("next"), linkTo("previous"), linkTo("random")].filter((link) => link !== null).map(addressOf)
  prefetch(near, ahead)
  const mine = turns
  for (const direction of /** @type {const} */ (["next", "previous"])) {
    const link = linkTo(direction)
    if (!link) continue
    const address = addressOf(link)
    prefetched(address).then((found) => {
      if (found?.stage && mine === turns) neighbours.mount(direction, { address, stage: found.stage })
    })
  }
  const link = travel && linkTo(travel)
  ahead = []
  if (travel && link) prefetchBeyond(addressOf(link), linkSelector(travel), further).then((found) => { if (mine === turns) ahead = found })
}
/** The addresses of the comics prefetched beyond the neighbour. @type {string[]} */
let ahead = []

const current = () => location.pathname + location.search
let shown = current()
let turns = 0
/** Whether the comic of the last turn is still loading. */
let isLoading = false
/** Lets keys act without waiting for it. @type {(value?: unknown) => void} */
let releaseKeys = () => {}
/** The address of the comic shown, until its view is recorded. @type {string | null} */
let unviewed = null
/** Resolves when the history may be changed again, after a sheet was closed. @type {Promise<unknown> | null} */
let leavingSheet = null

/**
 * Shows the comic at an address in place; if that fails, the browser navigates there.
 * @param {string} address
 * @param {Arrival} [arrival]
 */
export function turn(address, arrival = {}) {
  turns += 1
  isLoading = true
  const mine = turns
  // Keys don't wait for a turn that this one replaces.
  releaseKeys()
  const loading = leavingSheet ? leavingSheet.then(() => loadAndShow(address, arrival, mine)) : loadAndShow(address, arrival, mine)
  // Keys pressed now are for the next comic.
  services.keepKeys(Promise.race([loading, new Promise((resolve) => { releaseKeys = resolve })]))
  loading.then((found) => { if (found) recordView(found, mine) })
}

/**
 * @param {string} address
 * @param {Arrival} arrival
 * @param {number} mine
 * @returns {Promise<FetchedPage & { settled: Promise<void> } | null>} the page shown, or null if another turn has begun or
 *   the browser navigates
 */
async function loadAndShow(address, arrival, mine) {
  const { isBack = false, isRandom = false, isNew = false, direction, velocity = 0 } = arrival
  const busy = setTimeout(() => { if (mine === turns) document.documentElement.classList.add("busy") }, 300)
  // After a swipe the page moves out of view even if the comic hasn't loaded yet.
  const wait = setTimeout(() => {
    if (mine === turns && direction && neighbours.isMoving()) neighbours.settle({ to: neighbours.offscreenPosition(direction), velocity })
  }, 16)
  const found = await take(address, () => mine === turns)
  clearTimeout(busy)
  clearTimeout(wait)
  if (mine !== turns) return null
  const isCutOff = !found && !isBack && await services.isCutOff()
  if (mine !== turns) return null
  if (isCutOff) {
    cancel()
    return null
  }
  isLoading = false
  document.documentElement.classList.remove("busy")
  if (!found) {
    if (isBack) location.reload()
    else location.assign(address)
    return null
  }
  scrolls.note(shown, scrollY)
  const top = isNew ? 0 : (isBack ? history.state?.scroll : null) ?? scrolls.of(found.address)
  // Read before any change: afterwards it would force a layout.
  const isElsewhere = scrollY !== top
  const old = neighbours.outgoing()
  if (!isBack) {
    if (isNew && found.address !== shown) addEntry(found.address)
    else replaceEntry(found.address)
    travel = direction
  }
  if (isRandom) randoms = [...randoms, found.address].slice(-100)
  show(found)
  if (isElsewhere || top > 0) scrollTo({ top, behavior: "instant" })
  // No animation on Back: the browser may show its own.
  const settled = isBack ? neighbours.reset() : neighbours.arrive(old, direction, velocity)
  return { ...found, settled: Promise.resolve(settled) }
}

/** Cancels the turn whose comic is still loading. */
function cancel() {
  if (!isLoading) return
  isLoading = false
  turns += 1
  document.documentElement.classList.remove("busy")
  const settled = neighbours.settle()
  releaseKeys()
  // The cancelled turn prevented the view of this comic from being recorded.
  if (unviewed) recordView({ address: unviewed, settled }, turns)
  // Neighbours that loaded during the turn were not attached.
  whenIdle(prefetchNeighbours)
}

/**
 * Replaces the history entry: the next and the previous comic add none.
 * @param {string} address
 */
function replaceEntry(address) {
  try {
    history.replaceState(null, "", address)
  } catch {
    // Safari allows 100 changes in 30 seconds; the next change sets it.
  }
}

/**
 * Adds a history entry, to which Back returns from the comic that is shown now.
 * @param {string} address
 */
function addEntry(address) {
  try {
    noteScroll()
    history.pushState(null, "", address)
  } catch {
    // As above: Back then returns to the comic before.
  }
}

/**
 * Records the view of a page by fetching it once more, since the prefetch did not count as a view.
 * @param {{ address: string, settled: Promise<void> }} found
 * @param {number} mine
 */
async function recordView({ address, settled }, mine) {
  unviewed = address
  const said = saidCount()
  await Promise.race([settled, new Promise((resolve) => { setTimeout(resolve, 500) })])
  if (mine !== turns) return
  unviewed = null
  if (said === saidCount()) sayComic()
  const changes = changeCount()
  const viewed = await fetchPage(address)
  if (mine !== turns) return
  if (viewed) {
    // Changes that the reader has made in the meantime are newer.
    if (changes === changeCount()) exchange(viewed.page)
    if (viewed.page.querySelector(".toast p:not(:empty)")) services.showMessages(viewed.page)
  }
  whenIdle(prefetchNeighbours)
}

/** @param {FetchedPage} found */
function show({ page, parts: adopted, address }) {
  const focused = nameOf(document.activeElement)
  shown = address
  document.title = page.title
  parts.forEach((selector, index) => {
    const next = adopted?.[index] ?? page.querySelector(selector)
    if (next) document.querySelector(selector)?.replaceWith(next)
  })
  services.showMessages(page)
  const canonical = page.querySelector("link[rel=canonical]")?.getAttribute("href")
  if (canonical) document.querySelector("link[rel=canonical]")?.setAttribute("href", canonical)
  for (const part of document.querySelectorAll(".bar > :not(.actions)")) part.animate([{ opacity: 0 }, { opacity: 1 }], 150)
  offerRandomBefore()
  services.prepare()
  if (focused) named(focused)?.focus({ preventScroll: true })
}

/** The random comics shown so far, latest last. @type {string[]} */
let randoms = []

function offerRandomBefore() {
  const before = randoms.findLast((address) => address !== shown)
  const icon = linkTo("random")?.firstElementChild
  if (!before || !icon) return
  // A phone has no room beside the pager, so the link is in the credit line, too.
  for (const neighbour of document.querySelectorAll(".to-any > .chip, footer > .attribution")) {
    const link = document.createElement("a")
    link.className = "button drawn"
    link.href = before
    link.ariaLabel = "Previous random comic"
    link.append("‹", icon.cloneNode(true))
    link.addEventListener("click", () => { randoms = randoms.slice(0, randoms.lastIndexOf(before) + 1) })
    if (neighbour.matches(".chip")) neighbour.before(link)
    else neighbour.after(link)
  }
}

/**
 * The name of a control, to find the same control on the next page.
 * @param {Element | null} element
 */
const nameOf = (element) => element?.closest(".pager, .actions") && element.getAttribute("aria-label")
/** @param {string} name */
const named = (name) => /** @type {HTMLElement | null} */ (document.querySelector(`:is(.pager, .actions) [aria-label="${CSS.escape(name)}"]`))

/** @param {() => void} step */
function whenIdle(step) {
  if ("requestIdleCallback" in window) requestIdleCallback(step, { timeout: 500 })
  else setTimeout(step)
}

/** How far comics were scrolled in this tab. @type {ComicScrolls} */
let scrolls

/** Stores the scroll position for going back. */
function noteScroll() {
  scrolls.note(shown, scrollY)
  if ((history.state?.scroll ?? 0) !== scrollY) history.replaceState({ ...history.state, scroll: scrollY }, "")
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest(".pager a[href], .drawn, .ends a")) : null
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const label = link.ariaLabel ?? ""
  const isNeighbour = label === names.next || label === names.previous
  turn(addressOf(link), {
    direction: directions[label], isRandom: label === names.random || link.pathname.endsWith("/random"), isNew: !isNeighbour,
  })
}

/** @param {Services} given */
export function startPager(given) {
  services = given
  scrolls = new ComicScrolls(given.tab)
  startStatus()
  history.scrollRestoration = "manual"
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"))
  const top = history.state?.scroll ?? (entry?.type === "navigate" ? 0 : scrolls.of(shown))
  if (top) scrollTo({ top, behavior: "instant" })

  document.addEventListener("click", follow)
  document.addEventListener("sheetopen", cancel)
  document.addEventListener("sheetleave", (event) => {
    const left = /** @type {CustomEvent<Promise<unknown>>} */ (event).detail
    leavingSheet = left
    left.then(() => { if (leavingSheet === left) leavingSheet = null })
  })
  addEventListener("popstate", () => {
    if (current() !== shown) return turn(current(), { isBack: true })
    // The browser has only left the entry of a closed sheet. A turn that has started since waits for that.
    if (!leavingSheet) cancel()
  })
  addEventListener("pagehide", noteScroll)
  whenIdle(prefetchNeighbours)
}
