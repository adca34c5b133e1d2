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
  try {
    await load(disclosure)
  } finally {
    loading.delete(disclosure)
  }
}

/** The whole explanation, in place of its beginning. */
export const showWhole = (disclosure) => once(disclosure, loadWhole)

async function loadWhole(disclosure) {
  const response = await fetch(link(disclosure).href).catch(() => null)
  const page = new DOMParser().parseFromString((await response?.text().catch(() => null)) ?? "", "text/html")
  const text = page.querySelector("#explanation")
  if (!text) return
  if (!response.ok) return sayWhy(disclosure, text.querySelectorAll("p"))
  const hadLead = disclosure.querySelector(".lead") !== null
  const whole = document.createElement("div")
  whole.className = "explanation-text"
  whole.tabIndex = -1
  whole.append(...text.childNodes)
  body(disclosure).replaceChildren(whole)
  if (hadLead) whole.focus({ preventScroll: true })
}

/** Says why there is nothing beside the link, which leads there once there is. */
function sayWhy(disclosure, paragraphs) {
  body(disclosure).querySelector(".why")?.remove()
  const why = document.createElement("div")
  why.className = "why"
  why.role = "status"
  body(disclosure).append(why)
  why.append(...paragraphs)
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
