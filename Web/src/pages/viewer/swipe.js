// Longbox
// SPDX-License-Identifier: MIT

import * as neighbours from "../neighbours.js"
import { say } from "../status.js"
import { closeCaption } from "./caption.js"
import { besideCard, rubberBand, turnOf } from "./geometry.js"

/** @typedef {import("../neighbours.js").Direction} Direction */
/**
 * The pager's interface for the viewer.
 * @typedef {object} Pages
 * @property {(address: string, arrival: { direction: Direction, velocity: number }) => void} turn
 * @property {(direction: Direction) => HTMLAnchorElement | null} linkTo
 */

/** @param {number} x a distance: to the left, the next comic comes */
const directionOf = (x) => x < 0 ? "next" : "previous"

/** A swipe that turns the page. */
export class Swipe {
  /** @type {Pages} */
  #pages
  /** The page's offset from rest when the swipe began. */
  #from = 0
  /** Whether the card at the end was open when the swipe began. */
  #hasCard = false

  /** @param {Pages} pages */
  constructor(pages) {
    this.#pages = pages
  }

  begin() {
    this.#from = neighbours.shift()
    this.#hasCard = isCardOpen()
  }

  /**
   * Moves the page with the finger; less far where there is no comic on that side.
   * @param {number} dx
   */
  follow(dx) {
    if (this.#hasCard) return neighbours.follow(besideCard(this.#from, dx, neighbours.width()))
    const x = this.#from + dx
    const direction = directionOf(x)
    if (this.#pages.linkTo(direction)) return neighbours.follow(x)
    const given = rubberBand(x, neighbours.width())
    neighbours.follow(given)
    drawCard(direction, Math.abs(given))
  }

  /**
   * Turns the page if the swipe was far or fast enough; otherwise the page moves back. A swipe back from the card at the end only
   * closes it.
   * @param {number} dx
   * @param {number} velocity in pixels per millisecond
   */
  end(dx, velocity) {
    if (this.#hasCard) return this.#endWithCard(dx, velocity)
    const turn = turnOf({ dx, shift: neighbours.shift(), speed: velocity }, neighbours.width())
    const link = turn ? this.#pages.linkTo(directionOf(turn)) : null
    if (!link) return this.#endAtEnd(velocity)
    this.#pages.turn(link.pathname + link.search, { direction: directionOf(turn), velocity })
  }

  /**
   * Returns the page to rest, or opens the card if there is no comic on this side.
   * @param {number} velocity
   */
  #endAtEnd(velocity) {
    const shift = neighbours.shift()
    const direction = directionOf(shift)
    const isPulled = Math.abs(shift) > opensFrom && !this.#pages.linkTo(direction)
    if (isPulled) openCard(direction, velocity)
    else this.cancel(velocity)
  }

  /**
   * @param {number} dx
   * @param {number} velocity
   */
  #endWithCard(dx, velocity) {
    if (Math.sign(dx) === Math.sign(this.#from)) openCard(directionOf(this.#from), velocity)
    else this.cancel(velocity)
  }

  /** @param {number} [velocity] */
  cancel(velocity = 0) {
    neighbours.settle({ velocity })
  }
}

// The card beside the first and the latest comic. A swipe beyond the end shows it, and so do the pager's disabled links.

/** How far the page is moved aside while the card is open, in pixels. */
const openShift = 116
/** The minimum length of a swipe that opens the card, in pixels. */
const opensFrom = 64
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
function makeCard(direction) {
  const made = document.createElement("aside")
  made.className = `ends ${direction}`
  const isInList = document.querySelector(".list-strip") !== null
  const names = isInList ? { next: "End of this list", previous: "Start of this list" } : { next: "Latest comic", previous: "First comic" }
  made.ariaLabel = names[direction]
  made.inert = true
  const [first = "", ...rest] = reasonFor(direction).split(". ")
  const heading = document.createElement("h2")
  heading.textContent = first.replace(/\.$/, "")
  const more = document.createElement("p")
  more.textContent = rest.join(". ").replace(/\.$/, "")
  const { base = "" } = document.documentElement.dataset
  // In a list it leads to another comic of the list.
  const random = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".pager a[href*='/random']"))
  const die = random?.querySelector("svg")?.outerHTML ?? ""
  const clock = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 3.5a8.5 8.5 0 1 0 .01 0zM12 7.5V12l3 2.500"/></svg>'
  made.append(heading, more, makeLink("Random", random?.href ?? `${base}/random`, die), makeLink("Oldest unread", `${base}/unread`, clock))
  return made
}

/**
 * Shows the card next to a page that was dragged by a distance.
 * @param {Direction} direction
 * @param {number} distance
 */
function drawCard(direction, distance) {
  if (card && !card.classList.contains(direction)) removeCard()
  if (!card) {
    closeCaption()
    card = makeCard(direction)
    document.querySelector(".pages")?.prepend(card)
  }
  card.style.opacity = String(Math.min(1, Math.max(0, (distance - appearsFrom) / (opensFrom - appearsFrom))))
}

function removeCard() {
  card?.remove()
  card = null
}

/**
 * Opens the card, until the next touch.
 * @param {Direction} direction
 * @param {number} [velocity] in pixels per millisecond
 */
function openCard(direction, velocity = 0) {
  neighbours.follow(neighbours.shift())
  drawCard(direction, openShift)
  if (card) card.inert = false
  neighbours.settle({ to: direction === "next" ? -openShift : openShift, velocity })
  say(reasonFor(direction))
}

const isCardOpen = () => card !== null && !card.inert

/** @param {Element} target */
function press(target) {
  const link = target.closest(".pager [aria-disabled]")
  if (link) return openCard(/Next|Latest/.test(link.ariaLabel ?? "") ? "next" : "previous")
  if (isCardOpen() && !target.closest(".ends")) neighbours.settle()
}

export function startEnds() {
  neighbours.onRest(removeCard)
  document.addEventListener("click", ({ target }) => { if (target instanceof Element) press(target) })
  document.addEventListener("keydown", (event) => {
    const link = event.target instanceof Element && event.key === "Enter" ? event.target.closest(".pager [aria-disabled]") : null
    if (link) press(link)
    else if (event.key === "Escape" && isCardOpen()) neighbours.settle()
  })
}
