// Longbox
// SPDX-License-Identifier: MIT

/** Where the style sheet shows a comic's details beside it. */
const isBeside = matchMedia("(min-width: 40em) and (min-height: 31em)")

/** Opens a comic's details where they stand beside it. */
export function openDetails() {
  const details = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".details .about"))
  if (isBeside.matches && details) details.open = true
}

export const watchDetails = () => isBeside.addEventListener("change", openDetails)
