// Longbox
// SPDX-License-Identifier: MIT

// Submits the forms of a comic's page in place: only what they change is replaced, so the picture stays.

import { fetchPage } from "./ahead.js"

const { base = "" } = document.documentElement.dataset
/** @type {import("./services.d.ts").Services} */
let services

let changes = 0

/** With the list that is read through. */
const shownAddress = () => location.pathname + location.search

/** Increases when a form is sent and when its response arrives. */
export const changeCount = () => changes

/**
 * Updates the picture's classes, the heart and the marks from a newer version of this page.
 * @param {Document} page
 */
export function exchange(page) {
  const newPicture = page.querySelector(".picture")
  for (const name of newPicture ? ["line-art", "as-drawn"] : []) {
    document.querySelector(".pages > .stage .picture")?.classList.toggle(name, newPicture?.classList.contains(name))
  }
  for (const selector of [".actions .edit", ".marks", ".own-note"]) {
    const [before, after] = [document.querySelector(selector), page.querySelector(selector)]
    if (!before || !after || before.isEqualNode(after)) continue
    // What the reader is writing stays.
    if (before.querySelector(".note-of[open]")) continue
    const button = [...before.querySelectorAll("button")].findIndex((one) => one === document.activeElement)
    before.replaceWith(after)
    if (button >= 0) (after.querySelectorAll("button")[button] ?? after.querySelector("button"))?.focus({ preventScroll: true })
  }
}

/** Shows what has changed in this comic's marks, and in settings, otherwise than by this page. */
async function refresh() {
  const [address, before] = [shownAddress(), changes]
  const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))?.href ?? ""
  // Not the page's own address, which may show another comic by now.
  const found = await fetchPage(`${base}/${/\/(\d+)\/$/.exec(canonical)?.[1]}/${location.search}`, { isPrefetch: true })
  // What the reader has changed in the meantime is newer.
  if (!found || address !== shownAddress() || before !== changes) return
  exchange(found.page)
  services.showLook(found.page.documentElement.dataset)
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const address = shownAddress()
  changes += 1
  const accepted = await services.sendChange(form.action, bodyOf(form))
  if (accepted) form.closest(".note-of")?.removeAttribute("open")
  const isHere = () => address === shownAddress()
  const changed = accepted && isHere() ? await fetchPage(address) : null
  changes += 1
  // The browser shows what was wrong.
  if (!accepted) return await services.isCutOff() || form.submit()
  if (!isHere()) return
  if (!changed) return location.reload()
  const wasInToast = document.activeElement?.closest(".toast") !== null
  exchange(changed.page)
  services.showMessages(changed.page)
  if (wasInToast) heart()?.focus({ preventScroll: true })
}

/** @param {HTMLFormElement} form */
function bodyOf(form) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) body.append(name, String(value))
  return body
}

const heart = (state = "") => /** @type {HTMLButtonElement | null} */ (document.querySelector(`.heart${state}`))

/** Makes the comic a favorite, unless it is one. */
export function favorite() {
  const form = heart('[aria-pressed="false"]')?.form
  if (form) send(form)
}

/** @param {import("./services.d.ts").Services} given */
export function startForms(given) {
  services = given
  document.addEventListener("longbox:changed", refresh)
  // The page may have learned of a change before it had this script.
  if (given.isOld()) refresh()
  document.addEventListener("submit", (event) => {
    const form = event.target instanceof Element ? /** @type {HTMLFormElement | null} */ (event.target.closest(".comic-page .edit")) : null
    if (!form || event.defaultPrevented) return
    event.preventDefault()
    send(form)
  })
}
