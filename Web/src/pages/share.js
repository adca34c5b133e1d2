// Longbox
// SPDX-License-Identifier: MIT

import { pageTitle } from "./title.js"

const { base = "" } = document.documentElement.dataset

/** @param {(text: string, options?: import("./services.d.ts").Message) => void} say */
export function addShare(say) {
  const actions = document.querySelector(".comic-page .actions")
  if (!actions || actions.querySelector(".share")) return
  const button = document.createElement("button")
  button.className = "button share"
  button.type = "button"
  button.ariaLabel = "Share"
  button.innerHTML = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 15V3.500M8 7l4-3.800L16 7M8 10.500H5.500V20h13v-9.500H16"/></svg>'
  button.addEventListener("click", () => share(say))
  actions.querySelector(".edit")?.after(button)
}

/** @param {(text: string, options?: import("./services.d.ts").Message) => void} say */
async function share(say) {
  const number = document.querySelector(".bar .number")?.textContent.slice(1) ?? ""
  const url = new URL(`${base}/${number}/`, location.href).href
  const title = `xkcd ${pageTitle()}`
  const canShare = /** @type {Partial<Navigator>} */ (navigator).share !== undefined
  if (!canShare) return copy(url, say)
  const text = `${title} by Randall Munroe, https://xkcd.com/${number}/, CC BY-NC 2.5`
  const files = await pictureFile(number)
  const whole = files && /** @type {Partial<Navigator>} */ (navigator).canShare?.({ files }) ? { title, text, url, files } : { title, text, url }
  await navigator.share(whole).catch((error) => { if (error.name !== "AbortError") copy(url, say) })
}

/** @param {string} number */
async function pictureFile(number) {
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".pages > .stage .picture img"))
  if (!image || "missing" in image.dataset) return null
  const response = await fetch(image.currentSrc).catch(() => null)
  const blob = response?.ok ? await response.blob() : null
  return blob && [new File([blob], `xkcd-${number}.${blob.type.split("/").pop()}`, { type: blob.type })]
}

/**
 * @param {string} url
 * @param {(text: string, options?: import("./services.d.ts").Message) => void} say
 */
async function copy(url, say) {
  // Undefined outside a secure context.
  const clipboard = /** @type {Partial<Navigator>} */ (navigator).clipboard
  const isCopied = Boolean(await clipboard?.writeText(url).then(() => true, () => false))
  if (isCopied) say("Link copied.")
  else say(`Copy this link to share it: ${url}`, { milliseconds: 20_000 })
}
