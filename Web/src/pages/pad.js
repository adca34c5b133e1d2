// Longbox
// SPDX-License-Identifier: MIT

// The number pad behind a comic's title.

import { missingNumber } from "../shared/addresses.js"
import { openMenu } from "./sheets.js"

const keys = `${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `<button class="button" type="button">${digit}</button>`).join("")}
  <button class="button bare" type="button" aria-label="Delete digit"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M9 6h11v12H9l-5-6zM12 9.500l5 5M17 9.500l-5 5"/></svg></button>
  <button class="button" type="button">0</button>`
const { base = "" } = document.documentElement.dataset

/** @param {string} number */
async function titleOf(number) {
  const response = await fetch(`${base}/${number}/`, { headers: { accept: "text/html", purpose: "prefetch" } }).catch(() => null)
  if (!response?.ok) return ""
  const page = new DOMParser().parseFromString(await response.text().catch(() => ""), "text/html")
  return page.querySelector(".comic-page .bar h1")?.textContent ?? ""
}

export function showPad() {
  if (document.querySelector("dialog[open]")) return
  // For hints.js, which is part of another file.
  document.dispatchEvent(new CustomEvent("longbox:act", { detail: "title" }))
  const chip = /** @type {HTMLElement | null} */ (document.querySelector(".chip"))
  // Files of a static copy don't have it.
  const latest = Number(chip?.dataset.latest ?? Infinity)
  const form = document.createElement("form")
  // A phone shows the keys of this form instead of its own; a desktop has a keyboard.
  const hasKeys = !matchMedia("(pointer: fine)").matches
  form.innerHTML = `<div class="typed"><label>#<input aria-label="Comic number" inputmode="${hasKeys ? "none" : "numeric"}" pattern="[0-9]*" maxlength="5" autocomplete="off" enterkeyhint="go" autofocus></label>
    <p class="hit"><strong role="status"></strong><span>${latest === Infinity ? "" : `1 to ${latest}`}</span><a href="${base}/comics">All comics</a></p></div>
    <div class="keys">${hasKeys ? keys : ""}<button class="button primary">Go</button></div>`
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"))
  const title = /** @type {HTMLElement} */ (form.querySelector("strong"))
  let asking = 0

  async function showTitle() {
    clearTimeout(asking)
    const number = Number(input.value)
    // The range stands beside it.
    title.textContent = number > latest ? `There is no comic ${number} yet.` : ""
    if (!number || number > latest) return
    if (number === missingNumber) {
      title.textContent = "There is no comic 404."
      return
    }
    asking = setTimeout(async () => {
      const found = await titleOf(String(number))
      if (Number(input.value) === number) title.textContent = found
    }, 120)
  }

  /** @param {string} text */
  const type = (text) => {
    const digits = text.replace(/\D/g, "")
    input.value = digits.replace(/^0+/, "").slice(0, 5)
    showTitle()
    if (digits && !input.value) title.textContent = "There is no comic 0. The first is 1."
  }
  input.addEventListener("beforeinput", (event) => { if (/\D/.test(event.data ?? "")) event.preventDefault() })
  input.addEventListener("input", () => type(input.value))
  input.addEventListener("paste", (event) => {
    event.preventDefault()
    type(event.clipboardData?.getData("text") ?? "")
  })
  form.addEventListener("click", ({ target }) => {
    const key = target instanceof Element ? /** @type {HTMLButtonElement | null} */ (target.closest(".keys [type=button]")) : null
    if (key) type(key.ariaLabel ? input.value.slice(0, -1) : input.value + key.textContent)
  })
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const number = Number(input.value)
    if (!number) {
      title.textContent = latest === Infinity ? "Type a comic’s number." : `Type a number from 1 to ${latest}.`
      return input.focus()
    }
    if (number > latest) return
    // Replaces the sheet's entry in the history.
    location.replace(`${base}/${number}/`)
  })
  openMenu("Go to comic number", "pad", form)
  input.focus()
}
