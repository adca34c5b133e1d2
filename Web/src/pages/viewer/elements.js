// Longbox
// SPDX-License-Identifier: MIT

import { floorOf } from "./geometry.js"

/** @returns {HTMLElement | null} */
export const figure = () => document.querySelector(".pages > .stage > .picture:not(.absent):has(img)")

/**
 * Finds an element that every such page has; throws if it is missing.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function need(selector) {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(selector))
  if (!element) throw new Error(`The page has no ${selector}.`)
  return element
}

/**
 * Where bars begin at the lower edge of the window.
 * @param {string} bars the selector of elements that may be there
 */
export const floor = (bars) =>
  floorOf({ width: innerWidth, height: innerHeight }, [...document.querySelectorAll(bars)].map((bar) => bar.getBoundingClientRect()))

/** Where the picture and what stands below it end in the window. */
export const contentBottom = () =>
  Math.max(...[...document.querySelectorAll(".pages > .stage > *")].map((part) => part.getBoundingClientRect().bottom))

/** @param {Event} event */
export const targetOf = (event) => event.target instanceof Element ? event.target : null

/** @param {Event} event */
export function isOnPicture(event) {
  const target = targetOf(event)
  return Boolean(target?.closest(".pages") && !target.closest("a, button, .zoom-controls, .caption, .ends"))
}
