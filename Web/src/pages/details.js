// Longbox
// SPDX-License-Identifier: MIT

// The segments of a comic's details: in a panel beside the comic, or in a sheet from below (sheets.js).

const { base = "" } = document.documentElement.dataset

/** @typedef {"about" | "explanation" | "transcript"} Part */

/** The segment that was chosen last; it stays from comic to comic. @type {string} */
let chosen = "part-about"

/** @returns {HTMLElement[]} */
const segments = () => [...document.querySelectorAll(".comic-page .segment")].map((segment) => /** @type {HTMLElement} */ (segment))

/** @param {HTMLElement} segment */
const partOf = (segment) => document.getElementById(segment.getAttribute("aria-controls") ?? "")

/** As in layout-desktop.css and layout-folded.css. */
const isWide = matchMedia("(min-width: 62.5em) and (min-height: 31em), (horizontal-viewport-segments: 2) and (min-height: 31em)")

/**
 * Whether the style sheet shows the details beside the comic. Uses the media query, since measuring an element would
 * force a layout.
 */
const isBeside = () => isWide.matches && document.querySelector(".reading > .details") !== null

/** @param {HTMLElement} segment */
function choose(segment) {
  for (const other of segments()) {
    const isChosen = other === segment
    const part = partOf(other)
    other.ariaSelected = String(isChosen)
    other.tabIndex = isChosen ? 0 : -1
    if (part?.parentElement instanceof HTMLDetailsElement) part.parentElement.open = isChosen
  }
}

/** Sets up the segments of a page that was put in place. */
export function prepareDetails() {
  for (const segment of segments()) {
    const part = partOf(segment)
    if (!part) continue
    segment.id = segment.getAttribute("aria-controls") + "-tab"
    part.role = "tabpanel"
    part.tabIndex = 0
    part.setAttribute("aria-labelledby", segment.id)
  }
  // A closed sheet stays empty, since an explanation loads when its part is opened.
  if (isBeside()) show()
  for (const button of document.querySelectorAll(".to-details, .to-number, .chip")) {
    button.role = "button"
    button.ariaHasPopup = "dialog"
  }
}

/**
 * Shows a part, by default the last chosen; returns its segment.
 * @param {Part} [part]
 */
function show(part) {
  if (part) chosen = `part-${part}`
  const all = segments()
  const segment = all.find((one) => one.getAttribute("aria-controls") === chosen) ?? all[0]
  if (segment) choose(segment)
  return segment
}

/** @param {HTMLElement} segment */
function press(segment) {
  chosen = segment.getAttribute("aria-controls") ?? chosen
  choose(segment)
}

/**
 * Shows a part in the panel or, where there is none, in a sheet.
 * @param {Part} [part]
 */
export function openDetails(part) {
  if (!document.querySelector(".comic-page .details")) return
  if (isBeside()) return show(part)?.focus()
  import("./sheets.js").then(({ showDetails }) => showDetails(() => show(part), moveOn))
}

/**
 * Shows the next part, as a swipe does; there is none beyond the last.
 * @param {number} step -1 for the previous one
 */
function moveOn(step) {
  const all = segments()
  const next = all[all.findIndex(({ ariaSelected }) => ariaSelected === "true") + step]
  if (!next) return
  press(next)
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return
  partOf(next)?.animate([{ translate: `${step * 32}px`, opacity: 0 }, {}], { duration: 150, easing: "cubic-bezier(.2, .7, .2, 1)" })
}

/** Opens the number pad, or a page that has the number form. */
export function openPad() {
  const number = /** @type {HTMLInputElement | null} */ (document.querySelector("#number"))
  if (number?.checkVisibility()) {
    number.focus()
    number.select()
  } else if (document.querySelector(".to-number, .chip")) import("./pad.js").then(({ showPad }) => showPad())
  else location.assign(`${base}/#number`)
}

/** @param {KeyboardEvent} event */
function moveAlong(event) {
  const segment = event.target instanceof HTMLElement && event.target.closest(".segment")
  if (!segment) return
  const all = segments()
  const place = all.indexOf(/** @type {HTMLElement} */ (segment))
  const next = { ArrowRight: place + 1, ArrowLeft: place - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
  const other = next === undefined ? undefined : all[next % all.length]
  if (!other) return
  event.preventDefault()
  press(other)
  other.focus()
}

export function startDetails() {
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null
    const control = /** @type {HTMLElement | null} */ (target?.closest(".segment, .to-details, .to-number, .chip"))
    if (!control) return
    event.preventDefault()
    if (control.matches(".segment")) press(control)
    else if (control.matches(".to-details")) openDetails()
    else openPad()
  })
  document.addEventListener("keydown", (event) => {
    moveAlong(event)
    // These links act as buttons, which Space presses, too.
    if (event.key !== " " || !(event.target instanceof HTMLElement) || !event.target.matches(".to-details, .to-number, .chip")) return
    event.preventDefault()
    event.target.click()
  })
  // A window that becomes wider shows the panel.
  addEventListener("resize", () => { if (isBeside() && !document.querySelector(".part[open]")) show() })
  if (location.hash === "#explanation") openDetails("explanation")
  if (location.hash === "#number") openPad()
}

// What happens when a disclosure is opened: a comic's explanation is loaded, and a note can be written at once.

/** @param {Element} disclosure a `details` element */
export function watchExplanation(disclosure) {
  const details = /** @type {HTMLDetailsElement} */ (disclosure)
  details.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest(".whole")) || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    import("./explanation.js").then(({ showWhole }) => showWhole(details))
  })
  details.addEventListener("toggle", () => {
    if (details.open && !details.querySelector(".lead")) import("./explanation.js").then(({ showBeginning }) => showBeginning(details))
  })
}

/** Puts the cursor at the end of a note that is opened. */
export function startNotes() {
  // The event doesn't bubble.
  document.addEventListener("toggle", ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches(".note-of")) return
    const note = target.querySelector("textarea")
    // Half a sheet has no room for the field and a keyboard.
    target.closest("dialog")?.classList.add("full")
    note?.focus({ preventScroll: true })
    target.scrollIntoView({ block: "nearest" })
    note?.setSelectionRange(note.value.length, note.value.length)
  }, true)
}
