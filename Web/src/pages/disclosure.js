// Longbox
// SPDX-License-Identifier: MIT

// What happens when a disclosure is opened: a comic's explanation is loaded, and a note can be written at once.

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

/** Puts the cursor at the end of a note that is opened. */
export function startNotes() {
  // The event doesn't bubble.
  document.addEventListener("toggle", ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches(".note-of")) return
    const note = target.querySelector("textarea")
    note?.focus()
    note?.setSelectionRange(note.value.length, note.value.length)
  }, true)
}
