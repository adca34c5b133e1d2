// Longbox
// SPDX-License-Identifier: MIT

// Puts the explanation of a comic into its disclosure.

/** Disclosures that are loading. @type {WeakSet<Element>} */
const loading = new WeakSet()

/** @param {Element} disclosure */
const bodyOf = (disclosure) => /** @type {HTMLElement} */ (disclosure.querySelector(".explanation-body"))
/** @param {Element} disclosure */
const linkIn = (disclosure) => /** @type {HTMLAnchorElement | null} */ (bodyOf(disclosure).querySelector(".whole"))

/**
 * @param {Element} disclosure
 * @param {(disclosure: Element, link: HTMLAnchorElement) => Promise<void>} load
 */
async function once(disclosure, load) {
  const link = linkIn(disclosure)
  if (loading.has(disclosure) || !link) return
  loading.add(disclosure)
  const removeNote = noteLoading(bodyOf(disclosure))
  try {
    await load(disclosure, link)
  } finally {
    removeNote()
    loading.delete(disclosure)
  }
}

/**
 * Shows "Loading…", unless the beginning is shown already.
 * @param {HTMLElement} body
 * @returns {() => void} removes the note
 */
function noteLoading(body) {
  const note = document.createElement("p")
  note.textContent = "Loading…"
  const missing = body.querySelector(".missing")
  if (missing) missing.replaceWith(note)
  else if (!body.querySelector(".lead")) body.prepend(note)
  return () => missing ? note.replaceWith(missing) : note.remove()
}

/**
 * Shows the whole explanation in place of its beginning.
 * @param {Element} disclosure
 */
export const showWhole = (disclosure) => once(disclosure, loadWhole)

/**
 * @param {Element} disclosure
 * @param {HTMLAnchorElement} link
 */
async function loadWhole(disclosure, link) {
  const response = await fetch(link.href).catch(() => null)
  const page = new DOMParser().parseFromString((await response?.text().catch(() => null)) ?? "", "text/html")
  const text = page.querySelector("#explanation")
  if (!text || !response) return
  if (!response.ok) return sayWhy(disclosure, text.querySelectorAll("p"))
  const hadLead = disclosure.querySelector(".lead") !== null
  const whole = document.createElement("div")
  whole.className = "explanation-text"
  whole.tabIndex = -1
  whole.append(...text.childNodes)
  bodyOf(disclosure).replaceChildren(whole)
  if (hadLead) whole.focus({ preventScroll: true })
}

/**
 * Shows the server's reason next to the link, which works once there is an explanation.
 * @param {Element} disclosure
 * @param {Iterable<Element>} paragraphs
 */
function sayWhy(disclosure, paragraphs) {
  bodyOf(disclosure).querySelector(".why")?.remove()
  const why = document.createElement("div")
  why.className = "why"
  why.role = "status"
  bodyOf(disclosure).append(why)
  why.append(...paragraphs)
}

/**
 * Shows the beginning of an explanation that the page was rendered without.
 * @param {Element} disclosure
 */
export const showBeginning = (disclosure) => once(disclosure, loadBeginning)

/**
 * @param {Element} disclosure
 * @param {HTMLAnchorElement} link
 */
async function loadBeginning(disclosure, link) {
  const { base = "" } = document.documentElement.dataset
  const comic = link.pathname.split("/").at(-2)
  const response = await fetch(`${base}/explanations/${comic}`).catch(() => null)
  const explanation = response?.ok ? await response.json().catch(() => null) : null
  if (explanation) bodyOf(disclosure).innerHTML = explanation.beginning
  else await loadWhole(disclosure, link)
}
