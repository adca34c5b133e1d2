// Longbox
// SPDX-License-Identifier: MIT

// Brings a page up to date after a change that it doesn't know of: on another device, by a new comic, or while the browser
// kept the page in its back/forward cache.

import { listen } from "./service-worker.js"

/** The name of the display settings of the page loaded last: the attributes of its document. */
const lookName = "look"
/** @type {import("./tab-state.js").TabState} */
let tab

/** The shortest time from change to change, in milliseconds. */
const shortest = 2_000

let hasChanged = false
/** Whether the change is shown once a message has ended. */
let isWaiting = false
/** Counts what the reader presses and sends. */
let uses = 0

/** Whether something has changed that this page may not show. */
export const isOld = () => hasChanged

/** The attributes of the document that settings change (settings-saving.js). */
const lookNames = ["appearance", "pictures", "doubleTap", "shortcuts", "text"]

/** Notes this page's settings, for pages from the back/forward cache. Pages without a library show none. */
function noteLook() {
  const { dataset } = document.documentElement
  if ("file" in dataset || document.querySelector(".sign-in")) return
  tab.setItem(lookName, JSON.stringify(dataset))
}

/**
 * Shows the settings that another page has.
 * @param {DOMStringMap} look the attributes of its document
 */
export function showLook(look) {
  const { dataset } = document.documentElement
  for (const name of lookNames) {
    if (look[name] === undefined) delete dataset[name]
    else dataset[name] = look[name]
  }
  noteLook()
}

/**
 * The page's list; a list in which the reader selects stays as it is.
 * @param {Document | null} page
 */
const listOf = (page) => page?.querySelector(".overview, .favorites:not(:has(.selecting)), .quiz-kinds")
/** @param {Element} list */
const comicsOf = (list) => [...list.querySelectorAll("li")].map(({ id }) => id).join(" ")

/** Whether a change would take away a message, a selection, or what the reader types. */
function isInUse() {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("main :is(input, textarea)"))
  return [...fields].some((field) => field === document.activeElement || field.value !== field.defaultValue)
    || getSelection()?.isCollapsed === false || document.querySelector("dialog[open], .in-use, .toast p:not(:empty)") !== null
}

/** Fetches this page again, which doesn't count as a view; null if that fails. */
async function newerPage() {
  const response = await fetch(location.href, { headers: { accept: "text/html", purpose: "prefetch" } }).catch(() => null)
  return response?.ok ? new DOMParser().parseFromString(await response.text().catch(() => ""), "text/html") : null
}

/**
 * Replaces what differs in a newer version of an element that has as many children.
 * @param {Element} before
 * @param {Element} after
 */
function update(before, after) {
  const newer = [...after.childNodes]
  for (const [place, child] of [...before.childNodes].entries()) {
    const next = newer[place]
    if (!next || child.isEqualNode(next)) continue
    const isAlike = child instanceof Element && next instanceof Element && child.nodeName === next.nodeName
      && child.hasChildNodes() && child.childNodes.length === next.childNodes.length
    if (!isAlike) {
      child.replaceWith(next)
      continue
    }
    // The reader may have opened it.
    for (const name of child.getAttributeNames()) if (name !== "open" && !next.hasAttribute(name)) child.removeAttribute(name)
    for (const { name, value } of next.attributes) child.setAttribute(name, value)
    update(child, next)
  }
}

/** Shows a change: marks in place, other comics in a list by a reload, which keeps the scroll position. */
async function bringUpToDate() {
  hasChanged = true
  isWaiting = false
  // For a comic's page (forms.js).
  document.dispatchEvent(new Event("longbox:changed"))
  const [before, used] = [listOf(document), uses]
  const page = before ? await newerPage() : null
  const after = listOf(page)
  if (!before || !page || !after || listOf(document) !== before) return
  // The reader may be on the way to another page.
  if (isInUse() || used !== uses) {
    isWaiting = true
    return
  }
  // The scripts of a list know its comics.
  if (comicsOf(before) !== comicsOf(after) || before.childNodes.length !== after.childNodes.length) return location.reload()
  update(before, after)
  showLook(page.documentElement.dataset)
  hasChanged = false
}

/** Shows a change that has waited for the end of a message. */
export const showWaitingChange = () => { if (isWaiting) bringUpToDate() }

let timer = 0
let last = 0

/** While a server fetches its comics, changes follow each other. */
function bringUpToDateSoon() {
  if (timer) return
  timer = setTimeout(() => {
    timer = 0
    last = Date.now()
    bringUpToDate()
  }, Math.max(0, last + shortest - Date.now()))
}

/** Whether this page was built from an answer that the browser had kept: on the way back WebKit does so even beside the worker. */
function isFromHistory() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"))
  // An answer of the worker for this very page has a time after the page's start.
  return entry?.type === "back_forward" && entry.workerStart <= 0
}

/** Shows what has changed since the reader left this page. */
function renew() {
  const look = tab.getItem(lookName)
  if (look) showLook(JSON.parse(look))
  bringUpToDate()
}

/** @param {import("./tab-state.js").TabState} state */
export function startChanges(state) {
  tab = state
  if (isFromHistory()) renew()
  else noteLook()
  for (const kind of ["click", "submit"]) document.addEventListener(kind, () => { uses += 1 }, true)
  listen({ changed: bringUpToDateSoon })
  addEventListener("pageshow", ({ persisted }) => { if (persisted) renew() })
}
