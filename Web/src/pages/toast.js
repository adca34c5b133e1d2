// Longbox
// SPDX-License-Identifier: MIT

// Temporary messages (toasts). Those in pages from the server are shown, too.

const toast = () => document.querySelector(".toast")

/** @typedef {import("./services.d.ts").Message} Message */

let hiding = 0
let onEnd = () => {}

const hold = (/** @type {number} */ milliseconds) => {
  clearTimeout(hiding)
  hiding = setTimeout(end, milliseconds)
}

function end() {
  const shown = toast()
  if (!shown) return
  // It stays while the reader uses it, or while the page is hidden.
  if (shown.matches(":hover, :focus-within") || document.visibilityState === "hidden") return hold(2_000)
  clear()
}

function clear() {
  clearTimeout(hiding)
  toast()?.replaceChildren(line("status"))
  onEnd()
}

/** @param {"status" | "alert"} role */
function line(role) {
  const paragraph = document.createElement("p")
  paragraph.role = role
  return paragraph
}

/**
 * Shows a message in place of any other.
 * @param {string} text
 * @param {Message} [options]
 */
export function say(text, { action, isError = false, milliseconds } = {}) {
  const shown = toast()
  if (!shown) return
  const paragraph = line(isError ? "alert" : "status")
  shown.replaceChildren(paragraph, ...(action ? [action] : []))
  // Set after the paragraph was inserted; otherwise screen readers don't announce it.
  paragraph.textContent = text
  hold(milliseconds ?? (action || isError ? 8_000 : 4_000))
}

/**
 * Shows the message of a fetched page, if it has one, and its strips.
 * @param {Document} page
 */
export function showMessages(page) {
  document.querySelector(".strips")?.replaceChildren(...page.querySelector(".strips")?.childNodes ?? [])
  const fetched = page.querySelector(".toast")
  const text = fetched?.querySelector("p")?.textContent
  if (fetched && text) say(text, { action: fetched.querySelector(".edit") })
}

/**
 * Starts the timer of a message in the loaded page. Lets a swipe downwards or sideways remove messages.
 * @param {() => void} ended called after a message was removed
 */
export function startToast(ended) {
  onEnd = ended
  const shown = toast()
  if (shown?.querySelector("p:not(:empty)")) hold(shown.querySelector(".edit") ? 8_000 : 4_000)
  /** @type {PointerEvent | null} */
  let start = null
  document.addEventListener("pointerdown", (event) => { start = event.target instanceof Element && event.target.closest(".toast") ? event : null })
  document.addEventListener("pointerup", (event) => {
    if (start && Math.max(Math.abs(event.clientX - start.clientX), event.clientY - start.clientY) > 45) clear()
  })
}
