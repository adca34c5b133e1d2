// Longbox
// SPDX-License-Identifier: MIT

// The search page's script: results while typing, what only the server finds, keyboard navigation, recent searches, and
// a preview. The page works without it.

import { keepTick, keptTick } from "./deep-search.js"
import { kept, keepSearches, withSearch } from "./recent-searches.js"
import { previewFirst, startPreview } from "./search-preview.js"

/** @typedef {import("./recent-searches.js").Search} Search */

const form = /** @type {HTMLFormElement} */ (document.querySelector(".search-box"))
const box = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"))
const deep = /** @type {HTMLInputElement} */ (form.elements.namedItem("deep"))
const main = /** @type {HTMLElement} */ (document.querySelector(".search"))

const { base = "" } = document.documentElement.dataset
const fields = () => new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))

// Results while typing

let lastSearch = 0

async function searchNow() {
  lastSearch += 1
  const turn = lastSearch
  const query = fields()
  query.set("typing", "1")
  const page = await pageAt(`${base}/search?${query}`)
  // A late response must not replace a newer one.
  if (turn !== lastSearch) return
  const found = page.querySelector("#found") ?? failure()
  const before = document.querySelector("#found")
  const hadFocus = before?.contains(document.activeElement)
  before?.replaceWith(found)
  if (hadFocus) (links()[0] ?? box).focus()
  const count = document.querySelector("#count")
  if (count) count.textContent = page.querySelector("#count")?.textContent ?? ""
  try {
    // With `typing`, so that Back and a reload show the same: a half-typed word finds nothing by itself.
    history.replaceState(null, "", `${base}/search?${query}`)
  } catch {
    // Safari allows 100 changes in 30 seconds; the next search sets it.
  }
  previewFirst()
  clearTimeout(pause)
  if (found instanceof HTMLElement && found.dataset["lacks"]) pause = setTimeout(addFromServer, pauseBeforeServer, query, turn)
}

/** @param {string} address */
async function pageAt(address) {
  const html = await fetch(address).then((response) => response.text()).catch(() => "")
  return new DOMParser().parseFromString(html, "text/html")
}

/** The message shown in place of the results if a search fails. */
function failure() {
  const found = document.createElement("div")
  found.id = "found"
  found.innerHTML = '<p class="note" role="alert">That search didn’t work. Try again in a moment.</p>'
  return found
}

// What only the server finds, since this device has no index of explanations

/** How long typing rests before the server is asked, in milliseconds. */
const pauseBeforeServer = 250
let pause = 0

/**
 * Adds what the server finds to the results that are shown. Those stay in their places.
 * @param {URLSearchParams} query
 * @param {number} turn the search that is shown
 */
async function addFromServer(query, turn) {
  query.set("more", "1")
  const page = await pageAt(`${base}/search?${query}`)
  const [theirs, ours] = [page, document].map((place) => /** @type {HTMLElement | null} */ (place.querySelector("#found")))
  if (turn !== lastSearch || !theirs || !ours) return
  delete ours.dataset["lacks"]
  const note = theirs.querySelector(".lacking")
  if (note && !ours.querySelector(".lacking")) ours.append(note)
  // The server may not have the reader's newest favorites, which a filter asks for.
  if (Number(theirs.dataset["total"] ?? 0) <= Number(ours.dataset["total"] ?? 0)) return
  const [theirCount, count] = [page, document].map((place) => place.querySelector("#count"))
  if (count && count.textContent !== theirCount?.textContent) count.textContent = theirCount?.textContent ?? ""
  if (ours.querySelector(".results")) {
    ours.dataset["total"] = theirs.dataset["total"]
    addResults(theirs, ours)
  } else {
    ours.replaceWith(theirs)
    previewFirst()
  }
}

/**
 * @param {HTMLElement} theirs
 * @param {HTMLElement} ours
 */
function addResults(theirs, ours) {
  const lists = [...ours.querySelectorAll(".results")]
  const shown = new Set([...ours.querySelectorAll(".card")].map((card) => card.getAttribute("href")))
  for (const list of theirs.querySelectorAll(".results")) {
    const [mine, section] = [lists.find(({ ariaLabel }) => ariaLabel === list.ariaLabel), list.closest(".in-texts")]
    const isNew = (/** @type {Element} */ item) => !shown.has(item.querySelector(".card")?.getAttribute("href") ?? null)
    const further = [...list.children].filter(isNew)
    if (!mine) {
      if (section) ours.append(section)
      continue
    }
    // The section shows only the first.
    mine.append(...further.slice(0, section ? Math.max(0, list.children.length - mine.children.length) : further.length))
    const [theirLinks, links] = [list, mine].map((place) => place.nextElementSibling)
    if (theirLinks?.matches(".links") && links?.matches(".links")) links.replaceWith(theirLinks)
  }
}

let frame = 0
let rest = 0
form.addEventListener("input", () => {
  cancelAnimationFrame(frame)
  frame = requestAnimationFrame(searchNow)
  clearTimeout(rest)
  rest = setTimeout(remember, 2_000)
  showRecent()
})

// Keyboard: Down from the box into the results, Up and Down between them, Escape back

/** @returns {HTMLElement[]} */
const links = () => {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#recent li a, #found .card"))
  return [...all].filter((link) => link.checkVisibility())
}

main.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return
  const all = links()
  const place = all.findIndex((link) => link === document.activeElement)
  if (place < 0 && document.activeElement !== box) return
  /** @type {Record<string, HTMLElement | undefined>} */
  const targets = { ArrowDown: all[place + 1], ArrowUp: place > 0 ? all[place - 1] : box, Escape: box }
  const next = targets[event.key]
  // In the box, the browser handles Up and Escape.
  if (!next || (next === box && place < 0)) return
  event.preventDefault()
  next.focus()
})

// Recent searches

/** The last search stored while typing: the next one may extend it. @type {string | null} */
let unfinished = null

function remember() {
  clearTimeout(rest)
  const text = box.value.trim()
  if (!text) return
  keepSearches(withSearch(kept(), { text, isDeep: deep.checked }, unfinished))
  unfinished = text
  showRecent()
}

const recent = document.createElement("section")
recent.id = recent.className = "recent"
recent.innerHTML = `
  <div class="recent-head"><h2 id="recent-title">Recent<span class="aside"> searches</span></h2>
    <button class="button" type="button">Clear<span class="aside"> recent searches</span></button></div>
  <ul role="list" aria-labelledby="recent-title"></ul>`
recent.querySelector("button")?.addEventListener("click", () => {
  unfinished = null
  keepSearches([])
  showRecent()
  box.focus()
})

function showRecent() {
  const searches = box.value ? [] : kept()
  recent.hidden = searches.length === 0
  recent.querySelector("ul")?.replaceChildren(...searches.map(itemOf))
}

/** @param {string} path */
const icon = (path) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`

/** @param {Search} search */
function itemOf({ text, isDeep }) {
  const item = document.createElement("li")
  const link = document.createElement("a")
  link.href = `${base}/search?${new URLSearchParams({ q: text, deep: isDeep ? "1" : "0" })}`
  link.textContent = text
  link.dir = "auto"
  item.innerHTML = icon("M12 3.5a8.5 8.5 0 1 0 .01 0zM12 7.5V12l3 2")
  const remove = document.createElement("button")
  remove.className = "button"
  remove.type = "button"
  remove.ariaLabel = `Remove ${text} from recent searches`
  remove.innerHTML = icon("M7 7l10 10M17 7L7 17")
  remove.addEventListener("click", () => {
    if (unfinished === text) unfinished = null
    keepSearches(kept().filter((other) => other.text !== text))
    const next = item.nextElementSibling ?? item.previousElementSibling
    const place = next ? [...item.parentElement?.children ?? []].indexOf(item) : -1
    showRecent()
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (recent.querySelectorAll("li .button"))
    ;(buttons[Math.min(place, buttons.length - 1)] ?? box).focus()
  })
  item.append(link, remove)
  return item
}

document.querySelector("#found")?.before(recent)
form.addEventListener("submit", remember)
main.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("#found .card")) remember()
})
addEventListener("pageshow", () => {
  showRecent()
  // The browser may have put back into the box what was typed after the last results came.
  const { searchParams } = new URL(location.href)
  if (box.value.trim() !== (searchParams.get("q") ?? "").trim()) searchNow()
})
// Another tab has searched.
addEventListener("storage", showRecent)
showRecent()
startPreview(main)
if (!box.value) box.focus()

// The tick lasts on this device; an address with a tick of its own shows that.
const asked = new URLSearchParams(location.search)
const tick = asked.has("deep") || asked.has("form") ? null : keptTick()
if (tick !== null && tick !== deep.checked) {
  deep.checked = tick
  if (box.value) searchNow()
} else if (document.querySelector("#found[data-lacks]")) {
  addFromServer(asked, lastSearch)
}
deep.addEventListener("change", () => keepTick(deep.checked))
