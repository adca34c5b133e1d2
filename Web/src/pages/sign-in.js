// Longbox
// SPDX-License-Identifier: MIT

// The sign-in page: takes a one-time code from the address. It stands after the #, which is never sent to a server.

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#passphrase"))
const code = /^#code=([\w-]{5,40})$/.exec(location.hash)?.[1]
if (field && code) {
  field.value = code
  history.replaceState(null, "", location.pathname + location.search)
  field.form?.requestSubmit()
}
