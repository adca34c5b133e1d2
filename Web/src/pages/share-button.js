// Longbox
// SPDX-License-Identifier: MIT

// Adds the share button to the top bar of a comic's page.

/** @typedef {import("./services.d.ts").Services["say"]} Say */

/** @type {typeof import("./share.js") | undefined} */
let sharing

/** Loads what sharing needs when a press is likely. */
const prepareSharing = () => import("./share.js").then((loaded) => {
  sharing = loaded
  loaded.prepare()
  return loaded
})

/** @param {Say} say */
function addShare(say) {
  const actions = document.querySelector(".comic-page .actions")
  if (!actions || actions.querySelector(".share")) return
  const button = document.createElement("button")
  button.className = "button share"
  button.type = "button"
  button.ariaLabel = "Share"
  button.ariaHasPopup = "dialog"
  button.innerHTML = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 15V3.500M8 7l4-3.800L16 7M8 10.500H5.500V20h13v-9.500H16"/></svg>'
  for (const kind of ["pointerover", "pointerdown", "focus"]) button.addEventListener(kind, () => prepareSharing().catch(() => {}))
  button.addEventListener("click", () => {
    if (sharing) sharing.openShare(say, pageTitle())
    else prepareSharing().then(({ openShare }) => openShare(say, pageTitle()))
  })
  actions.querySelector(".edit")?.after(button)
}

/** @param {Say} say */
export function start(say) {
  document.addEventListener("longbox:page", () => addShare(say))
}

/** A comic's number and title, such as "#353 Python". */
const pageTitle = () => [...document.querySelectorAll(".bar :is(.number, h1)")].map(({ textContent }) => textContent).join(" ")
