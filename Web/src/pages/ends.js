// Longbox
// SPDX-License-Identifier: MIT

// The card beside the first and the latest comic. A swipe beyond the end shows it, and so do the pager's disabled links.

import { closeCaption } from "./caption.js"
import * as leaves from "./leaves.js"
import { say } from "./status.js"

/** @typedef {import("./leaves.js").Direction} Direction */

/** How far the page is moved aside while the card is open, in pixels. */
const open = 116
/** The minimum length of a swipe that opens the card, in pixels. */
export const opensFrom = 64
/** The length of a swipe at which the card starts to appear, in pixels; at `opensFrom` it is opaque. */
const appearsFrom = 24

/** @type {HTMLElement | null} */
let card = null

/**
 * Why there is no comic in a direction.
 * @param {Direction} direction
 */
const reasonFor = (direction) =>
  /** @type {HTMLElement | null} */ (document.querySelector(`.pager [aria-disabled][aria-label="${direction === "next" ? "Next" : "Previous"} comic"]`))?.title ?? ""

/**
 * @param {string} name
 * @param {string} address
 * @param {string} icon
 */
function makeLink(name, address, icon) {
  const link = document.createElement("a")
  link.className = "button"
  link.href = address
  link.innerHTML = `<i>${icon}</i>`
  link.append(name)
  return link
}

/** @param {Direction} direction */
function make(direction) {
  const made = document.createElement("aside")
  made.className = `ends ${direction}`
  made.ariaLabel = direction === "next" ? "Latest comic" : "First comic"
  made.inert = true
  const [first = "", ...rest] = reasonFor(direction).split(". ")
  const heading = document.createElement("h2")
  heading.textContent = first.replace(/\.$/, "")
  const more = document.createElement("p")
  more.textContent = rest.join(". ").replace(/\.$/, "")
  const die = document.querySelector(".pager a[href*='/random'] svg")?.outerHTML ?? ""
  const { base = "" } = document.documentElement.dataset
  const clock = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 3.5a8.5 8.5 0 1 0 .01 0zM12 7.5V12l3 2.500"/></svg>'
  made.append(heading, more, makeLink("Random", `${base}/random`, die), makeLink("Oldest unread", `${base}/unread`, clock))
  return made
}

/**
 * Shows the card next to a page that was dragged by a distance.
 * @param {Direction} direction
 * @param {number} distance
 */
export function draw(direction, distance) {
  if (card && !card.classList.contains(direction)) close()
  if (!card) {
    closeCaption()
    card = make(direction)
    document.querySelector(".pages")?.prepend(card)
  }
  card.style.opacity = String(Math.min(1, Math.max(0, (distance - appearsFrom) / (opensFrom - appearsFrom))))
}

function close() {
  card?.remove()
  card = null
}

/**
 * Opens the card, until the next touch.
 * @param {Direction} direction
 * @param {number} [velocity] in pixels per millisecond
 */
export function rest(direction, velocity = 0) {
  leaves.follow(leaves.shift())
  draw(direction, open)
  if (card) card.inert = false
  leaves.settle({ to: direction === "next" ? -open : open, velocity })
  say(reasonFor(direction))
}

export const isOpen = () => card !== null && !card.inert

/** @param {Element} target */
function press(target) {
  const link = target.closest(".pager [aria-disabled]")
  if (link) return rest(/Next|Latest/.test(link.ariaLabel ?? "") ? "next" : "previous")
  if (isOpen() && !target.closest(".ends")) leaves.settle()
}

export function startEnds() {
  leaves.onRest(close)
  document.addEventListener("click", ({ target }) => { if (target instanceof Element) press(target) })
  document.addEventListener("keydown", (event) => {
    const link = event.target instanceof Element && event.key === "Enter" ? event.target.closest(".pager [aria-disabled]") : null
    if (link) press(link)
    else if (event.key === "Escape" && isOpen()) leaves.settle()
  })
}
