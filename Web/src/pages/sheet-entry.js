// Longbox
// SPDX-License-Identifier: MIT

// The entry that an open sheet has in the browser's history, so that Back closes the sheet. Leaving the entry takes a
// moment. Whatever changes the history has to wait for that, or the browser would go back from the wrong entry.

/** @type {Promise<void> | null} */
let leaving = null

/** Leaves the entry of a sheet that was closed in another way than by Back. */
export function leaveSheetEntry() {
  const left = new Promise((/** @type {(value: void) => void} */ resolve) => {
    addEventListener("popstate", () => resolve(), { once: true })
    setTimeout(resolve, 1000)
  })
  leaving = left
  left.then(() => { if (leaving === left) leaving = null })
  history.back()
}

/** What to wait for before the history may be changed; null if nothing. */
export const sheetEntryLeft = () => leaving
