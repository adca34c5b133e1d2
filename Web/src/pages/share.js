// Longbox
// SPDX-License-Identifier: MIT

import { note, messages } from "./notes.js"
import { pageTitle } from "./title.js"

export function addShare() {
  const actions = document.querySelector(".comic-page .actions")
  if (!actions || actions.querySelector(".share")) return
  const button = document.createElement("button")
  button.className = "button share"
  button.type = "button"
  button.ariaLabel = "Share"
  button.innerHTML = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 15V3.5M8 7l4-3.5L16 7M6 11H5v9.5h14V11h-1"/></svg>'
  button.addEventListener("click", share)
  actions.querySelector(".edit")?.after(button)
}

async function share() {
  const number = document.querySelector(".bar .number")?.textContent.slice(1) ?? ""
  const url = new URL(`/${number}/`, location.href).href
  const title = `xkcd ${pageTitle()}`
  const canShare = /** @type {Partial<Navigator>} */ (navigator).share !== undefined
  if (!canShare) return copy(url)
  const text = `${title} by Randall Munroe, https://xkcd.com/${number}/, CC BY-NC 2.5`
  const files = await pictureFile(number)
  const whole = files && /** @type {Partial<Navigator>} */ (navigator).canShare?.({ files }) ? { title, text, url, files } : { title, text, url }
  await navigator.share(whole).catch((error) => { if (error.name !== "AbortError") copy(url) })
}

/** @param {string} number */
async function pictureFile(number) {
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".picture img"))
  if (!image || "missing" in image.dataset) return null
  const response = await fetch(image.currentSrc).catch(() => null)
  const blob = response?.ok ? await response.blob() : null
  return blob && [new File([blob], `xkcd-${number}.${blob.type.split("/").pop()}`, { type: blob.type })]
}

/** @param {string} url */
async function copy(url) {
  // Undefined outside a secure context.
  const clipboard = /** @type {Partial<Navigator>} */ (navigator).clipboard
  const isCopied = Boolean(await clipboard?.writeText(url).then(() => true, () => false))
  messages.querySelector(".shared")?.remove()
  if (isCopied) note("shared", "Link copied.", 6_000)
  else note("shared", `Copy this link to share it: ${url}`)
}
