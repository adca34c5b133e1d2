// Longbox
// SPDX-License-Identifier: MIT

// Sends forms that lead back to the page they are on, such as the removal of a favorite from its list, and loads the page again.
// Chromium would put the page into the history once more, so that Back seems to do nothing. forms.js does the same on a comic's page.

/** @typedef {Pick<import("./services.d.ts").Services, "sendChange" | "isCutOff">} Services */

const { base = "" } = document.documentElement.dataset

/** How many forms are on their way. */
let sending = 0

/**
 * @param {HTMLFormElement} form
 * @param {Services} services
 */
async function send(form, { sendChange, isCutOff }) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) body.append(name, String(value))
  sending += 1
  const isAccepted = await sendChange(form.action, body)
  sending -= 1
  // The answer to the same form by the browser says why.
  if (!isAccepted) return await isCutOff() || form.submit()
  // Two quick removals are both shown, with one undo.
  if (!sending) location.reload()
}

/** @param {Services} services */
export function startReturningForms(services) {
  document.addEventListener("submit", (event) => {
    const form = event.target instanceof HTMLFormElement ? event.target : null
    const back = form?.matches("body:not(.comic-page) .edit") && form.elements.namedItem("back")
    if (!form || event.defaultPrevented || !(back instanceof HTMLInputElement) || base + back.value !== location.pathname + location.search) return
    event.preventDefault()
    send(form, services)
  })
}
