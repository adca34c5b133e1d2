// Longbox
// SPDX-License-Identifier: MIT

// The larger version of a comic's picture, which takes the picture's place and is zoomed.

import { figure, targetOf } from "./elements.js"
import { current, endZoom, zoomTo } from "./zoom.js"

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
async function show(address, { say }) {
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
    show(link.href, services)
  })
}
