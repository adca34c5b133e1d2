// Longbox
// SPDX-License-Identifier: MIT

// The bars of a page: the share button, the details sheet, and the page's name at the bottom.

import { namePlaceSoon, startPlace } from "./place.js"
import { addShare } from "./share.js"

export function start() {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest(".to-details"))) return
    event.preventDefault()
    import("./sheets.js").then(({ showDetails }) => showDetails())
  })
  document.addEventListener("longbox:page", () => {
    addShare()
    namePlaceSoon()
  })
  startPlace()
}
