// Longbox
// SPDX-License-Identifier: MIT

// The settings page. Changes apply at once, and removals ask in a dialog. It also shows what this device keeps, its
// notifications, and its installation.

import { installation, steps } from "./installation.js"
import { startNotifications } from "./push.js"
import { showDialog, startDialogs } from "./settings-dialogs.js"
import { startDownloads } from "./settings-downloads.js"
import { startSaving } from "./settings-saving.js"

const { base = "" } = document.documentElement.dataset

/** @param {import("./services.d.ts").Services} services */
export function start(services) {
  const page = /** @type {HTMLElement} */ (document.querySelector(".settings"))
  startSaving(page, services)
  // The pages of devices and of albums have the same class.
  if (!page.querySelector("#install")) return
  startDialogs(page)
  startInstallRow()
  startPhoneRow()
  startAccessRow()
  if (!("serviceWorker" in navigator)) return
  startDownloads(page, services)
  // A static copy has no notifications.
  if (page.querySelector("#news")) startNotifications(services)
  services.refused.then(() => withdrawOffline(page))
}

/**
 * Says what to do in place of what needs the service worker.
 * @param {HTMLElement} page
 */
function withdrawOffline(page) {
  const title = page.querySelector("#offline-title")
  for (const other of title?.parentElement?.children ?? []) {
    if (other instanceof HTMLElement && other !== title) other.hidden = true
  }
  for (const id of ["install", "storage", "cache"]) {
    const row = document.getElementById(id)
    if (row) row.hidden = true
  }
  const hint = document.createElement("p")
  hint.className = "hint"
  hint.role = "status"
  title?.after(hint)
  hint.append("This browser doesn’t trust the certificate of this server. So nothing is kept for offline use, and there are no notifications. ")
  if (document.documentElement.dataset["copy"] !== undefined) return
  const link = document.createElement("a")
  link.href = `${base}/start`
  link.textContent = "Trust the certificate"
  hint.append(link, " on this device, then load this page again.")
}

/**
 * Shows a row, and with it the row about the server, which has the same condition.
 * @param {HTMLElement} other
 */
function showWith(other) {
  other.hidden = false
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#server[hidden]"))
  if (row) row.hidden = false
}

/** Shows the row about phones if the server is on this machine, which a page rendered on the device can't know. */
function startPhoneRow() {
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#phone[hidden]"))
  if (row && /^(127\..*|localhost|.*\.localhost|\[::1\])$/.test(location.hostname)) showWith(row)
}

/** Shows the row about devices that sign in, if the server has sign-in, which a page rendered on the device can't know. */
async function startAccessRow() {
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#access[hidden]"))
  if (!row || !navigator.serviceWorker?.controller || !navigator.onLine) return
  if (document.querySelector(".strips .connection")) return
  const response = await fetch(`${base}/device.json`).catch(() => null)
  if (response?.status === 401 || (response?.ok && (await response.json().catch(() => null))?.hasSignIn)) showWith(row)
}

// The row that installs Longbox, if this browser can.

function startInstallRow() {
  const rows = /** @type {HTMLElement} */ (document.querySelector("#install"))
  rows.innerHTML = `<div class="row with-icon"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2"/></svg>
    <div class="t"><button type="button" aria-describedby="install-hint">Install Longbox</button>
      <small id="install-hint">Opens from your Home Screen, and offline.</small></div></div>`
  const show = () => { rows.hidden = installation.method === null }
  rows.querySelector("button")?.addEventListener("click", async () => {
    if (installation.method === "prompt") {
      await installation.install()
      return show()
    }
    const content = document.createElement("div")
    content.innerHTML = steps
    showDialog("Install Longbox", [content])
  })
  document.addEventListener("longbox:installable", show)
  show()
}
