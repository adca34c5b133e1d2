// Longbox
// SPDX-License-Identifier: MIT

// Shares a comic: its picture and credit through the device, or else a copied link.

const { base = "" } = document.documentElement.dataset

/** @typedef {import("./services.d.ts").Services["say"]} Say */

/**
 * @param {Say} say
 * @param {string} pageTitle
 */
export async function share(say, pageTitle) {
  const number = document.querySelector(".bar .number")?.textContent.slice(1) ?? ""
  const url = new URL(`${base}/${number}/`, location.href).href
  // The sample box has no attribution to xkcd.
  const isXkcd = document.querySelector(".attribution a") !== null
  const title = isXkcd ? `xkcd ${pageTitle}` : pageTitle
  const canShare = /** @type {Partial<Navigator>} */ (navigator).share !== undefined
  if (!canShare) return copy(url, say)
  const text = isXkcd ? `${title} by Randall Munroe, https://xkcd.com/${number}/, CC BY-NC 2.5` : `${title}, a sample drawn for Longbox`
  const files = await pictureFile(`${isXkcd ? "xkcd" : "longbox-sample"}-${number}`)
  const whole = files && /** @type {Partial<Navigator>} */ (navigator).canShare?.({ files }) ? { title, text, url, files } : { title, text, url }
  await navigator.share(whole).catch((error) => { if (error.name !== "AbortError") copy(url, say) })
}

/** @param {string} name without its extension */
async function pictureFile(name) {
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".pages > .stage .picture img"))
  if (!image || "missing" in image.dataset) return null
  const response = await fetch(image.currentSrc).catch(() => null)
  const blob = response?.ok ? await response.blob() : null
  return blob && [new File([blob], `${name}.${blob.type.split("/").pop()}`, { type: blob.type })]
}

/**
 * @param {string} url
 * @param {Say} say
 */
async function copy(url, say) {
  // Undefined outside a secure context.
  const clipboard = /** @type {Partial<Navigator>} */ (navigator).clipboard
  const isCopied = Boolean(await clipboard?.writeText(url).then(() => true, () => false))
  if (isCopied) say("Link copied.")
  else say(`Copy this link to share it: ${url}`, { milliseconds: 20_000 })
}
