// Longbox
// SPDX-License-Identifier: MIT

// Loads a comic's explanation when its disclosure is opened.

/** @param {Element} disclosure a `details` element */
export function watchExplanation(disclosure) {
  const details = /** @type {HTMLDetailsElement} */ (disclosure)
  details.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest(".whole")) || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    import("./explanation.js").then(({ showWhole }) => showWhole(details))
  })
  details.addEventListener("toggle", () => {
    if (details.open && !details.querySelector(".lead")) import("./explanation.js").then(({ showBeginning }) => showBeginning(details))
  })
}
