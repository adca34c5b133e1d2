// Longbox
// SPDX-License-Identifier: MIT

/**
 * Messages that the server's pages bring: put in the place for messages, or shown for a while.
 * @module
 */

/** @typedef {Pick<import("./services.d.ts").Services, "showConnection">} Connection */

export const messages = () => /** @type {HTMLElement} */ (document.querySelector(".messages"))

/**
 * Shows the messages of a page in the place of this one's.
 * @param {Document} page
 * @param {Connection} connection
 */
export function showMessages(page, { showConnection }) {
  messages().replaceChildren(...page.querySelector(".messages")?.childNodes ?? [])
  showConnection()
}

let hiding = 0

/**
 * Says what was done where it moves nothing, for a while; the heart takes it back later, too.
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
