// Longbox
// SPDX-License-Identifier: MIT

// Announces changes to assistive technology that it wouldn't notice by itself.

const status = document.createElement("div")
status.className = "announcer"
status.role = "status"

export const startStatus = () => document.body.append(status)

/** Increases with everything said. */
let count = 0
export const saidCount = () => count

/** @param {string} text */
export function say(text) {
  count += 1
  // Screen readers repeat the same text only if it is set again.
  status.textContent = ""
  status.textContent = text
}

/** Says which comic is shown: "327, Exploits of a Mom, unread". */
export function sayComic() {
  const [, number, name] = /^#(\d+) (.*) · Longbox$/s.exec(document.title) ?? []
  const isUnread = document.querySelector(".pages > .stage")?.hasAttribute("data-unread")
  say(number ? `${number}, ${name}${isUnread ? ", unread" : ""}` : document.title)
}
