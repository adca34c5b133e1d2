// Longbox
// SPDX-License-Identifier: MIT

// Shows the alt text after a tap on the picture or on the button for it: below the picture, and what stands there, if there is
// room, otherwise over its lower edge. The picture keeps its size and position.

import { noteAct } from "../hints.js"
import { say } from "../status.js"
import { contentBottom, floor } from "./elements.js"

/** The space around the caption, in pixels. */
const gap = 12

/** @type {HTMLElement | null} */
let caption = null

/** @returns {HTMLElement | null} */
const button = () => document.querySelector(".to-alt")

/** The alt text; null if there is none, or if the page shows it already: always, or in place of a missing picture. */
const text = () => document.querySelector(".pages > .stage .alt") ? null : button() && document.querySelector("main .alt")

function open() {
  const [words, pages] = [text(), document.querySelector(".pages")]
  const picture = document.querySelector(".pages > .stage > .picture")
  if (caption || !words || !pages || !picture) return
  caption = document.createElement("div")
  caption.className = "caption"
  caption.tabIndex = 0
  caption.append(...words.cloneNode(true).childNodes)
  pages.append(caption)
  place(caption, pages, picture)
  button()?.setAttribute("aria-pressed", "true")
  noteAct("tap")
  say(words.textContent)
}

/**
 * @param {HTMLElement} caption
 * @param {Element} pages
 * @param {Element} picture
 */
function place(caption, pages, picture) {
  const [frame, { left, right }] = [pages.getBoundingClientRect(), picture.getBoundingClientRect()]
  const bottom = contentBottom()
  const end = floor(".tabs, .pager, .comic-page footer")
  const isUnder = bottom + gap + caption.offsetHeight + gap <= end
  caption.classList.toggle("under", isUnder)
  const middle = (Math.max(left, frame.left) + Math.min(right, frame.right)) / 2
  const half = caption.offsetWidth / 2
  const side = Math.min(Math.max(middle - half, frame.left + gap), frame.right - gap - half * 2)
  caption.style.left = `${side - (isUnder ? frame.left : 0)}px`
  if (isUnder) caption.style.top = `${bottom + gap - frame.top}px`
  // As low as possible, to cover as little of the picture as possible.
  else caption.style.bottom = `${innerHeight - end + gap}px`
}

export function closeCaption() {
  if (!caption) return
  const leaving = caption
  caption = null
  button()?.setAttribute("aria-pressed", "false")
  if (leaving.contains(document.activeElement)) button()?.focus({ preventScroll: true })
  leaving.inert = true
  const frames = [{ opacity: 1 }, { opacity: 0, translate: "0 12px" }]
  leaving.animate(frames, { duration: 150, easing: "cubic-bezier(.4, 0, 1, 1)" }).finished.finally(() => leaving.remove())
}

export function toggleCaption() {
  if (caption) closeCaption()
  else open()
}

/** A tap on the caption closes it, unless the reader selects words. */
function tapCaption() {
  if (getSelection()?.isCollapsed ?? true) closeCaption()
}

export function startCaption() {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return
    if (target.closest(".to-alt")) toggleCaption()
    else if (target.closest(".caption")) tapCaption()
  })
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !caption || event.defaultPrevented) return
    event.preventDefault()
    closeCaption()
  }, { capture: true })
  addEventListener("resize", closeCaption)
}
