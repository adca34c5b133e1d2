// Longbox
// SPDX-License-Identifier: MIT

// The link that saves the library as a file. Browsers don't ask the service worker for downloads, so the page does.

/** @param {HTMLElement} page */
export function startExport(page) {
  page.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[download]")) : null
    if (!link || link.href.startsWith("blob:") || !navigator.serviceWorker?.controller) return
    event.preventDefault()
    save(link).catch(() => location.assign(link.href))
  })
}

/** @param {HTMLAnchorElement} link */
async function save({ href, download }) {
  const response = await fetch(href)
  if (!response.ok) throw new Error(`${href} responded with ${response.status}`)
  const made = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await response.blob()), download })
  made.click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(made.href), 60_000)
}
