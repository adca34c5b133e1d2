// Longbox
// SPDX-License-Identifier: MIT

// Offers to read a comic that is too small where it is shown whole: a press zooms it to its natural size. The button is below
// the picture if there is room, otherwise over its lower edge, and there it scrolls away with the page.

import * as neighbours from "../neighbours.js"
import { contentBottom, figure, floor, targetOf } from "./elements.js"
import { readingScale } from "./geometry.js"
import { current, endZoom, ownWidth, read, zoomTo } from "./zoom.js"

/** The space around the button, less where there is little room, and its height; in pixels. */
const [gaps, height] = [[12, 4], 44]

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
  if (!pages || neighbours.isMoving() || current()) return
  const box = image?.getBoundingClientRect()
  if (!image || !box || "missing" in image.dataset || !readingScale(ownWidth(image), box.width)) {
    pill?.remove()
    return
  }
  pill ??= make()
  const frame = pages.getBoundingClientRect()
  const end = floor(".tabs, .pager, .comic-page footer, .continue .button")
  const under = contentBottom() + scrollY
  const gap = gaps.find((space) => under + height + 2 * space <= end)
  const top = gap === undefined ? Math.min(box.bottom + scrollY, end) - 12 - height : under + gap
  pill.style.top = `${top - frame.top - scrollY}px`
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
  neighbours.onRest(placeSoon)
  addEventListener("resize", placeSoon)
  // The button of an animation comes later.
  document.addEventListener("longbox:content", placeSoon)
  // A picture that is missing has no size to compare with.
  for (const kind of ["load", "error"]) {
    document.addEventListener(kind, ({ target }) => { if (target === figure()?.querySelector("img")) placeSoon() }, { capture: true })
  }
  placeSoon()
}

// The larger version of a comic's picture, which takes the picture's place and is zoomed.

/** How far it is zoomed at first; the reader goes on from there. */
const firstScale = 3

/**
 * Loads a picture; rejects if there is none.
 * @param {string} address
 */
async function load(address) {
  const picture = new Image()
  picture.src = address
  await picture.decode()
  // The service worker and the server answer with a picture of 1 by 1 pixels where they have none.
  if (picture.naturalWidth <= 1) throw new Error("There is no larger version.")
  return picture
}

/**
 * @param {string} address
 * @param {Pick<import("../services.d.ts").Services, "say">} services
 */
async function showLarger(address, { say }) {
  const image = figure()?.querySelector("img")
  if (!image) return location.assign(address)
  let larger
  try {
    larger = await load(address)
  } catch {
    return say("The larger version couldn’t be loaded.", { isError: true })
  }
  // The reader may have gone on to another comic.
  if (!image.isConnected) return
  if (current()) endZoom()
  image.srcset = `${address} 1x`
  await image.decode().catch(() => {})
  if (!image.isConnected) return
  zoomTo(Math.min(firstScale, larger.naturalWidth / image.getBoundingClientRect().width))
}

/** @param {Pick<import("../services.d.ts").Services, "say">} services */
export function startLarger(services) {
  document.addEventListener("click", (event) => {
    const link = targetOf(event)?.closest("a.larger")
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!(link instanceof HTMLAnchorElement) || !isPlain || event.defaultPrevented) return
    event.preventDefault()
    showLarger(link.href, services)
  })
}
