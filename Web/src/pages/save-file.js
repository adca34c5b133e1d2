// Longbox
// SPDX-License-Identifier: MIT

// Saves what a link with `download` leads to. Browsers don't ask the service worker for downloads, so the page does.

/**
 * @param {HTMLAnchorElement} link
 * @param {import("./services.d.ts").Services["say"]} say
 */
export async function save({ href, download }, say) {
  const response = await fetch(href).catch(() => null)
  const file = response?.ok ? await response.blob().catch(() => null) : null
  if (!file) return say("That couldn’t be saved. Try again when you are back online.", { isError: true })
  const made = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download })
  made.click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(made.href), 60_000)
}
