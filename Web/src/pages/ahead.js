// Longbox
// SPDX-License-Identifier: MIT

// Fetches pages of comics, on demand and in advance.

/**
 * A comic's page. If it was prefetched, `parts` are its elements, adopted into this document, and `stage` is the comic in
 * them.
 * @typedef {object} FetchedPage
 * @property {Document} page
 * @property {string} address
 * @property {Element[]} [parts]
 * @property {HTMLElement | null} [stage]
 * @property {() => void} [complete] moves the stage back into `parts`, if it was taken out
 */

/**
 * The elements that differ between comics' pages. `main` is first: removing the focused element forces a layout, which is
 * cheap before other changes.
 */
export const parts = ["main", ".bar", "footer"]

/** Prefetched pages by address. @type {Map<string, Promise<FetchedPage | null>>} */
let ahead = new Map()

/**
 * Fetches a comic's page; null if the response is no such page.
 * @param {string} address
 * @param {RequestInit & { isPrefetch?: boolean }} [options]
 * @returns {Promise<FetchedPage | null>}
 */
export async function fetchPage(address, { isPrefetch = false, ...options } = {}) {
  const headers = { accept: "text/html", ...(isPrefetch && { purpose: "prefetch" }) }
  try {
    const response = await fetch(address, { ...options, headers })
    const page = new DOMParser().parseFromString(await response.text(), "text/html")
    // The worker follows a redirect by itself.
    const { pathname, search } = new URL(response.headers.get("content-location") ?? response.url, response.url)
    return response.ok && page.querySelector("body.comic-page") ? { page, address: pathname + search } : null
  } catch {
    return null
  }
}

/**
 * Fetches a page, decodes its picture, and adopts its elements into this document, so that showing it is fast.
 * @param {string} address
 * @returns {Promise<FetchedPage | null>}
 */
async function fetchAhead(address) {
  const found = await fetchPage(address, { isPrefetch: true })
  if (!found) return null
  const parsed = found.page.querySelector(".picture img")
  if (parsed) {
    const image = new Image()
    for (const { name, value } of parsed.attributes) if (name !== "src" && name !== "srcset") image.setAttribute(name, value)
    image.fetchPriority = "low"
    // Set last, since these start the load; `srcset` before `src`, or both would be fetched.
    for (const name of ["srcset", "src"]) {
      const value = parsed.getAttribute(name)
      if (value !== null) image.setAttribute(name, value)
    }
    parsed.replaceWith(image)
    // Not awaited: the page can be shown before its picture.
    image.decode().catch(() => {})
  }
  const adopted = parts.map((selector) => found.page.querySelector(selector)).filter((part) => part !== null)
  const elements = adopted.map((part) => document.adoptNode(part))
  const stage = /** @type {HTMLElement | null} */ (elements.map((part) => part.querySelector(".stage")).find((part) => part !== null) ?? null)
  const home = stage?.parentElement
  const complete = () => { if (stage && home) home.prepend(stage) }
  return { ...found, parts: elements, stage, complete }
}

/**
 * Prefetches these addresses, and drops all others.
 * @param {string[]} addresses
 * @param {string[]} [kept] addresses whose prefetched pages stay
 */
export function prefetch(addresses, kept = []) {
  const before = ahead
  ahead = new Map(addresses.map((address) => [address, before.get(address) ?? fetchAhead(address)]))
  for (const address of kept) {
    const page = before.get(address)
    if (page) ahead.set(address, page)
  }
}

/**
 * A prefetched page, once it has loaded; null if it wasn't prefetched or can't be loaded.
 * @param {string} address
 * @returns {Promise<FetchedPage | null>}
 */
export const prefetched = async (address) => (await ahead.get(address)) ?? null

/**
 * Prefetches the pages after a prefetched page.
 * @param {string} address
 * @param {string} link the selector of the link to the next page
 * @param {number} count
 * @returns {Promise<string[]>} the addresses of those pages
 */
export async function prefetchBeyond(address, link, count) {
  const found = count > 0 ? await prefetched(address) : null
  const next = /** @type {HTMLAnchorElement | null | undefined} */ (found?.parts?.map((part) => part.querySelector(link)).find((part) => part !== null))
  if (!next) return []
  const further = next.pathname + next.search
  if (!ahead.has(further)) ahead.set(further, fetchAhead(further))
  return [further, ...await prefetchBeyond(further, link, count - 1)]
}

/**
 * Returns the prefetched page, or fetches it now. Does not count as a view.
 * @param {string} address
 * @param {() => boolean} isWanted whether to show the page; otherwise it stays prefetched
 */
export async function take(address, isWanted) {
  const found = (await ahead.get(address)) ?? (await fetchPage(address, { isPrefetch: true }))
  if (!isWanted()) return null
  ahead.delete(address)
  found?.complete?.()
  return found
}
