// Longbox
// SPDX-License-Identifier: MIT

// A phone on its side: a comic is fitted whole where it can still be read, and the bars go while the reader scrolls down.

import { fitsWhole } from "./viewer/geometry.js"

/** As in layout-sideways.css. */
const isSideways = matchMedia("(max-height: 31em) and (min-width: 30em)")

/**
 * Fits the pictures of a page.
 * @param {ParentNode} [page]
 */
export function fit(page = document) {
  if (!isSideways.matches) {
    for (const picture of page.querySelectorAll(".fitted")) picture.classList.remove("fitted")
    return
  }
  const frame = document.querySelector(".pages")
  const bar = document.querySelector(".bar")
  if (!frame || !bar) return
  const space = { width: frame.clientWidth, height: innerHeight - bar.clientHeight - 24 }
  for (const image of page.querySelectorAll(/** @type {"img"} */ (".stage > .picture > img"))) {
    const size = { width: Number(image.getAttribute("width")), height: Number(image.getAttribute("height")) }
    image.parentElement?.classList.toggle("fitted", fitsWhole(size, space))
  }
}

/** How far the reader scrolls before the bars go or come, in pixels. */
const reach = 12

function watchScrolling() {
  /** Where the reader last began to scroll in the other direction. */
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
