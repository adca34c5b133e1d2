// Longbox
// SPDX-License-Identifier: MIT

/**
 * The key of a shortcut. A letter counts without Caps Lock; where the layout has no Latin letter, the key's place counts.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event
 */
export function shortcutKey({ key, code, shiftKey }) {
  const letter = /^[a-z]$/i.test(key) ? key : /^[\u0080-\uFFFF]$/.test(key) && /^Key([A-Z])$/.exec(code)?.[1]
  if (!letter) return key
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}
