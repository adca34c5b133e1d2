// Longbox
// SPDX-License-Identifier: MIT

// Fields for comic numbers take digits only, whether typed or pasted. Without scripts, the server says what is wrong.

/** @param {string} text */
export const digitsOf = (text) => text.replaceAll(/\D/g, "")

/** @param {Event} event */
function keepDigits({ target }) {
  if (!(target instanceof HTMLInputElement) || target.inputMode !== "numeric" || target.value === digitsOf(target.value)) return
  const end = digitsOf(target.value.slice(0, target.selectionStart ?? undefined)).length
  target.value = digitsOf(target.value)
  target.setSelectionRange(end, end)
}

export const keepNumbersNumeric = () => document.addEventListener("input", keepDigits)
