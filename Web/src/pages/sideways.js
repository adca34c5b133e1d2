// Longbox
// SPDX-License-Identifier: MIT

// A phone in landscape. Fits a comic into the window if its text can still be read. Puts it between the title and the
// buttons if it is larger there than below them. Hides the bars while the reader scrolls down.

import { fitsWhole } from "./viewer/geometry.js"

/** As in layout-sideways.css. */
export const isSideways = matchMedia("(max-height: 31em) and (min-width: 30em)")

/** The width of the title's column, and of that of the buttons, in pixels; as in layout-sideways.css. */
const column = 168

/**
 * @param {{ width: number, height: number }} picture
 * @param {{ width: number, height: number }} room
 */
const scaleIn = (picture, room) => Math.min(1, room.width / picture.width, room.height / picture.height)

/**
 * Fits the pictures of a page.
 * @param {ParentNode} [page]
 */
export function fit(page = document) {
  if (!isSideways.matches) {
    for (const element of page.querySelectorAll(".fitted, .beside")) element.classList.remove("fitted", "beside")
    return
  }
  const frame = document.querySelector(".pages")
  const bar = document.querySelector(".bar")
  if (!frame || !bar) return
  const space = { width: frame.clientWidth, height: innerHeight - bar.clientHeight - 24 }
  const middle = { width: frame.clientWidth - 2 * column, height: innerHeight - 16 }
  for (const image of page.querySelectorAll(/** @type {"img"} */ (".stage > .picture:not(.absent) img"))) {
    const size = { width: Number(image.getAttribute("width")), height: Number(image.getAttribute("height")) }
    const stage = image.closest(".stage")
    const isBeside = stage?.childElementCount === 1 && fitsWhole(size, middle) && scaleIn(size, middle) > scaleIn(size, space)
    stage?.classList.toggle("beside", isBeside)
    image.closest(".picture")?.classList.toggle("fitted", isBeside || fitsWhole(size, space))
  }
}

/** The scroll distance after which the bars hide or show, in pixels. */
const reach = 12

function watchScrolling() {
  /** The scroll position at which the direction last changed. */
  let reversal = scrollY
  addEventListener("scroll", () => {
    const { classList } = document.documentElement
    const isDown = classList.contains("scrolls-down")
    const moved = scrollY - reversal
    if (isDown ? moved > 0 : moved < 0) reversal = scrollY
    else if (Math.abs(moved) > reach || scrollY <= 0) {
      classList.toggle("scrolls-down", moved > 0 && scrollY > 0)
      reversal = scrollY
    }
  }, { passive: true })
}

export function startSideways() {
  fit()
  document.addEventListener("longbox:page", () => fit())
  addEventListener("resize", () => fit())
  watchScrolling()
}
