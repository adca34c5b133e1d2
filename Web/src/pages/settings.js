// Longbox
// SPDX-License-Identifier: MIT

// The settings page: changes apply at once; what destroys something asks in a dialog; and what this device keeps, its
// notifications and its installation are shown.

import { startNotifications } from "./push.js"
import { startAsking } from "./settings-dialogs.js"
import { startDownloads } from "./settings-downloads.js"
import { startInstallRow } from "./settings-install.js"
import { startSaving } from "./settings-saving.js"

/** @param {import("./services.d.ts").Services} services */
export function start(services) {
  const page = /** @type {HTMLElement} */ (document.querySelector(".settings"))
  startSaving(page, services)
  startAsking(page)
  startInstallRow()
  if (!("serviceWorker" in navigator)) return
  startDownloads(page, services)
  startNotifications()
}
