// Longbox
// SPDX-License-Identifier: MIT

import { figure } from "./elements.js"
import { isMeant } from "./geometry.js"

/** @typedef {"next" | "previous"} Direction */
/**
 * The pager's interface for the viewer.
 * @typedef {object} Pages
 * @property {(address: string, arrival: { direction: Direction, offset: number }) => void} turn
 * @property {(direction: Direction) => HTMLAnchorElement | null} linkTo
 */

/** A swipe that turns the page. */
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
   * Moves the picture with the finger; only a fifth as far if there is no comic on that side.
   * @param {number} dx
   */
  follow(dx) {
    const picture = figure()
    if (!picture) return
    picture.classList.remove("arrives", "settles")
    picture.style.transform = dx ? `translateX(${this.#target(dx) ? dx : dx / 5}px)` : ""
  }

  /**
   * Turns the page if the swipe was far or fast enough; otherwise the picture moves back.
   * @param {number} dx
   * @param {number} speed in pixels per millisecond
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
