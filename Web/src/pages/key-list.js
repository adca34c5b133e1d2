// Longbox
// SPDX-License-Identifier: MIT

// The list of keyboard shortcuts (keys.js).

import { closeButton } from "./sheets.js"

const list = [
  ["← or h", "Previous comic"],
  ["→ or l", "Next comic"],
  ["Home", "First comic"],
  ["End", "Latest comic"],
  ["r", "Random comic"],
  ["Shift with r", "Previous random comic"],
  ["f", "Add or remove favorite"],
  ["a", "Alt text"],
  ["d", "Details"],
  ["e", "Explanation"],
  ["t", "Transcript"],
  ["s or /", "Search"],
  ["g", "Go to a number"],
  ["+ − 0", "Zoom in, zoom out, fit"],
  ["Shift with an arrow", "Pan"],
  ["?", "This list"],
]

export function showKeys() {
  const dialog = document.createElement("dialog")
  dialog.className = "shortcuts"
  dialog.ariaLabel = "Keyboard shortcuts"
  const content = document.createElement("div")
  content.innerHTML = `<h2>Keyboard shortcuts</h2>
    <dl>${list.map(([keys, does]) => `<dt><kbd>${keys}</kbd></dt><dd>${does}</dd>`).join("")}</dl>
    <p class="hint">Turn shortcuts off in Settings.</p>`
  dialog.append(closeButton(() => dialog.close()), content)
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close() })
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
