// Longbox
// SPDX-License-Identifier: MIT

// For a page that is a file of a static copy: until the worker has taken over, no form can be sent, and pages that only the
// device can make wait.

import { controller, onTakeover } from "./service-worker.js"

const root = document.documentElement

export function startFile() {
  if (root.dataset.file === undefined) return
  if (controller()) root.dataset.ready = ""
  else onTakeover(takeOver)
}

function takeOver() {
  // The file has no answer to a query.
  if (document.querySelector("[data-needs-worker]") || location.search) location.reload()
  else root.dataset.ready = ""
}
