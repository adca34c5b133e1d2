// Longbox
// SPDX-License-Identifier: MIT

// Whether this browser can install Longbox, and when to offer it. Loaded only where it can.

import { usageIn } from "./usage.js"

/** @typedef {Event & { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> }} InstallPrompt */

const usage = usageIn(localStorage)
/** @type {InstallPrompt | null} */
let prompt = null
/** Whether the browser refuses the service worker: what is installed would not open offline. */
let isRefused = false
const { standalone } = /** @type {{ standalone?: boolean }} */ (navigator)
const modes = ["standalone", "minimal-ui", "fullscreen", "window-controls-overlay"]
// Some browsers know no display mode.
const isInstalled = () => standalone === true || modes.some((mode) => matchMedia(`(display-mode: ${mode})`).matches)

/** When this session began. */
function since() {
  const known = Number(sessionStorage.getItem("longbox-since")) || Date.now()
  sessionStorage.setItem("longbox-since", String(known))
  return known
}

/** @type {import("./services.d.ts").Installation} */
export const installation = {
  // Safari on an iPhone or iPad has no prompt; it installs from its share menu. On a Mac, which has no touch screen, it has other steps.
  get method() {
    if (isInstalled() || isRefused) return null
    return prompt ? "prompt" : standalone === false && navigator.maxTouchPoints > 0 ? "share" : null
  },
  async install() {
    const asked = prompt
    // A prompt can be used once.
    prompt = null
    const isAccepted = (await asked?.prompt())?.outcome === "accepted"
    if (!isAccepted) usage.noteDismissal()
    return isAccepted
  },
  dismiss() { usage.noteDismissal() },
}

let isOffered = false

function offerIfDue() {
  if (isOffered || !installation.method || !usage.isOfferDue(since()) || document.querySelector(".settings")) return
  isOffered = true
  showCard(installation)
}

/** @param {Promise<void>} refused */
function start(refused) {
  usage.noteDay()
  refused.then(() => {
    isRefused = true
    document.querySelector(".install-card")?.remove()
    document.dispatchEvent(new Event("longbox:installable"))
  })
  document.addEventListener("longbox:viewed", () => {
    usage.noteComic()
    offerIfDue()
  })
  const noteKept = () => {
    usage.noteKept()
    offerIfDue()
  }
  document.addEventListener("longbox:kept", noteKept)
  document.addEventListener("submit", ({ target }) => {
    if (target instanceof HTMLFormElement && target.action.endsWith("/favorites/set") && new FormData(target).get("on") === "yes") noteKept()
  })
  addEventListener("appinstalled", () => {
    prompt = null
    document.dispatchEvent(new Event("longbox:installable"))
    document.querySelector(".install-card")?.remove()
  })
  setTimeout(offerIfDue, Math.max(0, since() + 30_500 - Date.now()))
}

let isStarted = false

/**
 * Called once this browser can install Longbox.
 * @param {Event | null} given the browser's prompt, if it has one
 * @param {Promise<void>} refused fulfilled if the browser refuses the service worker
 */
export function offer(given, refused) {
  prompt = /** @type {InstallPrompt | null} */ (given)
  if (!isStarted) start(refused)
  isStarted = true
  document.dispatchEvent(new Event("longbox:installable"))
  offerIfDue()
}

// The card that offers to install Longbox, above the navigation.

const { base = "" } = document.documentElement.dataset

/** The two steps in Safari on an iPhone or iPad, with the icons to look for. */
export const steps = `<ol class="steps">
  <li>Tap <strong>Share</strong>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 15V3.5M8 7l4-3.5L16 7M6 11H5v9.5h14V11h-1"/></svg></li>
  <li>Choose <strong>Add to Home Screen</strong>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 5v14M5 12h14"/></svg></li></ol>`

/** @param {import("./services.d.ts").Installation} installation */
function showCard(installation) {
  const isPrompted = installation.method === "prompt"
  const card = document.createElement("section")
  card.className = "install-card"
  card.setAttribute("aria-labelledby", "install-title")
  card.innerHTML = `<div class="install-head"><img src="${base}/assets/icon.svg" alt="" width="48" height="48">
      <div><h2 id="install-title">Keep Longbox at hand</h2><p class="hint">On your Home Screen, and offline.</p></div></div>
    ${isPrompted ? "" : steps}
    <div class="install-actions">${isPrompted ? '<button class="button primary" type="button" data-action="install">Install</button>' : ""}
      <button class="button action" type="button" data-action="later">Not now</button></div>`
  card.addEventListener("click", ({ target }) => {
    const action = target instanceof HTMLElement ? target.dataset["action"] : undefined
    if (!action) return
    card.remove()
    if (action === "install") installation.install()
    else installation.dismiss()
  })
  document.body.append(card)
}
