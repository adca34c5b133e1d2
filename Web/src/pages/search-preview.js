// Longbox
// SPDX-License-Identifier: MIT

// Beside the results, where there is room: the comic of the result that has the focus or the pointer, at first that of
// the first.

/** As in search.css. */
const isWide = matchMedia("(min-width: 62.5em) and (min-height: 31em)")

/** How long the pointer rests on a result before its comic is shown, in milliseconds. */
const pause = 120

/** Comics' pages by address. @type {Map<string, Promise<Document | null>>} */
const pages = new Map()

const preview = document.createElement("aside")
preview.className = "preview"
preview.ariaLabel = "Preview"
preview.hidden = true

/** The address of the comic shown, or soon to be. */
let shown = ""
let timer = 0

/** @param {string} address */
function pageOf(address) {
  // Not counted as a view.
  const page = pages.get(address) ?? fetch(address, { headers: { accept: "text/html", purpose: "prefetch" } })
    .then(async (response) => response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null)
    .catch(() => null)
  pages.set(address, page)
  return page
}

/** @param {HTMLAnchorElement} link */
async function show(link) {
  const address = link.href
  if (address === shown) return
  shown = address
  const page = await pageOf(address)
  if (shown !== address) return
  const figure = page?.querySelector(".stage .picture")
  const image = figure?.querySelector("img")
  preview.hidden = !image
  if (!figure || !image) return
  const copy = /** @type {Element} */ (document.importNode(figure, true))
  // The transcript stays on the comic's page.
  copy.querySelector("img")?.removeAttribute("aria-describedby")
  copy.querySelector("img")?.addEventListener("error", () => { preview.hidden = true })
  const heading = document.createElement("h2")
  heading.append(...[".bar .number", ".bar h1 bdi"].flatMap((selector) => page?.querySelector(selector)?.cloneNode(true) ?? []))
  heading.querySelector(".number")?.after(" ")
  const way = document.createElement("a")
  way.className = "button action"
  way.href = address
  way.textContent = "Open comic"
  const words = [".alt", ".attribution"].flatMap((selector) => page?.querySelector(selector)?.cloneNode(true) ?? [])
  preview.replaceChildren(heading, way, copy, ...words)
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
