// Longbox
// SPDX-License-Identifier: MIT

/**
 * What a comic's page does where scripts run: turning in place, gestures and zoom. It imports what it needs, so that a first
 * visit loads one file after app.js.
 * @module
 */

import { favorite, startForms } from "./forms.js"
import { linkTo, startPager, turn } from "./pager.js"
import { startViewer } from "./viewer.js"

/**
 * @param {import("./services.d.ts").Services} services
 * @returns {import("./services.d.ts").ZoomControls}
 */
export function start(services) {
  startPager(services)
  startForms(services)
  return startViewer({ turn, linkTo, favorite })
}
