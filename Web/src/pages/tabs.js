// Longbox
// SPDX-License-Identifier: MIT

// Keeps the reader's place in each tab of the navigation. Pressing a tab returns there; pressing the current one, to the
// top.

import { isOld } from "./changes.js"
import { listPlace, returnTo } from "./covers.js"
import { reselect, stateKey, TabPlaces } from "./tab-state.js"

const { base = "" } = document.documentElement.dataset
/** The tabs' own addresses, by name. @type {Readonly<Record<string, string>>} */
const homes = {
  Comics: `${base}/`, Favorites: `${base}/favorites`, Search: `${base}/search`, Albums: `${base}/albums`,
  Settings: `${base}/settings`,
}

/** @type {TabPlaces} */
let places
/** @type {import("./tab-state.js").TabState} */
let state
const arrivalName = "arrival"
const tabs = () => /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".tabs .tab"))
const nameOf = (/** @type {HTMLElement} */ tab) => tab.textContent.trim()
const current = () => /** @type {HTMLAnchorElement | null} */ (document.querySelector(".tabs [aria-current]"))

/** Stores where the reader is, except on a page that is the response to a form. */
function notePlace() {
  const tab = current()
  if (!tab || document.querySelector(".message-page")) return
  places.note(nameOf(tab), { address: location.pathname + location.search, ...listPlace() })
}

/** Makes each other tab link to the place where the reader left it. */
function point() {
  for (const tab of tabs()) {
    const place = tab === current() ? null : places.of(nameOf(tab))
    if (place) tab.href = place.address
  }
}

/** @param {MouseEvent} event */
function press(event) {
  const tab = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest(".tabs .tab")) : null
  if (!tab || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (tab !== current()) {
    const place = places.of(nameOf(tab))
    if (place) state.setItem(arrivalName, JSON.stringify(place))
    return
  }
  const home = homes[nameOf(tab)] ?? `${base}/`
  // Lists show a change by themselves; on other pages, what was typed stays.
  const isOldComic = isOld() && document.querySelector(".comic-page") !== null
  const step = reselect({ scroll: scrollY, path: location.pathname, home, isOld: isOldComic })
  if (step === "follow") {
    tab.href = home
    return
  }
  event.preventDefault()
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches
  scrollTo({ top: 0, behavior: isCalm ? "instant" : "smooth" })
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector(".search-box [name=q], .artist-box [name=artist]"))
  box?.focus()
}

/** Scrolls to where the reader was, if a tab has led here. */
function arrive() {
  const kept = state.getItem(arrivalName)
  state.removeItem(arrivalName)
  if (!kept) return
  /** @type {import("./tab-state.js").TabPlace} */
  const place = JSON.parse(kept)
  if (place.address === location.pathname + location.search) returnTo(place)
}

/** @param {import("./tab-state.js").TabState} given */
export function startTabs(given) {
  state = given
  places = new TabPlaces(state)
  arrive()
  point()
  document.addEventListener("click", press)
  // A page may be discarded after it was hidden.
  document.addEventListener("visibilitychange", notePlace)
  addEventListener("pagehide", notePlace)
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) point()
  })
  // In Chromium the page that is left notes its place after that.
  addEventListener("storage", ({ key }) => {
    if (key === stateKey) point()
  })
}
