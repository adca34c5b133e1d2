// Longbox
// SPDX-License-Identifier: MIT

/** Matches when the style sheet shows a comic's details beside it. */
const isBeside = matchMedia("(min-width: 40em) and (min-height: 31em)")

export function openDetails() {
  const details = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".details .about"))
  if (isBeside.matches && details) details.open = true
}

export const watchDetails = () => isBeside.addEventListener("change", openDetails)
