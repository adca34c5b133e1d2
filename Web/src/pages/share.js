// Longbox
// SPDX-License-Identifier: MIT

// Shares a comic, from a sheet of what there is to share: through the system's own sheet on a phone, else by the clipboard. Browsers
// allow both only while they handle a press or for a short time after it, so what takes time is prepared when the sheet opens.

import { isXkcd, sharedLink } from "./shared-link.js"
import { openMenu } from "./sheets.js"

/** Maximum wait for the picture after the press, in milliseconds. */
const timeout = 1_000

/** @typedef {import("./services.d.ts").Services["say"]} Say */

/** The parts of the platform that may be missing, as outside a secure context. */
const platform = () => /** @type {Partial<Navigator>} */ (navigator)
/** Whether the system's sheet is used: on devices that are touched, where it is what people know. */
const hasSystemSheet = () => platform().share !== undefined && matchMedia("(pointer: coarse)").matches

/** The picture of the comic shown; `blob` is null until it is fetched. @type {{ address: string, blob: Blob | null, fetching: Promise<void> } | null} */
let picture = null

/** Fetches the picture of the comic shown, most likely from the browser's memory. Called when a press is likely. */
export function prepare() {
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".pages > .stage .picture:not(.absent) img"))
  const address = image && !("missing" in image.dataset) ? image.currentSrc : ""
  if (address && picture?.address === address) return
  const mine = { address, blob: /** @type {Blob | null} */ (null), fetching: Promise.resolve() }
  picture = address ? mine : null
  if (!address) return
  mine.fetching = fetch(address).then(async (response) => { mine.blob = response.ok ? await response.blob() : null }).catch(() => {}).then(() => {
    // The next time it may load.
    if (!mine.blob && picture === mine) picture = null
  })
}

/** @param {string} selector */
const textOf = (selector) => document.querySelector(selector)?.textContent?.trim() ?? ""

/**
 * What there is to share of the comic shown.
 * @param {string} pageTitle
 */
export function describe(pageTitle) {
  const number = textOf(".bar .number").slice(1)
  const link = sharedLink(number)
  const title = isXkcd() ? `xkcd ${pageTitle}` : pageTitle
  const credit = isXkcd() ? "by Randall Munroe, CC BY-NC 2.5" : "a sample drawn for Longbox"
  const alt = textOf(".details .alt") || textOf(".stage .alt")
  const transcript = [...document.querySelectorAll("#transcript > p")].map((line) => line.textContent?.trim()).join("\n")
  const name = `${isXkcd() ? "xkcd" : "longbox-sample"}-${number}`
  return { link, title, alt, transcript, name, text: [`${title}, ${credit}`, alt, link].filter(Boolean).join("\n\n") }
}

/** @typedef {ReturnType<typeof describe>} Shared */

/**
 * Copies a text within the press; shows it where the browser doesn't allow that.
 * @param {string} text
 * @param {string} done
 * @param {Say} say
 */
async function copy(text, done, say) {
  const isCopied = Boolean(await platform().clipboard?.writeText(text).then(() => true, () => false))
  if (isCopied) say(done)
  else say(`Copy this to share it: ${text}`, { milliseconds: 20_000 })
}

/**
 * @param {Shared} shared
 * @param {Say} say
 */
export async function shareLink({ link, title }, say) {
  if (!hasSystemSheet()) return copy(link, "Link copied.", say)
  await navigator.share({ title, url: link }).catch((error) => { if (error.name !== "AbortError") return copy(link, "Link copied.", say) })
}

/**
 * Shares the picture with its title, alt text and link, or copies the picture alone.
 * @param {Shared} shared
 * @param {Say} say
 */
export async function sharePicture({ title, text, name }, say) {
  prepare()
  const mine = picture
  if (!hasSystemSheet()) return copyPicture(mine, say)
  if (mine && !mine.blob) await Promise.race([mine.fetching, new Promise((resolve) => { setTimeout(resolve, timeout) })])
  const files = mine?.blob ? [new File([mine.blob], `${name}.${mine.blob.type.split("/").pop()}`, { type: mine.blob.type })] : []
  if (!files.length) return say("The picture hasn’t loaded yet. Try again in a moment.", { isError: true })
  if (!platform().canShare?.({ files })) return copyPicture(mine, say)
  await navigator.share({ title, text, files }).catch((error) => {
    if (error.name !== "AbortError") say("The picture couldn’t be shared. Save it in Details instead.", { isError: true })
  })
}

/**
 * Writes the picture to the clipboard, which takes PNG alone. The press would be over before it is fetched, so a promise is written.
 * @param {typeof picture} mine
 * @param {Say} say
 */
async function copyPicture(mine, say) {
  let isCopied = false
  if (mine && platform().clipboard && typeof ClipboardItem !== "undefined") {
    const png = mine.fetching.then(() => asPNG(mine.blob))
    isCopied = await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]).then(() => true, () => false)
  }
  if (isCopied) say("Picture copied.")
  else say("This browser couldn’t copy the picture. Save it in Details instead.", { isError: true })
}

/** @param {Blob | null} blob */
async function asPNG(blob) {
  if (!blob) throw new Error("The picture couldn't be fetched.")
  if (blob.type === "image/png") return blob
  const bitmap = await createImageBitmap(blob)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0)
  return canvas.convertToBlob({ type: "image/png" })
}

/**
 * Opens the sheet of what there is to share.
 * @param {Say} say
 * @param {string} pageTitle
 */
export function openShare(say, pageTitle) {
  if (document.querySelector("dialog[open]")) return
  prepare()
  const shared = describe(pageTitle)
  /** @type {[string, string | boolean, () => Promise<unknown> | void][]} */
  const choices = [
    ["Link", shared.link, () => shareLink(shared, say)],
    ["Picture", picture !== null, () => sharePicture(shared, say)],
    ["Copy alt text", shared.alt, () => copy(shared.alt, "Alt text copied.", say)],
    ["Copy transcript", shared.transcript, () => copy(shared.transcript, "Transcript copied.", say)],
  ]
  const list = document.createElement("ul")
  list.className = "rows marks"
  list.role = "list"
  list.append(...choices.filter(([, isThere]) => isThere).map(([name, , act]) => {
    const [item, button] = [document.createElement("li"), document.createElement("button")]
    button.className = "row"
    button.type = "button"
    button.textContent = name
    // The press does it; the sheet leaves when it is done, since leaving changes the page's history.
    button.addEventListener("click", () => Promise.resolve(act()).finally(leave))
    item.append(button)
    return item
  }))
  const leave = openMenu("Share", "menu", list)
}
