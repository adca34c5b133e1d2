// Longbox
// SPDX-License-Identifier: MIT
//
// What explain xkcd says about a comic, put into its disclosure when it is opened. app.js loads it then.

/** The disclosures for which something is on its way. */
const loading = new WeakSet()

const body = (disclosure) => disclosure.querySelector(".explanation-body")
const link = (disclosure) => body(disclosure).querySelector(".whole")

async function once(disclosure, load) {
  if (loading.has(disclosure) || !link(disclosure)) return
  loading.add(disclosure)
  await load(disclosure)
  loading.delete(disclosure)
}

/** The whole explanation, in place of its beginning. */
export const showWhole = (disclosure) => once(disclosure, loadWhole)

async function loadWhole(disclosure) {
  const response = await fetch(link(disclosure).href).catch(() => null)
  const page = response && new DOMParser().parseFromString(await response.text(), "text/html")
  const text = page?.querySelector("#explanation")
  const hadLead = disclosure.querySelector(".lead") !== null
  // What says why there is nothing takes no lead's place.
  if (!text || (!response.ok && hadLead)) return
  const whole = document.createElement("div")
  whole.className = "explanation-text"
  whole.tabIndex = -1
  whole.append(...text.childNodes)
  body(disclosure).replaceChildren(whole)
  if (hadLead) whole.focus({ preventScroll: true })
}

/** The page was made before the explanation was here: its first sentences, as they would stand in it. */
export const showBeginning = (disclosure) => once(disclosure, loadBeginning)

async function loadBeginning(disclosure) {
  const comic = new URL(link(disclosure).href).pathname.split("/")[1]
  const response = await fetch(`/explanations/${comic}`).catch(() => null)
  const explanation = response?.ok ? await response.json().catch(() => null) : null
  if (explanation) body(disclosure).innerHTML = explanation.beginning
  else await loadWhole(disclosure)
}
