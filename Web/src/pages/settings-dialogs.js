// Longbox
// SPDX-License-Identifier: MIT

// Dialogs that ask for confirmation before something is removed.

const { base = "" } = document.documentElement.dataset

/**
 * Shows a dialog, with the focus on Cancel, or on OK if there is no action.
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {HTMLElement} [action] the button or the form that confirms
 * @returns {HTMLDialogElement} its `returnValue` is that of the button
 */
export function showDialog(title, content, action) {
  const dialog = document.createElement("dialog")
  dialog.setAttribute("aria-labelledby", "dialog-title")
  dialog.innerHTML = `<h2 id="dialog-title"></h2><div class="asked"></div>
    <div class="dialog-actions"><form method="dialog"><button class="button action" autofocus></button></form></div>`
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (dialog.querySelector(selector))
  part("h2").textContent = title
  part(".asked").append(...content)
  part("button").textContent = action ? "Cancel" : "OK"
  if (action) part(".dialog-actions").append(action)
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/**
 * A button for a dialog.
 * @param {string} name
 * @param {() => void} act
 */
export function dialogButton(name, act) {
  const button = document.createElement("button")
  button.className = "button action"
  button.type = "button"
  button.textContent = name
  button.addEventListener("click", () => {
    button.closest("dialog")?.close()
    act()
  })
  return button
}

/**
 * Shows a confirmation page as a dialog, whose form returns to this page.
 * @param {HTMLAnchorElement} link
 */
async function showPageAsDialog(link) {
  const response = await fetch(link.href, { headers: { accept: "text/html" } }).catch(() => null)
  const page = response?.ok ? new DOMParser().parseFromString(await response.text().catch(() => ""), "text/html") : null
  const title = page?.querySelector("h1")?.textContent
  const sentence = page?.querySelector(".message > p")?.textContent
  if (!page || !title || !sentence) return location.assign(link.href)
  const form = page.querySelector("form.edit")
  const back = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=back]") ?? null)
  back?.setAttribute("value", location.pathname.slice(base.length))
  showDialog(`${title}?`, [sentence], form ? document.adoptNode(/** @type {HTMLElement} */ (form)) : undefined)
}

/** @param {HTMLElement} page */
export function startDialogs(page) {
  page.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[data-asks]")) : null
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    showPageAsDialog(link)
  })
}
