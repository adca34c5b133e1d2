// Longbox
// SPDX-License-Identifier: MIT
//
// Keys of one letter, and the list of them. app.js loads it on every page; a setting turns them off.

const link = (name) => document.querySelector(`.pager a[href][aria-label="${name} comic"]`)
const details = () => document.querySelector(".to-details")
const explanation = () => document.querySelector(".comic-page .explanation > summary")
const number = () => document.querySelector("#number")

/** What each key does, as the list says it; what a page does not have it does not do. */
const shortcuts = [
  { keys: ["ArrowLeft", "h"], shown: "← or h", does: "Previous comic", act: () => link("Previous")?.click() },
  { keys: ["ArrowRight", "l"], shown: "→ or l", does: "Next comic", act: () => link("Next")?.click() },
  { keys: ["Home"], shown: "Home", does: "First comic", act: () => link("First")?.click() },
  { keys: ["End"], shown: "End", does: "Latest comic", act: () => link("Latest")?.click() },
  { keys: ["r"], shown: "r", does: "Random comic", act: () => (link("Random") ? link("Random").click() : location.assign("/random")) },
  { keys: ["R"], shown: "Shift with r", does: "Random one before", act: () => document.querySelector(".drawn")?.click() },
  { keys: ["f"], shown: "f", does: "Favorite, or no longer", act: () => document.querySelector(".heart")?.click() },
  { keys: ["d"], shown: "d", does: "Details", act: () => details()?.click() },
  { keys: ["e"], shown: "e", does: "Explanation", act: () => { explanation()?.click(); explanation()?.focus() } },
  { keys: ["s", "/"], shown: "s or /", does: "Search", act: () => (box() ? box().focus() : location.assign("/search")) },
  { keys: ["g"], shown: "g", does: "Go to a number", act: goToNumber },
  // These are viewer.js's.
  { keys: [], shown: "+ − 0", does: "Zoom in, zoom out, as it was" },
  { keys: [], shown: "Shift with an arrow", does: "Move what is zoomed" },
  { keys: ["?"], shown: "?", does: "This list", act: showList },
]
const box = () => document.querySelector(".search-box [name=q]")

/** Keys with a use of their own on what has the focus are left to it. */
const isTaken = ({ key, target }) =>
  target.closest?.("input, textarea, select, [contenteditable], dialog") ||
  (/^(Arrow|Home|End)/.test(key) && target.closest?.(".wide, .details, .explanation-text .table"))

document.addEventListener("keydown", (event) => {
  if (document.documentElement.dataset.shortcuts === "off" || event.isComposing || event.defaultPrevented) return
  if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key.length > 1) || isTaken(event)) return
  if (/^(Arrow|Home|End)/.test(event.key) && !document.querySelector(".pager")) return
  const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key))
  if (!shortcut) return
  event.preventDefault()
  shortcut.act()
})

function goToNumber() {
  if (!number()) return location.assign("/#number")
  number().focus()
  number().select()
}

function showList() {
  import(import.meta.url.replace("keys.js", "sheets.js")).then(({ showShortcuts }) => showShortcuts(shortcuts))
}

if (location.hash === "#number") number()?.focus()
