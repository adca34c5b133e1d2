// Longbox
// SPDX-License-Identifier: MIT

// Hints on the first visits to comics: what a touch does that no button shows. Each is shown once, one a comic, and goes when the
// reader does what it says; what the reader has found alone is not hinted at. With a mouse, buttons show the same.

/** @typedef {"tap" | "double-tap" | "title"} Act */

const key = "hints"
/** @type {readonly Act[]} */
const acts = ["tap", "double-tap", "title"]
/** How long a comic is in view before its hint, in milliseconds. */
const pause = 2_000
/** How long a hint stays, in milliseconds. */
const stay = 8_000

/** Says that the reader has done what a hint is about. @param {Act} act */
export const noteAct = (act) => document.dispatchEvent(new CustomEvent("longbox:act", { detail: act }))

/**
 * The next hint; null if there is none.
 * @param {ReadonlySet<string>} done what the reader has done or was shown
 * @param {{ hasHiddenText: boolean, doubleTap: string | undefined }} page whether a tap shows the alt text, and the setting of the
 *   double tap, undefined for a favorite
 * @returns {{ act: Act, text: string } | null}
 */
export function nextHint(done, { hasHiddenText, doubleTap }) {
  if (hasHiddenText && !done.has("tap")) return { act: "tap", text: "Tap the comic for its alt text." }
  if (doubleTap !== "nothing" && !done.has("double-tap")) {
    return { act: "double-tap", text: `Double tap the comic to ${doubleTap === "zoom" ? "zoom" : "make it a favorite"}.` }
  }
  return done.has("title") ? null : { act: "title", text: "Tap the title to go to any comic." }
}

/**
 * @param {Pick<Storage, "getItem">} [storage]
 * @returns {Set<string>}
 */
export function keptActs(storage) {
  try {
    return new Set((storage ?? localStorage).getItem(key)?.split(" "))
  } catch {
    // The browser blocks storage, and so the hints would never end.
    return new Set(acts)
  }
}

/** @param {ReadonlySet<string>} done */
function keep(done) {
  try {
    localStorage.setItem(key, [...done].join(" "))
  } catch {
    // Storage is full: a hint is shown again.
  }
}

/** @param {Pick<import("./services.d.ts").Services, "say">} services */
export function startHints({ say }) {
  const done = keptActs()
  if (!matchMedia("(pointer: coarse)").matches || acts.every((act) => done.has(act))) return
  let timer = 0
  /** The hint that is shown. @type {string | null} */
  let shown = null

  function show() {
    const page = {
      hasHiddenText: document.querySelector(".to-alt") !== null && !document.querySelector(".pages > .stage .alt"),
      doubleTap: document.documentElement.dataset["doubleTap"],
    }
    // Another message, a sheet or the alt text comes first.
    if (document.hidden || document.querySelector(".toast p:not(:empty), dialog[open], .caption")) return
    const hint = nextHint(done, page)
    if (!hint) return
    shown = hint.text
    say(hint.text, { milliseconds: stay })
    done.add(hint.act)
    keep(done)
  }

  function restart() {
    clearTimeout(timer)
    timer = setTimeout(show, pause)
  }

  document.addEventListener("longbox:page", restart)
  document.addEventListener("longbox:act", (event) => {
    const { detail } = /** @type {CustomEvent<Act>} */ (event)
    clearTimeout(timer)
    if (shown && document.querySelector(".toast p")?.textContent === shown) say("")
    shown = null
    if (done.has(detail)) return
    done.add(detail)
    keep(done)
  })
  restart()
}
