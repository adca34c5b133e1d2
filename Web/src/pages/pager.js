// Longbox
// SPDX-License-Identifier: MIT

// Turns the page in place. The neighbours are prefetched and their pictures decoded, so that the next comic shows at
// once; they lie beside the page (leaves.js), and a swipe draws them in. Without this script each comic is a page load.

import { awaited, fetchPage, prefetch, prefetchBeyond, parts, take } from "./ahead.js"
import { changeCount, exchange } from "./forms.js"
import * as leaves from "./leaves.js"
import { saidCount, sayComic, startStatus } from "./status.js"

/** @typedef {import("./ahead.js").FetchedPage} FetchedPage */
/** @typedef {import("./services.d.ts").Services} Services */
/** @typedef {import("./leaves.js").Direction} Direction */
/** @typedef {"first" | "previous" | "random" | "next" | "latest"} Place */
/**
 * How a page arrives: from which side, at which velocity of a finger in pixels per millisecond, as a random comic, or by
 * the browser's Back.
 * @typedef {{ direction?: Direction | undefined, velocity?: number, isBack?: boolean, isRandom?: boolean }} Arrival
 */

/** @type {Services} */
let services

const names = { first: "First comic", previous: "Previous comic", random: "Random comic", next: "Next comic", latest: "Latest comic" }
/** @type {Record<string, Direction>} */
const directions = { [names.next]: "next", [names.latest]: "next", [names.previous]: "previous", [names.first]: "previous" }

/** @param {Place} name */
const linkSelector = (name) => `.pager a[href][aria-label="${names[name]}"]`

/**
 * This page's link to another comic; null if there is none.
 * @param {Place} name
 * @returns {HTMLAnchorElement | null}
 */
export const linkTo = (name) => document.querySelector(linkSelector(name))

/** @param {HTMLAnchorElement} link */
const addressOf = (link) => link.pathname + link.search

/** The direction of the last turn. @type {Direction | undefined} */
let travel
/** How many comics beyond the neighbour are fetched in the direction of travel. */
const further = 2

function prefetchNeighbours() {
  for (const direction of /** @type {const} */ (["next", "previous"])) {
    const link = linkTo(direction)
    leaves.mount(direction, link && { address: addressOf(link), stage: null })
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
    awaited(address).then((found) => {
      if (found?.stage && mine === turns) leaves.mount(direction, { address, stage: found.stage })
    })
  }
  const link = travel && linkTo(travel)
  ahead = []
  if (travel && link) prefetchBeyond(addressOf(link), linkSelector(travel), further).then((found) => { if (mine === turns) ahead = found })
}
/** The addresses of the comics fetched beyond the neighbour. @type {string[]} */
let ahead = []

let shown = location.pathname
let turns = 0
/** Whether the comic of the last turn is on its way. */
let isComing = false
/** Ends the waiting of keys for it. @type {(value?: unknown) => void} */
let giveUp = () => {}
/** The address of the comic shown, until it is noted as viewed. @type {string | null} */
let unviewed = null
/** What to wait for before the history may be changed, after a sheet was closed. @type {Promise<unknown> | null} */
let leavingSheet = null

/**
 * Shows the comic at an address in place; if that fails, the browser navigates there.
 * @param {string} address
 * @param {Arrival} [arrival]
 */
export function turn(address, arrival = {}) {
  turns += 1
  isComing = true
  const mine = turns
  // Keys don't wait for a turn that this one overtakes.
  giveUp()
  const come = leavingSheet ? leavingSheet.then(() => bring(address, arrival, mine)) : bring(address, arrival, mine)
  // Keys pressed now are for the next comic.
  services.keepKeys(Promise.race([come, new Promise((resolve) => { giveUp = resolve })]))
  come.then((found) => { if (found) noteView(found, mine) })
}

/**
 * @param {string} address
 * @param {Arrival} arrival
 * @param {number} mine
 * @returns {Promise<FetchedPage & { settled: Promise<void> } | null>} the page shown, or null if another turn has begun or
 *   the browser navigates
 */
async function bring(address, arrival, mine) {
  const { isBack = false, isRandom = false, direction, velocity = 0 } = arrival
  const busy = setTimeout(() => { if (mine === turns) document.documentElement.classList.add("busy") }, 300)
  // After a swipe the page moves on to its place, although the comic isn't here yet.
  const wait = setTimeout(() => {
    if (mine === turns && direction && leaves.isMoving()) leaves.settle({ to: leaves.offscreenPosition(direction), velocity })
  }, 16)
  const found = await take(address, () => mine === turns)
  clearTimeout(busy)
  clearTimeout(wait)
  if (mine !== turns) return null
  isComing = false
  document.documentElement.classList.remove("busy")
  if (!found) {
    if (isBack) location.reload()
    else location.assign(address)
    return null
  }
  const top = isBack ? history.state?.scroll ?? 0 : 0
  // Read before any change, which would force a layout.
  const isElsewhere = scrollY !== top
  const left = leaves.leave()
  if (!isBack) {
    noteTurn(found.address)
    travel = direction
  }
  if (isRandom) randoms = [...randoms, found.address].slice(-100)
  show(found)
  if (isElsewhere || top > 0) scrollTo({ top, behavior: "instant" })
  // The browser may show a transition of its own on Back.
  const settled = isBack ? leaves.reset() : leaves.arrive(left, direction, velocity)
  return { ...found, settled: Promise.resolve(settled) }
}

/** Cancels the turn whose comic is still on its way. */
function cancel() {
  if (!isComing) return
  isComing = false
  turns += 1
  document.documentElement.classList.remove("busy")
  const settled = leaves.settle()
  giveUp()
  // The turn has kept the comic that stays from being noted.
  if (unviewed) noteView({ address: unviewed, settled }, turns)
  // Those that came during the turn were not put beside the page.
  whenIdle(prefetchNeighbours)
}

/**
 * Opening a comic is one step of the browser's history; going on to the next comic doesn't add to it.
 * @param {string} address
 */
function noteTurn(address) {
  try {
    history.replaceState(null, "", address)
  } catch {
    // Safari allows 100 changes in 30 seconds; the next one tells the address.
  }
}

/**
 * Fetches a shown page once more as a view, since the prefetch did not count as one.
 * @param {{ address: string, settled: Promise<void> }} found
 * @param {number} mine
 */
async function noteView({ address, settled }, mine) {
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
    // The reader's own changes in the meantime are newer.
    if (changes === changeCount()) exchange(viewed.page)
    if (viewed.page.querySelector(".toast p:not(:empty)")) services.showMessages(viewed.page)
  }
  whenIdle(prefetchNeighbours)
}

/** @param {FetchedPage} found */
function show({ page, parts: come, address }) {
  const focused = nameOf(document.activeElement)
  shown = address
  document.title = page.title
  parts.forEach((selector, index) => {
    const next = come?.[index] ?? page.querySelector(selector)
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
  // A phone has no room beside the pager: there the link stands in the credit line.
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
 * The name of a control, by which the next page's counterpart is found.
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

/** Stores the scroll position for going back. */
function noteScroll() {
  if ((history.state?.scroll ?? 0) !== scrollY) history.replaceState({ ...history.state, scroll: scrollY }, "")
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest(".pager a[href], .drawn, .ends a")) : null
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const label = link.ariaLabel ?? ""
  turn(addressOf(link), { direction: directions[label], isRandom: label === names.random || link.pathname.endsWith("/random") })
}

/** @param {Services} given */
export function startPager(given) {
  services = given
  startStatus()
  history.scrollRestoration = "manual"
  if (history.state?.scroll) scrollTo({ top: history.state.scroll, behavior: "instant" })

  document.addEventListener("click", follow)
  document.addEventListener("sheetopen", cancel)
  document.addEventListener("sheetleave", (event) => {
    const left = /** @type {CustomEvent<Promise<unknown>>} */ (event).detail
    leavingSheet = left
    left.then(() => { if (leavingSheet === left) leavingSheet = null })
  })
  addEventListener("popstate", () => {
    if (location.pathname !== shown) return turn(location.pathname, { isBack: true })
    // Only the entry of a closed sheet was left. A turn that has begun since waits for that.
    if (!leavingSheet) cancel()
  })
  addEventListener("pagehide", noteScroll)
  whenIdle(prefetchNeighbours)
}
