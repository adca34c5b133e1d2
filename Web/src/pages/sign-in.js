// Longbox
// SPDX-License-Identifier: MIT

// The sign-in page: reads a one-time code from the address, after the #, since browsers never send that part to a server.

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#passphrase"))
const code = /^#code=([\w-]{5,40})$/.exec(location.hash)?.[1]
if (field && code) {
  field.value = code
  history.replaceState(null, "", location.pathname + location.search)
  field.form?.requestSubmit()
}
