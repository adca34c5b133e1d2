// Longbox
// SPDX-License-Identifier: MIT

/**
 * Pages of comics, fetched before or when they are asked for.
 * @module
 */

/** @typedef {{ page: Document, address: string, parts?: Element[] }} FetchedPage */

/** What one comic's page has in the place of another's. */
export const parts = [".bar", "main", "footer"]

/** The pages that may come next, by the address of the link that leads there. @type {Map<string, Promise<FetchedPage | null>>} */
let ahead = new Map()

/**
 * Fetches a comic's page; null where there is none to show in this place.
 * @param {string} address
 * @param {RequestInit & { isAhead?: boolean }} [options]
 * @returns {Promise<FetchedPage | null>}
 */
export async function fetchPage(address, { isAhead = false, ...options } = {}) {
  const headers = { accept: "text/html", ...(isAhead && { purpose: "prefetch" }) }
  try {
    const response = await fetch(address, { ...options, headers })
    const page = new DOMParser().parseFromString(await response.text(), "text/html")
    return response.ok && page.querySelector("body.comic-page") ? { page, address: new URL(response.url).pathname } : null
  } catch {
    return null
  }
}

/**
 * Fetches a page, has its picture decoded, and makes its parts this document's: the turn has so much less to do.
 * @param {string} address
 */
async function fetchAhead(address) {
  const found = await fetchPage(address, { isAhead: true })
  if (!found) return null
  const parsed = found.page.querySelector(".picture img")
  if (parsed) {
    const image = new Image()
    for (const { name, value } of parsed.attributes) if (name !== "src" && name !== "srcset") image.setAttribute(name, value)
    // Last, for they start it; `srcset` before `src`, or both would be fetched.
    for (const name of ["srcset", "src"]) {
      const value = parsed.getAttribute(name)
      if (value !== null) image.setAttribute(name, value)
    }
    parsed.replaceWith(image)
    image.fetchPriority = "low"
    // Not waited for: the page can be shown before its picture.
    image.decode().catch(() => {})
  }
  const adopted = parts.map((selector) => found.page.querySelector(selector)).filter((part) => part !== null)
  return { ...found, parts: adopted.map((part) => document.adoptNode(part)) }
}

/**
 * Fetches what these addresses lead to, and forgets all others.
 * @param {string[]} addresses
 */
export function lookAhead(addresses) {
  ahead = new Map(addresses.map((address) => [address, ahead.get(address) ?? fetchAhead(address)]))
}

/**
 * The page that was fetched in advance, else one that is fetched now. It is not yet what somebody looks at.
 * @param {string} address
 */
export async function take(address) {
  const found = (await ahead.get(address)) ?? (await fetchPage(address, { isAhead: true }))
  ahead.delete(address)
  return found
}
