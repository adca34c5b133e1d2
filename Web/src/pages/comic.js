// Longbox
// SPDX-License-Identifier: MIT

// The scripts of a comic's page: paging in place, forms, gestures and zoom. Bundled, so that a first visit loads only
// one file after app.js.

import { startEnds } from "./viewer/swipe.js"
import { favorite, startForms } from "./forms.js"
import { startHints } from "./hints.js"
import { linkTo, startPager, turn } from "./pager.js"
import { startSideways } from "./sideways.js"
import { startViewer } from "./viewer/viewer.js"
import { startLarger } from "./viewer/reading.js"

/**
 * @param {import("./services.d.ts").Services} services
 * @returns {import("./services.d.ts").ZoomControls}
 */
export function start(services) {
  startPager(services)
  startEnds()
  startSideways()
  startForms(services)
  startLarger(services)
  startHints(services)
  return startViewer({ turn, linkTo, favorite })
}
