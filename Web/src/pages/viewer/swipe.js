// Longbox
// SPDX-License-Identifier: MIT

import { figure } from "./elements.js"
import { isMeant } from "./geometry.js"

/** @typedef {"next" | "previous"} Direction */
/**
 * What the viewer needs of the pager.
 * @typedef {object} Pages
 * @property {(address: string, arrival: { direction: Direction, offset: number }) => void} turn
 * @property {(direction: Direction) => HTMLAnchorElement | null} linkTo
 */

/** A finger that draws the picture aside, to turn the page. */
export class Swipe {
  /** @type {Pages} */
  #pages

  /** @param {Pages} pages */
  constructor(pages) {
    this.#pages = pages
  }

  /** @param {number} dx */
  #target(dx) {
    return this.#pages.linkTo(dx < 0 ? "next" : "previous")
  }

  /**
   * The picture follows the finger; where there is no other comic it hardly does.
   * @param {number} dx
   */
  follow(dx) {
    const picture = figure()
    if (!picture) return
    picture.classList.remove("arrives", "settles")
    picture.style.transform = dx ? `translateX(${this.#target(dx) ? dx : dx / 5}px)` : ""
  }

  /**
   * Turns the page where that was meant; else the picture goes back.
   * @param {number} dx
   * @param {number} speed in pixels a millisecond
   */
  end(dx, speed) {
    const link = dx ? this.#target(dx) : null
    if (link && isMeant(dx, speed, innerWidth)) {
      const offset = Math.sign(-dx) * Math.max(48, innerWidth - Math.abs(dx)) / 2
      return this.#pages.turn(link.pathname, { direction: dx < 0 ? "next" : "previous", offset })
    }
    const picture = figure()
    picture?.classList.add("settles")
    if (picture) picture.style.transform = ""
  }
}
