// Longbox
// SPDX-License-Identifier: MIT

// The card that offers to install Longbox, above the navigation.

const { base = "" } = document.documentElement.dataset

/** The two steps in Safari on an iPhone or iPad, with the icons to look for. */
export const steps = `<ol class="steps">
  <li>Tap <strong>Share</strong>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 15V3.5M8 7l4-3.5L16 7M6 11H5v9.5h14V11h-1"/></svg></li>
  <li>Choose <strong>Add to Home Screen</strong>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 5v14M5 12h14"/></svg></li></ol>`

/** @param {import("./services.d.ts").Installation} installation */
export function showCard(installation) {
  const isPrompted = installation.method === "prompt"
  const card = document.createElement("section")
  card.className = "install-card"
  card.setAttribute("aria-labelledby", "install-title")
  card.innerHTML = `<div class="install-head"><img src="${base}/assets/icon.svg" alt="" width="48" height="48">
      <div><h2 id="install-title">Keep Longbox at hand</h2><p class="hint">On your Home Screen, and offline.</p></div></div>
    ${isPrompted ? "" : steps}
    <div class="install-actions">${isPrompted ? '<button class="button primary" type="button" data-action="install">Install</button>' : ""}
      <button class="button action" type="button" data-action="later">Not now</button></div>`
  card.addEventListener("click", ({ target }) => {
    const action = target instanceof HTMLElement ? target.dataset["action"] : undefined
    if (!action) return
    card.remove()
    if (action === "install") installation.install()
    else installation.dismiss()
  })
  document.body.append(card)
}
