// Longbox
// SPDX-License-Identifier: MIT

// Shows a comic beside the results, if there is room: of the result under the focus or the pointer, at first of the first
// result.

/** As in search.css. */
const isWide = matchMedia("(min-width: 62.5em) and (min-height: 31em)")

/** How long the pointer rests on a result before its comic is shown, in milliseconds. */
const pause = 120

/** The comics' pages shown last, by address. @type {Map<string, Promise<Document | null>>} */
const pages = new Map()
const mostPages = 20

const preview = document.createElement("aside")
preview.className = "preview"
preview.ariaLabel = "Preview"
preview.hidden = true

/** The address of the comic that is shown or loading. */
let shown = ""
let timer = 0

/** @param {string} address */
function pageOf(address) {
  // Not counted as a view.
  const page = pages.get(address) ?? fetch(address, { headers: { accept: "text/html", purpose: "prefetch" } })
    .then(async (response) => response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null)
    .catch(() => null)
  pages.delete(address)
  pages.set(address, page)
  // Only pages are kept: the next time, one that failed may load.
  page.then((document) => { if (!document && pages.get(address) === page) pages.delete(address) })
  // The oldest comes first.
  for (const oldest of pages.keys()) if (pages.size > mostPages) pages.delete(oldest)
  return page
}

/** @param {HTMLAnchorElement} link */
function headingOf(link) {
  const heading = document.createElement("h2")
  const caption = link.querySelector(".caption")?.cloneNode(true)
  heading.append(...caption?.childNodes ?? [])
  for (const mark of heading.querySelectorAll("mark")) mark.replaceWith(...mark.childNodes)
  return heading
}

/** @param {HTMLAnchorElement} link */
async function show(link) {
  const address = link.href
  if (address === shown) return
  shown = address
  const page = await pageOf(address)
  if (shown !== address) return
  const open = document.createElement("a")
  open.className = "button action"
  open.href = address
  open.textContent = "Open comic"
  // Empty if the page can't be loaded.
  const parts = [".stage .picture", ".alt", ".attribution"].map((selector) => page?.querySelector(selector)).filter((part) => part != null)
  preview.replaceChildren(headingOf(link), open, ...parts.map((part) => document.importNode(part, true)))
  const image = /** @type {HTMLImageElement | null} */ (preview.querySelector(".picture:not(.absent) img"))
  // The transcript that it refers to is only on the comic's page.
  image?.removeAttribute("aria-describedby")
  // Its reserved space, too. The worker's response for a missing picture is one of 1 by 1 pixels.
  image?.addEventListener("load", () => { if (image.naturalWidth <= 1) image.remove() })
  image?.addEventListener("error", () => image.remove())
  preview.hidden = false
  preview.scrollTop = 0
}

/** Shows the comic of the first result, or none. */
export function previewFirst() {
  clearTimeout(timer)
  shown = ""
  const first = /** @type {HTMLAnchorElement | null} */ (document.querySelector("#found .results .card"))
  if (isWide.matches && first) show(first)
  else preview.hidden = true
}

/** @param {Element} main the search page's main part */
export function startPreview(main) {
  main.append(preview)
  for (const kind of /** @type {const} */ (["focusin", "pointerover"])) {
    main.addEventListener(kind, ({ target }) => {
      const result = target instanceof Element ? target.closest(".results li") : null
      clearTimeout(timer)
      const link = /** @type {HTMLAnchorElement | null | undefined} */ (result?.querySelector(".card"))
      if (link && isWide.matches) timer = setTimeout(show, pause, link)
    })
  }
  isWide.addEventListener("change", previewFirst)
  previewFirst()
}
