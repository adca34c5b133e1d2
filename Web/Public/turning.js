// Longbox
// SPDX-License-Identifier: MIT
//
// Turning the page in place: the neighbours are fetched and their pictures decoded before anybody asks for them, so the
// next comic is there at once. app.js loads it on a comic's page. Without it each comic is a page load.

const parts = [".bar", "main", "footer"]
const canMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches

/** What app.js gives: `prepare()` for a page that has come, `showConnection()` for its banner. */
let host = null

// Fetching

/** The pages that may come next, by the address of the link that leads there. */
let ahead = new Map()

/** A page as a document with its address, or null where there is none to show in this place. */
async function fetchPage(address, { isAhead = false, ...options } = {}) {
  const headers = { accept: "text/html", ...(isAhead && { purpose: "prefetch" }) }
  try {
    const response = await fetch(address, { ...options, headers })
    const page = new DOMParser().parseFromString(await response.text(), "text/html")
    return response.ok && page.querySelector("body.comic-page") ? { page, address: new URL(response.url).pathname } : null
  } catch {
    return null
  }
}

/** A page whose picture has been decoded already, and whose parts are this document's: the turn has so much less to do. */
async function fetchAhead(address) {
  const found = await fetchPage(address, { isAhead: true })
  const parsed = found?.page.querySelector(".picture img")
  if (parsed) {
    const image = new Image()
    for (const { name, value } of parsed.attributes) if (name !== "src" && name !== "srcset") image.setAttribute(name, value)
    // Last, for they start it; `srcset` before `src`, or both would be fetched.
    for (const name of ["srcset", "src"]) if (parsed.hasAttribute(name)) image.setAttribute(name, parsed.getAttribute(name))
    parsed.replaceWith(image)
    image.fetchPriority = "low"
    // Not waited for: the page can be shown before its picture.
    image.decode().catch(() => {})
  }
  if (found) found.parts = parts.map((selector) => document.adoptNode(found.page.querySelector(selector)))
  return found
}

/** Fetches what the links of this page lead to, and forgets what they no longer do. */
function lookAhead() {
  if (navigator.connection?.saveData) return
  const links = ["next", "previous", "random"].map((name) => linkTo(name)).filter(Boolean).map(addressOf)
  ahead = new Map(links.map((address) => [address, ahead.get(address) ?? fetchAhead(address)]))
}

// Turning

const names = { first: "First comic", previous: "Previous comic", random: "Random comic", next: "Next comic", latest: "Latest comic" }

/** The link of this page to another comic; null at an end. */
export const linkTo = (name) => document.querySelector(`.pager a[href][aria-label="${names[name]}"]`)

const addressOf = (link) => link.pathname + link.search

let shown = location.pathname
let turns = 0

/** Shows the comic at an address in the place of this one; where that can't be, the browser goes there. */
export async function turn(address, { direction = "", isBack = false, isDrawn = false, offset = 0 } = {}) {
  turns += 1
  const mine = turns
  const busy = setTimeout(() => { if (mine === turns) document.documentElement.classList.add("busy") }, 300)
  const found = (await ahead.get(address)) ?? (await fetchPage(address, { isAhead: true }))
  ahead.delete(address)
  clearTimeout(busy)
  if (mine !== turns) return
  document.documentElement.classList.remove("busy")
  if (!found) return isBack ? location.reload() : location.assign(address)
  const top = isBack ? history.state?.scroll ?? 0 : 0
  // Asked while nothing has changed yet, or the page would be laid out for the answer.
  const isElsewhere = scrollY !== top
  if (!isBack) {
    noteScroll()
    history.pushState({ isTurned: true }, "", found.address)
  }
  if (isDrawn) drawn = [...drawn, found.address].slice(-100)
  show(found, { direction, offset })
  if (isElsewhere || top > 0) scrollTo({ top, behavior: "instant" })
  await painted()
  // The page was asked for in advance; now somebody looks at it.
  const viewed = await fetchPage(found.address)
  if (viewed && mine === turns) {
    exchange(viewed.page)
    if (viewed.page.querySelector(".messages .notice")) showMessages(viewed.page)
  }
  whenIdle(lookAhead)
}

function show({ page, parts: come, address }, { direction, offset }) {
  const focused = nameOf(document.activeElement)
  shown = address
  document.title = page.title
  parts.forEach((selector, index) => document.querySelector(selector).replaceWith(come?.[index] ?? page.querySelector(selector)))
  showMessages(page)
  const canonical = page.querySelector("link[rel=canonical]")
  if (canonical) document.querySelector("link[rel=canonical]")?.setAttribute("href", canonical.getAttribute("href"))
  const picture = document.querySelector(".picture")
  if (picture && direction && canMove()) {
    picture.style.setProperty("--from", `${offset || (direction === "next" ? 48 : -48)}px`)
    picture.classList.add("arrives")
  }
  offerDrawn()
  host.prepare()
  if (focused) named(focused)?.focus({ preventScroll: true })
  announce(document.querySelector(".picture img")?.alt ?? document.title)
}

/** The comics that chance gave, the latest last. */
let drawn = []

/** A way back to the comic that chance gave before. */
function offerDrawn() {
  const before = drawn.findLast((address) => address !== shown)
  if (!before) return
  const link = document.createElement("a")
  link.className = "button drawn"
  link.href = before
  link.ariaLabel = "Random one before"
  link.append("‹", linkTo("random").firstElementChild.cloneNode(true))
  link.addEventListener("click", () => { drawn = drawn.slice(0, drawn.lastIndexOf(before) + 1) })
  document.querySelector(".to-any > a").before(link)
}

/** What tells a control of one page from others, so that the same on the next page can be found. */
const nameOf = (element) => element?.closest(".pager, .actions") && element.getAttribute("aria-label")
const named = (name) => document.querySelector(`:is(.pager, .actions) [aria-label="${CSS.escape(name)}"]`)

const announcer = document.createElement("div")
announcer.className = "announcer"
announcer.ariaLive = "polite"

function announce(sentence) {
  announcer.textContent = sentence
}

const whenIdle = window.requestIdleCallback ? (step) => requestIdleCallback(step, { timeout: 500 }) : setTimeout

/** Until what was changed has been painted; a page that nobody sees is not. */
const painted = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve))
  setTimeout(resolve, 250)
})

// Where a page was scrolled to, for the way back

function noteScroll() {
  if ((history.state?.scroll ?? 0) !== scrollY) history.replaceState({ ...history.state, scroll: scrollY }, "")
}

// Forms: what they change is exchanged, and the picture stays as it is

function showMessages(page) {
  const messages = document.querySelector(".messages")
  messages.replaceChildren(...page.querySelector(".messages").childNodes)
  host.showConnection()
}

/** Says what was done where it moves nothing, for a while; the heart takes it back later, too. */
function toast(page) {
  showMessages(page)
  const notice = document.querySelector(".messages .notice")
  notice?.classList.add("toast")
  clearTimeout(toasting)
  const end = () => {
    if (notice?.matches(":hover, :focus-within")) toasting = setTimeout(end, 2_000)
    else notice?.remove()
  }
  toasting = setTimeout(end, 8_000)
}

let toasting = 0

/** Takes from a newer version of this page what may have changed. */
function exchange(page) {
  for (const selector of [".actions .edit", ".marks"]) {
    const [before, after] = [document, page].map((root) => root.querySelector(selector))
    if (!before || !after || before.isEqualNode(after)) continue
    const button = [...before.querySelectorAll("button")].indexOf(document.activeElement)
    before.replaceWith(after)
    if (button >= 0) (after.querySelectorAll("button")[button] ?? after.querySelector("button"))?.focus({ preventScroll: true })
  }
}

/** Sends a form of this page, and shows what came of it. */
export async function send(form) {
  const before = turns
  const changed = await fetchPage(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) })
  if (!changed) return form.submit()
  if (before !== turns) return
  const wasInMessages = document.querySelector(".messages").contains(document.activeElement)
  exchange(changed.page)
  toast(changed.page)
  if (wasInMessages) document.querySelector(".heart")?.focus({ preventScroll: true })
}

/** Makes the comic a favourite, where it is none yet. */
export function favorite() {
  const heart = document.querySelector('.heart[aria-pressed="false"]')
  return heart && send(heart.form)
}

// Beginning

export function start(services) {
  host = services
  document.body.append(announcer)
  history.scrollRestoration = "manual"
  if (history.state?.scroll) scrollTo({ top: history.state.scroll, behavior: "instant" })

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".pager a[href], .drawn")
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const direction = { "Next comic": "next", "Latest comic": "next", "Previous comic": "previous", "First comic": "previous" }
    turn(addressOf(link), { direction: direction[link.ariaLabel], isDrawn: link.ariaLabel === names.random })
  })
  document.addEventListener("submit", (event) => {
    const form = event.target.closest(".comic-page .edit")
    if (!form || event.defaultPrevented) return
    event.preventDefault()
    send(form)
  })
  addEventListener("popstate", () => {
    if (location.pathname !== shown) return turn(location.pathname, { isBack: true })
    // Back at the comic that is shown still: no other is waited for.
    turns += 1
    document.documentElement.classList.remove("busy")
  })
  addEventListener("pagehide", noteScroll)
  whenIdle(lookAhead)
}
