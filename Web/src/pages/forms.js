// Longbox
// SPDX-License-Identifier: MIT

/**
 * Forms of a comic's page: what they change is exchanged, and the picture stays as it is.
 * @module
 */

import { fetchPage } from "./ahead.js"
import { messages, toast } from "./toast.js"

/** @type {import("./services.d.ts").Services} */
let services

let changes = 0

/** Grows when a form is sent and when its answer is here. */
export const changeCount = () => changes

/**
 * Takes from a newer version of this page what may have changed.
 * @param {Document} page
 */
export function exchange(page) {
  for (const selector of [".actions .edit", ".marks"]) {
    const [before, after] = [document.querySelector(selector), page.querySelector(selector)]
    if (!before || !after || before.isEqualNode(after)) continue
    const button = [...before.querySelectorAll("button")].findIndex((one) => one === document.activeElement)
    before.replaceWith(after)
    if (button >= 0) (after.querySelectorAll("button")[button] ?? after.querySelector("button"))?.focus({ preventScroll: true })
  }
}

/**
 * Sends a form of this page, and shows what came of it.
 * @param {HTMLFormElement} form
 */
async function send(form) {
  const address = location.pathname
  changes += 1
  // Kept alive, for the reader may go on to another page before the answer is here.
  const changed = await fetchPage(form.action, { method: "POST", body: bodyOf(form), keepalive: true })
  changes += 1
  if (!changed) return form.submit()
  // Another comic has come meanwhile.
  if (address !== location.pathname) return
  const wasInMessages = messages().contains(document.activeElement)
  exchange(changed.page)
  toast(changed.page, services)
  if (wasInMessages) heart()?.focus({ preventScroll: true })
}

/** @param {HTMLFormElement} form */
function bodyOf(form) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) body.append(name, String(value))
  return body
}

const heart = (state = "") => /** @type {HTMLButtonElement | null} */ (document.querySelector(`.heart${state}`))

/** Makes the comic a favorite, where it is none yet. */
export function favorite() {
  const form = heart('[aria-pressed="false"]')?.form
  if (form) send(form)
}

/** @param {import("./services.d.ts").Services} given */
export function startForms(given) {
  services = given
  document.addEventListener("submit", (event) => {
    const form = event.target instanceof Element ? /** @type {HTMLFormElement | null} */ (event.target.closest(".comic-page .edit")) : null
    if (!form || event.defaultPrevented) return
    event.preventDefault()
    send(form)
  })
}
