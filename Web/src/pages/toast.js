// Longbox
// SPDX-License-Identifier: MIT

// Shows the messages of fetched pages, as they are or for a limited time.

/** @typedef {Pick<import("./services.d.ts").Services, "showConnection">} Connection */

export const messages = () => /** @type {HTMLElement} */ (document.querySelector(".messages"))

/**
 * @param {Document} page
 * @param {Connection} connection
 */
export function showMessages(page, { showConnection }) {
  messages().replaceChildren(...page.querySelector(".messages")?.childNodes ?? [])
  showConnection()
}

let hiding = 0

/**
 * Shows the notice of a page for eight seconds, without moving the layout.
 * @param {Document} page
 * @param {Connection} connection
 */
export function toast(page, connection) {
  showMessages(page, connection)
  const notice = messages().querySelector(".notice")
  notice?.classList.add("toast")
  clearTimeout(hiding)
  const end = () => {
    if (notice?.matches(":hover, :focus-within")) hiding = setTimeout(end, 2_000)
    else notice?.remove()
  }
  hiding = setTimeout(end, 8_000)
}
