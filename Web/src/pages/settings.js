// Longbox
// SPDX-License-Identifier: MIT

// The settings page: changes apply at once; what destroys something asks in a dialog; and what this device keeps, its
// notifications and its installation are shown.

import { startNotifications } from "./push.js"
import { startDialogs } from "./settings-dialogs.js"
import { startDownloads } from "./settings-downloads.js"
import { startExport } from "./settings-export.js"
import { startInstallRow } from "./settings-install.js"
import { startSaving } from "./settings-saving.js"

const { base = "" } = document.documentElement.dataset

/** @param {import("./services.d.ts").Services} services */
export function start(services) {
  const page = /** @type {HTMLElement} */ (document.querySelector(".settings"))
  // The page of devices looks alike.
  if (!page.querySelector("#install")) return
  startSaving(page, services)
  startDialogs(page)
  startInstallRow()
  startExport(page)
  startPhoneRow()
  startAccessRow()
  if (!("serviceWorker" in navigator)) return
  startDownloads(page, services)
  // A static copy sends none.
  if (page.querySelector("#news")) startNotifications()
}

/**
 * Shows the row about the server for those who may see it.
 * @param {HTMLElement} other the row that was shown for the same reason
 */
function showWith(other) {
  other.hidden = false
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#server[hidden]"))
  if (row) row.hidden = false
}

/** Shows the row about phones if the server is on this machine: a page made on the device doesn't know. */
function startPhoneRow() {
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#phone[hidden]"))
  if (row && /^(127\..*|localhost|.*\.localhost|\[::1\])$/.test(location.hostname)) showWith(row)
}

/** Shows the row about devices that sign in, if this server has sign-in: a page made on the device doesn't know. */
async function startAccessRow() {
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#access[hidden]"))
  if (!row || !navigator.serviceWorker?.controller || !navigator.onLine) return
  if (document.querySelector(".strips .connection")) return
  const response = await fetch(`${base}/device.json`).catch(() => null)
  if (response?.status === 401 || (response?.ok && (await response.json()).hasSignIn)) showWith(row)
}
