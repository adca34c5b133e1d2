// Longbox
// SPDX-License-Identifier: MIT

// Copies a link that a page shows, or passes it to another app. Both are done within the press, as browsers require.

/** @param {Pick<import("./services.d.ts").Services, "say">} services */
export function start({ say }) {
  const actions = /** @type {HTMLElement} */ (document.querySelector(".link-actions"))
  const link = /** @type {HTMLAnchorElement} */ (document.querySelector(".address[href]"))
  const { clipboard, share: shares } = /** @type {Partial<Navigator>} */ (navigator)
  const copyButton = /** @type {HTMLButtonElement} */ (actions.querySelector("[data-do=copy]"))
  const shareButton = /** @type {HTMLButtonElement} */ (actions.querySelector("[data-do=share]"))

  // Undefined outside a secure context.
  copyButton.hidden = !clipboard
  copyButton.addEventListener("click", async () => {
    const isCopied = Boolean(await clipboard?.writeText(link.href).then(() => true, () => false))
    if (isCopied) say("Link copied.")
    else say("The browser didn’t allow copying. Select the link, and copy it.", { isError: true })
  })
  shareButton.hidden = !shares
  shareButton.addEventListener("click", () => {
    navigator.share({ title: document.title, url: link.href }).catch((error) => {
      if (error.name !== "AbortError") say("The link couldn’t be shared. Copy it instead.", { isError: true })
    })
  })
  actions.hidden = copyButton.hidden && shareButton.hidden
}
