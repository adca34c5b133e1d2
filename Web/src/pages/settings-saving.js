// Longbox
// SPDX-License-Identifier: MIT

// Saves each setting as soon as it is changed. The page shows it at once; if it can't be saved, the control goes back.

import { keepTick } from "./deep-search.js"

/**
 * The attributes of the document that settings change, by field. With the initial value there is no attribute.
 * @type {Readonly<Record<string, { attribute: string, initial: string }>>}
 */
const looks = {
  appearance: { attribute: "appearance", initial: "system" },
  pictures: { attribute: "pictures", initial: "invert" },
  tap: { attribute: "doubleTap", initial: "favorite" },
  text: { attribute: "text", initial: "m" },
  keys: { attribute: "shortcuts", initial: "on" },
}

/**
 * Shows a setting's effect on this page.
 * @param {string} field
 * @param {string} value
 * @param {{ dataset: DOMStringMap }} root
 */
export function showSetting(field, value, root) {
  const look = looks[field]
  if (!look) return
  if (value === look.initial) delete root.dataset[look.attribute]
  else root.dataset[look.attribute] = value
}

/**
 * The changes of settings: sends them in order, and puts back what could not be saved.
 * @param {(field: string, value: string) => Promise<boolean>} send whether it was saved
 * @param {(field: string, value: string, isPutBack: boolean) => void} show
 */
export function settingChanges(send, show) {
  /** The values that are saved, by field. @type {Map<string, string>} */
  const saved = new Map()
  /** The values that the controls have. @type {Map<string, string>} */
  const wanted = new Map()
  /** The changes that are not sent yet, in their order. @type {Set<{ field: string, value: string }>} */
  const waiting = new Set()
  /** @type {Promise<unknown> | null} */
  let last = null

  return {
    /**
     * @param {string} field
     * @param {string} value what is saved when the page is loaded
     */
    note(field, value) { saved.set(field, value) },

    /**
     * @param {string} field
     * @param {string} value
     */
    change(field, value) {
      wanted.set(field, value)
      show(field, value, false)
      // One after the other: a new reader gets their library with the first answer.
      const one = { field, value }
      waiting.add(one)
      const sendOne = () => !waiting.delete(one) || send(field, value)
      const sending = last ? last.then(sendOne) : Promise.resolve(sendOne())
      const mine = sending.catch(() => false).then((isSaved) => {
        if (isSaved) saved.set(field, value)
        else if (wanted.get(field) === value) {
          const before = saved.get(field) ?? value
          wanted.set(field, before)
          show(field, before, true)
        }
        if (last === mine) last = null
      })
      last = mine
      return mine
    },

    /**
     * Sends what waits, since the reader leaves.
     * @param {(field: string, value: string) => void} sendAtLast
     */
    leave(sendAtLast) {
      for (const { field, value } of waiting) sendAtLast(field, value)
      waiting.clear()
    },
  }
}

/** @param {HTMLInputElement} input */
const valueOf = (input) => (input.type === "checkbox" ? (input.checked ? "on" : "off") : input.value)

const formsTo = (/** @type {string[]} */ ...paths) => `form:is(${paths.map((path) => `[action$="${path}"]`).join(", ")})`
const forms = formsTo("/settings/set", "/albums/settings")

/** @param {ParentNode} page */
const inputs = (page) => /** @type {NodeListOf<HTMLInputElement>} */ (
  page.querySelectorAll(`${forms} input:is([type=checkbox], [type=radio])`))

/** @param {ParentNode} page */
const lists = (page) => /** @type {NodeListOf<HTMLSelectElement>} */ (page.querySelectorAll(`${forms} select`))

/**
 * One setting as its form sends it: the address, and the body.
 * @param {ParentNode} page
 * @param {string} field
 * @param {string} value
 * @returns {[string, URLSearchParams]}
 */
function formWith(page, field, value) {
  const form = /** @type {HTMLFormElement} */ (page.querySelector(`${forms}:has([name="${field}"])`))
  // The answer to what is saved is a redirect, to the page itself.
  return [form.action, new URLSearchParams({ [field]: value, quiet: "1", back: "/settings" })]
}

/**
 * @param {HTMLElement} page
 * @param {import("./services.d.ts").Services} services
 */
export function startSaving(page, services) {
  const changes = settingChanges((field, value) => services.sendChange(...formWith(page, field, value)), (field, value, isPutBack) => {
    showSetting(field, value, document.documentElement)
    // For pages from the back/forward cache (changes.js).
    services.showLook(document.documentElement.dataset)
    if (field === "deep") keepTick(null)
    if (!isPutBack) return
    for (const input of inputs(page)) {
      if (input.name === field) input.checked = input.type === "checkbox" ? value === "on" : input.value === value
    }
    for (const list of lists(page)) if (list.name === field) list.value = value
    services.say("That couldn’t be saved. Try again in a moment.", { isError: true })
  })
  for (const { type, name, value, defaultChecked } of inputs(page)) {
    if (type === "checkbox") changes.note(name, defaultChecked ? "on" : "off")
    else if (defaultChecked) changes.note(name, value)
  }
  const savedIn = (/** @type {HTMLSelectElement} */ list) => [...list.options].find((one) => one.defaultSelected)?.value ?? list.value
  for (const list of lists(page)) changes.note(list.name, savedIn(list))
  addEventListener("pagehide", () => changes.leave((field, value) => services.sendAtLast(...formWith(page, field, value))))
  page.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && [...inputs(page)].includes(target)) changes.change(target.name, valueOf(target))
    if (target instanceof HTMLSelectElement && [...lists(page)].includes(target)) changes.change(target.name, target.value)
  })
  // Changes that the reader made before this script was loaded.
  for (const input of inputs(page)) {
    if (input.checked !== input.defaultChecked && (input.type === "checkbox" || input.checked)) changes.change(input.name, valueOf(input))
  }
  for (const list of lists(page)) if (list.value !== savedIn(list)) changes.change(list.name, list.value)
}
