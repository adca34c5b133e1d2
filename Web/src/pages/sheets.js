// Longbox
// SPDX-License-Identifier: MIT

// Dialogs: a comic's details on a small screen, a page's menu, the list of shortcuts.

/**
 * Creates a dialog with a close button; closing removes it.
 * @param {string} className
 * @param {string} name
 */
function sheet(className, name) {
  const dialog = document.createElement("dialog")
  dialog.className = className
  dialog.ariaLabel = name
  const close = document.createElement("button")
  close.className = "button close"
  close.ariaLabel = "Close"
  close.innerHTML = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M6 6l12 12M18 6L6 18"/></svg>'
  close.addEventListener("click", () => dialog.close())
  // A click on the backdrop closes the sheet.
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close() })
  dialog.addEventListener("close", () => dialog.remove())
  dialog.append(close)
  document.body.append(dialog)
  return dialog
}

const isBeside = matchMedia("(min-width: 40em) and (min-height: 31em)")

/** Focuses a comic's details if they are beside it, else shows them in a sheet. */
export function showDetails() {
  const aside = /** @type {HTMLElement} */ (document.querySelector(".details"))
  const about = /** @type {HTMLDetailsElement} */ (aside.querySelector(".about"))
  const wasOpen = about.open
  about.open = true
  if (isBeside.matches) {
    aside.tabIndex = -1
    return aside.focus()
  }
  const dialog = sheet("sheet", aside.ariaLabel ?? "")
  const content = [...aside.childNodes]
  dialog.append(...content)
  dialog.addEventListener("close", () => {
    about.open = wasOpen
    aside.append(...content)
  })
  dialog.showModal()
}

/** @param {string} title */
export function showMenu(title) {
  const dialog = sheet("sheet menu", title)
  const list = document.createElement("ul")
  list.role = "list"
  const items = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".actions :is(a, button), .to-any a, .choices .views a"))
  for (const item of items) {
    const entry = document.createElement("li")
    const button = document.createElement("button")
    button.className = "button"
    button.type = "button"
    button.textContent = item.ariaLabel ?? item.textContent.trim()
    button.addEventListener("click", () => {
      dialog.close()
      item.click()
    })
    entry.append(button)
    list.append(entry)
  }
  dialog.append(list)
  dialog.showModal()
}

/** @param {import("./services.d.ts").Shortcut[]} shortcuts */
export function showShortcuts(shortcuts) {
  const dialog = sheet("shortcuts", "Keyboard shortcuts")
  const content = document.createElement("div")
  content.innerHTML = `<h2>Keyboard shortcuts</h2>
    <dl>${shortcuts.map(({ shown, does }) => `<dt><kbd>${shown}</kbd></dt><dd>${does}</dd>`).join("")}</dl>
    <p class="hint">They can be turned off in the settings.</p>`
  dialog.append(content)
  dialog.showModal()
}
