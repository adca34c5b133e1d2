// Longbox
// SPDX-License-Identifier: MIT

// Offers to read a comic that is too small where it is shown whole: a press zooms it to its natural size. The button is below
// the picture if there is room, otherwise over its lower edge, and there it scrolls away with the page.

import * as leaves from "../leaves.js"
import { contentBottom, figure, floor } from "./elements.js"
import { readingScale } from "./geometry.js"
import { current, ownWidth, read } from "./zoom.js"

/** The space around the button, and its height, in pixels. */
const [gap, height] = [12, 44]

/** @type {HTMLButtonElement | null} */
let pill = null
let waiting = 0

/** @param {MouseEvent} event */
function press({ detail }) {
  read()
  // The button is hidden now, so the keyboard, which counts no clicks, goes on with the zoom buttons.
  const level = current()?.picture.querySelector(/** @type {"button"} */ (".zoom-level"))
  if (detail === 0) level?.focus({ preventScroll: true })
}

function make() {
  const button = document.createElement("button")
  button.className = "button read-pill"
  button.type = "button"
  button.textContent = "Read"
  button.addEventListener("click", press)
  return button
}

function place() {
  const [image, pages] = [figure()?.querySelector("img"), document.querySelector(".pages")]
  if (!pages || leaves.isMoving() || current()) return
  const box = image?.getBoundingClientRect()
  if (!image || !box || "missing" in image.dataset || !readingScale(ownWidth(image), box.width)) {
    pill?.remove()
    return
  }
  pill ??= make()
  const frame = pages.getBoundingClientRect()
  const end = floor(".tabs, .pager, .comic-page footer")
  const under = contentBottom() + scrollY + gap
  const over = Math.min(box.bottom + scrollY, end) - gap - height
  pill.style.top = `${(under + height + gap <= end ? under : over) - frame.top - scrollY}px`
  pill.hidden = false
  if (pill.parentElement !== pages) pages.append(pill)
}

/** Measures once the browser lays out the page anyway. */
function placeSoon() {
  cancelAnimationFrame(waiting)
  waiting = requestAnimationFrame(() => { waiting = requestAnimationFrame(place) })
}

export function startReading() {
  document.addEventListener("longbox:page", () => {
    if (pill) pill.hidden = true
    placeSoon()
  })
  leaves.onRest(placeSoon)
  addEventListener("resize", placeSoon)
  // A picture that is missing has no size to compare with.
  for (const kind of ["load", "error"]) {
    document.addEventListener(kind, ({ target }) => { if (target === figure()?.querySelector("img")) placeSoon() }, { capture: true })
  }
  placeSoon()
}
