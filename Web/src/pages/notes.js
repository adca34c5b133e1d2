// Longbox
// SPDX-License-Identifier: MIT

/** The container of messages, which assistive technology reads out. */
export const messages = /** @type {HTMLElement} */ (document.querySelector(".messages"))

/**
 * Shows a message, unless one with that name is shown.
 * @param {string} name
 * @param {string | Node} content
 * @param {number} [milliseconds] how long it stays; by default until it is removed
 */
export function note(name, content, milliseconds) {
  if (messages.querySelector(`.${name}`)) return
  const paragraph = document.createElement("p")
  paragraph.className = `note ${name}`
  paragraph.append(content)
  messages.append(paragraph)
  if (milliseconds) setTimeout(() => paragraph.remove(), milliseconds)
}
