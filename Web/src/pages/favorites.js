// Longbox
// SPDX-License-Identifier: MIT

// The script of the page of favorites: keeps the scroll position when one is removed, counts the selected ones, selects
// all or none without a page load, and shares the list. The page works without it.

import { isXkcd, sharedLink } from "./shared-link.js"

/** @typedef {import("./services.d.ts").Services} Services */

const form = () => /** @type {HTMLFormElement | null} */ (document.querySelector(".selecting"))
const boxes = () => /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(".selecting [name=comic]")])
const chosen = () => boxes().filter(({ checked }) => checked)

function count() {
  const heading = document.querySelector("h1")
  const remove = /** @type {HTMLButtonElement | null} */ (form()?.querySelector("[type=submit]"))
  const share = /** @type {HTMLButtonElement | null} */ (form()?.querySelector(".share-list"))
  const number = chosen().length
  if (heading) heading.textContent = number ? `${number} selected` : "Select favorites"
  if (remove) {
    remove.disabled = number === 0
    remove.textContent = number === 0 ? "Remove" : `Remove ${number} ${number === 1 ? "favorite" : "favorites"}`
  }
  if (share) {
    share.hidden = false
    share.disabled = number === 0
  }
}

/** The selected comics as text, a line each. */
function list() {
  const lines = chosen().map((box) => {
    const title = box.closest("label")?.querySelector("bdi")?.textContent ?? ""
    return [`#${box.value}`, title, sharedLink(box.value)].filter(Boolean).join(" ")
  })
  return { title: isXkcd() ? "xkcd favorites" : "Longbox favorites", text: [isXkcd() ? "xkcd by Randall Munroe" : "Samples drawn for Longbox", ...lines].join("\n") }
}

/** @param {Services} services */
async function share({ say }) {
  const { title, text } = list()
  const { share: shares, clipboard } = /** @type {Partial<Navigator>} */ (navigator)
  if (shares) return navigator.share({ title, text }).catch(() => {})
  const isCopied = await clipboard?.writeText(text).then(() => true, () => false)
  // If the browser doesn't allow copying, the reader can copy the list from the message.
  say(isCopied ? "List copied." : text, isCopied ? {} : { milliseconds: 20_000 })
}

const scrollName = "favorites-scroll"

/**
 * Keeps the scroll position when a form reloads this page.
 * @param {Services} services
 */
function keepScrollPosition({ tab }) {
  const scroll = tab.getItem(scrollName)
  tab.removeItem(scrollName)
  if (scroll) scrollTo({ top: Number(scroll), behavior: "instant" })
  document.querySelector(".favorites")?.addEventListener("submit", () => tab.setItem(scrollName, String(scrollY)))
}

/** @param {Services} services */
export function start(services) {
  keepScrollPosition(services)
  const selecting = form()
  if (!selecting) return
  selecting.addEventListener("change", count)
  selecting.querySelector(".share-list")?.addEventListener("click", () => share(services))
  for (const link of document.querySelectorAll(".bar-links a")) {
    const isAll = link.textContent === "All"
    if (!isAll && link.textContent !== "None") continue
    link.addEventListener("click", (event) => {
      event.preventDefault()
      for (const box of boxes()) box.checked = isAll
      count()
    })
  }
  // The browser may restore checks after the page is shown.
  addEventListener("pageshow", count)
  count()
}
