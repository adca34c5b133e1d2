// Longbox
// SPDX-License-Identifier: MIT

// Shares a comic: its picture and credit through the device, or else a copied link. Browsers allow both only while they handle
// a press or for a short time after it, so what takes time is prepared before.

const { base = "" } = document.documentElement.dataset
/** Maximum wait for the picture after the press, in milliseconds. Then the comic is shared without it. */
const timeout = 1_000

/** @typedef {import("./services.d.ts").Services["say"]} Say */

const canShare = () => /** @type {Partial<Navigator>} */ (navigator).share !== undefined

/** The picture to share; `blob` is set once it is fetched. @type {{ address: string, blob: Blob | null, fetching: Promise<void> } | null} */
let picture = null

/** Fetches the picture of the comic shown, if this device can share. Called when a press is likely. */
export function prepare() {
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".pages > .stage .picture img"))
  const address = image && !("missing" in image.dataset) ? image.currentSrc : ""
  if (!canShare() || picture?.address === address) return
  const mine = { address, blob: /** @type {Blob | null} */ (null), fetching: Promise.resolve() }
  picture = address ? mine : null
  if (!address) return
  mine.fetching = fetch(address).then(async (response) => { mine.blob = response.ok ? await response.blob() : null }).catch(() => {}).then(() => {
    // The next time it may load.
    if (!mine.blob && picture === mine) picture = null
  })
}

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
  if (!canShare()) return copy(url, say)
  const text = isXkcd ? `${title} by Randall Munroe, https://xkcd.com/${number}/, CC BY-NC 2.5` : `${title}, a sample drawn for Longbox`
  prepare()
  const mine = picture
  if (mine && !mine.blob) await Promise.race([mine.fetching, new Promise((resolve) => { setTimeout(resolve, timeout) })])
  const files = mine?.blob && filesOf(mine.blob, `${isXkcd ? "xkcd" : "longbox-sample"}-${number}`)
  const whole = files && /** @type {Partial<Navigator>} */ (navigator).canShare?.({ files }) ? { title, text, url, files } : { title, text, url }
  await navigator.share(whole).catch((error) => { if (error.name !== "AbortError") copy(url, say) })
}

/**
 * @param {Blob} blob
 * @param {string} name without its extension
 */
const filesOf = (blob, name) => [new File([blob], `${name}.${blob.type.split("/").pop()}`, { type: blob.type })]

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
