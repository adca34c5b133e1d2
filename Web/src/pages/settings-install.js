// Longbox
// SPDX-License-Identifier: MIT

// The row that installs Longbox, if this browser can.

import { steps } from "./install-card.js"
import { installation } from "./installation.js"
import { showDialog } from "./settings-dialogs.js"

export function startInstallRow() {
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
