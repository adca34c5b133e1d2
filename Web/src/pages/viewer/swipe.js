// Longbox
// SPDX-License-Identifier: MIT

import * as ends from "../ends.js"
import * as leaves from "../leaves.js"
import { besideCard, rubberBand, turnOf } from "./geometry.js"

/** @typedef {import("../leaves.js").Direction} Direction */
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
    this.#from = leaves.shift()
    this.#hasCard = ends.isOpen()
  }

  /**
   * Moves the page with the finger; less far where there is no comic on that side.
   * @param {number} dx
   */
  follow(dx) {
    if (this.#hasCard) return leaves.follow(besideCard(this.#from, dx, leaves.width()))
    const x = this.#from + dx
    const direction = directionOf(x)
    if (this.#pages.linkTo(direction)) return leaves.follow(x)
    const given = rubberBand(x, leaves.width())
    leaves.follow(given)
    ends.draw(direction, Math.abs(given))
  }

  /**
   * Turns the page if the swipe was far or fast enough; otherwise the page moves back. A swipe back from the card at the end only
   * closes it.
   * @param {number} dx
   * @param {number} velocity in pixels per millisecond
   */
  end(dx, velocity) {
    if (this.#hasCard) return this.#endWithCard(dx, velocity)
    const turn = turnOf({ dx, shift: leaves.shift(), speed: velocity }, leaves.width())
    const link = turn ? this.#pages.linkTo(directionOf(turn)) : null
    if (!link) return this.#endAtEnd(velocity)
    this.#pages.turn(link.pathname + link.search, { direction: directionOf(turn), velocity })
  }

  /**
   * Returns the page to rest, or opens the card if there is no comic on this side (ends.js).
   * @param {number} velocity
   */
  #endAtEnd(velocity) {
    const shift = leaves.shift()
    const direction = directionOf(shift)
    const isPulled = Math.abs(shift) > ends.opensFrom && !this.#pages.linkTo(direction)
    if (isPulled) ends.rest(direction, velocity)
    else this.cancel(velocity)
  }

  /**
   * @param {number} dx
   * @param {number} velocity
   */
  #endWithCard(dx, velocity) {
    if (Math.sign(dx) === Math.sign(this.#from)) ends.rest(directionOf(this.#from), velocity)
    else this.cancel(velocity)
  }

  /** @param {number} [velocity] */
  cancel(velocity = 0) {
    leaves.settle({ velocity })
  }
}
