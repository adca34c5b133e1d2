// Longbox
// SPDX-License-Identifier: MIT

// Turns the page in place. The neighbours are prefetched and their pictures decoded, so that the next comic shows at
// once. Without this script each comic is a page load.

import { fetchPage, lookAhead, parts, take } from "./ahead.js"
import { changeCount, exchange } from "./forms.js"
import { showMessages } from "./toast.js"

/** @typedef {import("./ahead.js").FetchedPage} FetchedPage */
/** @typedef {import("./services.d.ts").Services} Services */
/** @typedef {"first" | "previous" | "random" | "next" | "latest"} Place */
/**
 * How a page arrives: from which side and how far off, as a random comic, or by the browser's Back.
 * @typedef {{ direction?: "next" | "previous" | undefined, isBack?: boolean, isRandom?: boolean, offset?: number }} Arrival
 */

/** @type {Services} */
let services

const canMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches

const names = { first: "First comic", previous: "Previous comic", random: "Random comic", next: "Next comic", latest: "Latest comic" }
/** @type {Record<string, "next" | "previous">} */
const directions = { [names.next]: "next", [names.latest]: "next", [names.previous]: "previous", [names.first]: "previous" }

/**
 * This page's link to another comic; null if there is none.
 * @param {Place} name
 * @returns {HTMLAnchorElement | null}
 */
export const linkTo = (name) => document.querySelector(`.pager a[href][aria-label="${names[name]}"]`)

/** @param {HTMLAnchorElement} link */
const addressOf = (link) => link.pathname + link.search

function lookAround() {
  // Not every browser has `saveData`.
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator)
  if (connection?.saveData) return
  lookAhead([linkTo("next"), linkTo("previous"), linkTo("random")].filter((link) => link !== null).map(addressOf))
}

let shown = location.pathname
let turns = 0

/**
 * Shows the comic at an address in place; if that fails, the browser navigates there.
 * @param {string} address
 * @param {Arrival} [arrival]
 */
export function turn(address, arrival = {}) {
  turns += 1
  const mine = turns
  const come = bring(address, arrival, mine)
  // Keys pressed now are for the next comic.
  services.keepKeys(come)
  come.then((found) => { if (found) noteView(found, mine) })
}

/**
 * @param {string} address
 * @param {Arrival} arrival
 * @param {number} mine
 * @returns {Promise<FetchedPage | null>} the page shown, or null if another turn has begun or the browser navigates
 */
async function bring(address, arrival, mine) {
  const { isBack = false, isRandom = false } = arrival
  const busy = setTimeout(() => { if (mine === turns) document.documentElement.classList.add("busy") }, 300)
  const found = await take(address)
  clearTimeout(busy)
  if (mine !== turns) return null
  document.documentElement.classList.remove("busy")
  if (!found) {
    if (isBack) location.reload()
    else location.assign(address)
    return null
  }
  const top = isBack ? history.state?.scroll ?? 0 : 0
  // Read before any change, which would force a layout.
  const isElsewhere = scrollY !== top
  if (!isBack) {
    noteScroll()
    history.pushState({ isTurned: true }, "", found.address)
  }
  if (isRandom) randoms = [...randoms, found.address].slice(-100)
  show(found, arrival)
  if (isElsewhere || top > 0) scrollTo({ top, behavior: "instant" })
  return found
}

/**
 * Fetches a shown page once more as a view, since the prefetch did not count as one.
 * @param {FetchedPage} found
 * @param {number} mine
 */
async function noteView({ address }, mine) {
  await painted()
  const changes = changeCount()
  const viewed = await fetchPage(address)
  if (viewed && mine === turns) {
    // The reader's own changes in the meantime are newer.
    if (changes === changeCount()) exchange(viewed.page)
    if (viewed.page.querySelector(".messages .notice")) showMessages(viewed.page, services)
  }
  whenIdle(lookAround)
}

/**
 * @param {FetchedPage} found
 * @param {Arrival} arrival
 */
function show({ page, parts: come, address }, { direction, offset = 0 }) {
  const focused = nameOf(document.activeElement)
  shown = address
  document.title = page.title
  parts.forEach((selector, index) => {
    const next = come?.[index] ?? page.querySelector(selector)
    if (next) document.querySelector(selector)?.replaceWith(next)
  })
  showMessages(page, services)
  const canonical = page.querySelector("link[rel=canonical]")?.getAttribute("href")
  if (canonical) document.querySelector("link[rel=canonical]")?.setAttribute("href", canonical)
  const picture = /** @type {HTMLElement | null} */ (document.querySelector(".picture"))
  if (picture && direction && canMove()) {
    picture.style.setProperty("--from", `${offset || (direction === "next" ? 48 : -48)}px`)
    picture.classList.add("arrives")
  }
  offerRandomBefore()
  services.prepare()
  if (focused) named(focused)?.focus({ preventScroll: true })
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".picture img"))
  announcer.textContent = image?.alt ?? document.title
}

/** The random comics shown so far, latest last. @type {string[]} */
let randoms = []

function offerRandomBefore() {
  const before = randoms.findLast((address) => address !== shown)
  const icon = linkTo("random")?.firstElementChild
  if (!before || !icon) return
  const link = document.createElement("a")
  link.className = "button drawn"
  link.href = before
  link.ariaLabel = "Previous random comic"
  link.append("‹", icon.cloneNode(true))
  link.addEventListener("click", () => { randoms = randoms.slice(0, randoms.lastIndexOf(before) + 1) })
  document.querySelector(".to-any > a")?.before(link)
}

/**
 * The name of a control, by which the next page's counterpart is found.
 * @param {Element | null} element
 */
const nameOf = (element) => element?.closest(".pager, .actions") && element.getAttribute("aria-label")
/** @param {string} name */
const named = (name) => /** @type {HTMLElement | null} */ (document.querySelector(`:is(.pager, .actions) [aria-label="${CSS.escape(name)}"]`))

const announcer = document.createElement("div")
announcer.className = "announcer"
announcer.ariaLive = "polite"

/** @param {() => void} step */
function whenIdle(step) {
  if ("requestIdleCallback" in window) requestIdleCallback(step, { timeout: 500 })
  else setTimeout(step)
}

/** Resolves after the next paint, or after 250 ms, since a hidden page does not paint. */
const painted = () => /** @type {Promise<void>} */ (new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve))
  setTimeout(resolve, 250)
}))

/** Stores the scroll position for going back. */
function noteScroll() {
  if ((history.state?.scroll ?? 0) !== scrollY) history.replaceState({ ...history.state, scroll: scrollY }, "")
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest(".pager a[href], .drawn")) : null
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const label = link.ariaLabel ?? ""
  turn(addressOf(link), { direction: directions[label], isRandom: label === names.random })
}

/** @param {Services} given */
export function startPager(given) {
  services = given
  document.body.append(announcer)
  history.scrollRestoration = "manual"
  if (history.state?.scroll) scrollTo({ top: history.state.scroll, behavior: "instant" })

  document.addEventListener("click", follow)
  addEventListener("popstate", () => {
    if (location.pathname !== shown) return turn(location.pathname, { isBack: true })
    // Back at the comic still shown: cancel the pending turn.
    turns += 1
    document.documentElement.classList.remove("busy")
  })
  addEventListener("pagehide", noteScroll)
  whenIdle(lookAround)
}
