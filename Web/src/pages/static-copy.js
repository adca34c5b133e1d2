// Longbox
// SPDX-License-Identifier: MIT

// For files of a static copy. Until the worker controls the page, no form can be sent, and pages that only the device can
// render are not shown.

import { controller, onTakeover } from "./service-worker.js"

const root = document.documentElement

export function startFile() {
  if (root.dataset.file === undefined) return
  if (controller()) root.dataset.ready = ""
  else onTakeover(takeOver)
}

function takeOver() {
  // A file ignores the query; the worker doesn't.
  if (document.querySelector("[data-needs-worker]") || location.search) location.reload()
  else root.dataset.ready = ""
}
