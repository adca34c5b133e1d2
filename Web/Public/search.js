// Longbox
// SPDX-License-Identifier: MIT
//
// What the search page does where scripts run: results while typing, ways by keyboard, and the searches that were made
// on this device. app.js loads it where there is a search box. The page works without it.

const form = document.querySelector(".search-box")
const box = form.elements.q

// Results while typing

let lastSearch = 0

async function searchNow() {
  lastSearch += 1
  const turn = lastSearch
  const query = new URLSearchParams(new FormData(form))
  const response = await fetch(`/search?${query}&typing=1`).catch(() => null)
  const page = response && new DOMParser().parseFromString(await response.text(), "text/html")
  const found = page?.querySelector("#found")
  // A late answer must not stand in the place of a newer one.
  if (!found || turn !== lastSearch) return
  const before = document.querySelector("#found")
  const hadFocus = before.contains(document.activeElement)
  before.replaceWith(found)
  if (hadFocus) (links()[0] ?? box).focus()
  document.querySelector("#count").textContent = page.querySelector("#count").textContent
  history.replaceState(null, "", `/search?${query}`)
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

// By keyboard: down from the box into the results, up and down between them, Escape back

const links = () => [...document.querySelectorAll("#recent li a, #found .cards .card")].filter((link) => link.checkVisibility())

document.querySelector(".search").addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return
  const all = links()
  const place = all.indexOf(document.activeElement)
  if (place < 0 && document.activeElement !== box) return
  const next = { ArrowDown: all[place + 1], ArrowUp: place > 0 ? all[place - 1] : box, Escape: box }[event.key]
  // In the box, up and Escape are the browser's.
  if (!next || (next === box && place < 0)) return
  event.preventDefault()
  next.focus()
})

// Recent searches: on this device alone, the latest first

const key = "recent-searches"
const most = 10
/** What was remembered while typing on this page: it was the beginning of what followed. */
let unfinished = null

function recentSearches() {
  try {
    const kept = JSON.parse(localStorage.getItem(key))
    return Array.isArray(kept) ? kept.filter(({ text }) => typeof text === "string" && text).slice(0, most) : []
  } catch {
    // Nothing is kept, what is kept is not ours, or the browser lets nothing be kept.
    return []
  }
}

function keep(searches) {
  try {
    if (searches.length) localStorage.setItem(key, JSON.stringify(searches))
    else localStorage.removeItem(key)
  } catch {
    // No room, or not allowed: then they are forgotten.
  }
  showRecent()
}

function remember() {
  clearTimeout(rest)
  const text = box.value.trim()
  if (!text) return
  const isBeginning = (other) => text.startsWith(other) || other.startsWith(text)
  const others = recentSearches().filter((search) => search.text !== text && !(search.text === unfinished && isBeginning(unfinished)))
  unfinished = text
  keep([{ text, isDeep: form.elements.deep.checked }, ...others].slice(0, most))
}

function showRecent() {
  const searches = box.value ? [] : recentSearches()
  recent.hidden = searches.length === 0
  recent.querySelector("ul").replaceChildren(...searches.map(({ text, isDeep }) => {
    const item = document.createElement("li")
    const link = document.createElement("a")
    link.href = `/search?${new URLSearchParams({ q: text, deep: isDeep ? 1 : 0 })}`
    link.textContent = text
    link.dir = "auto"
    item.append(link)
    return item
  }))
}

const recent = document.createElement("section")
recent.id = recent.className = "recent"
recent.innerHTML = `
  <h2 id="recent-title">Recent searches</h2>
  <ul role="list" aria-labelledby="recent-title"></ul>
  <button class="button" type="button">Clear recent searches</button>`
recent.querySelector("button").addEventListener("click", () => {
  unfinished = null
  keep([])
  box.focus()
})
document.querySelector("#found").before(recent)

form.addEventListener("submit", remember)
document.querySelector(".search").addEventListener("click", ({ target }) => {
  if (target.closest("#found .card")) remember()
})
addEventListener("pageshow", showRecent)
// Another tab has searched.
addEventListener("storage", showRecent)
showRecent()
if (!box.value) box.focus()
