// Longbox
// SPDX-License-Identifier: MIT

// Shows the page's name at the bottom once its heading is scrolled out of view.

import { pageTitle } from "./title.js"

const place = document.createElement("button")
place.className = "place"
place.type = "button"
place.hidden = true
place.title = "Back to the start. Press and hold for more."

/** The title of the section in view: its heading was scrolled past last. */
function partInView() {
  const headings = [...document.querySelectorAll("main h2")].filter((heading) => heading.checkVisibility() && !heading.closest(".details"))
  const past = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
  return past.at(-1)?.firstChild?.textContent?.trim() ?? ""
}

function namePlace() {
  const bar = document.querySelector(".bar")
  place.hidden = !bar || bar.getBoundingClientRect().bottom > 0
  if (place.hidden) return
  const part = partInView()
  place.textContent = part ? `${pageTitle()} · ${part}` : pageTitle()
}

let naming = 0
/** Updates the name in the next frame, to avoid an extra layout. */
export function namePlaceSoon() {
  cancelAnimationFrame(naming)
  naming = requestAnimationFrame(namePlace)
}

let holding = 0
let wasHeld = false

function showMenu() {
  import("./sheets.js").then((sheets) => sheets.showMenu(pageTitle()))
}

export function startPlace() {
  document.body.append(place)
  addEventListener("scroll", namePlaceSoon, { passive: true })
  place.addEventListener("pointerdown", () => {
    wasHeld = false
    holding = setTimeout(() => {
      wasHeld = true
      showMenu()
    }, 500)
  })
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) place.addEventListener(end, () => clearTimeout(holding))
  place.addEventListener("contextmenu", (event) => {
    event.preventDefault()
    clearTimeout(holding)
    if (!wasHeld) showMenu()
  })
  place.addEventListener("click", () => {
    if (!wasHeld) scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" })
  })
}
