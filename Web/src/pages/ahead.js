// Longbox
// SPDX-License-Identifier: MIT

// Fetches pages of comics, on demand and in advance.

/** @typedef {{ page: Document, address: string, parts?: Element[] }} FetchedPage */

/** The elements that differ between comics' pages. */
export const parts = [".bar", "main", "footer"]

/** Prefetched pages by address. @type {Map<string, Promise<FetchedPage | null>>} */
let ahead = new Map()

/**
 * Fetches a comic's page; null if the response is no such page.
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
 * Fetches a page, decodes its picture, and adopts its elements into this document, so that showing it is fast.
 * @param {string} address
 */
async function fetchAhead(address) {
  const found = await fetchPage(address, { isAhead: true })
  if (!found) return null
  const parsed = found.page.querySelector(".picture img")
  if (parsed) {
    const image = new Image()
    for (const { name, value } of parsed.attributes) if (name !== "src" && name !== "srcset") image.setAttribute(name, value)
    // Set last, since these start the load; `srcset` before `src`, or both would be fetched.
    for (const name of ["srcset", "src"]) {
      const value = parsed.getAttribute(name)
      if (value !== null) image.setAttribute(name, value)
    }
    parsed.replaceWith(image)
    image.fetchPriority = "low"
    // Not awaited: the page can be shown before its picture.
    image.decode().catch(() => {})
  }
  const adopted = parts.map((selector) => found.page.querySelector(selector)).filter((part) => part !== null)
  return { ...found, parts: adopted.map((part) => document.adoptNode(part)) }
}

/**
 * Prefetches these addresses, and drops all others.
 * @param {string[]} addresses
 */
export function lookAhead(addresses) {
  ahead = new Map(addresses.map((address) => [address, ahead.get(address) ?? fetchAhead(address)]))
}

/**
 * Returns the prefetched page, or fetches it now. Does not count as a view.
 * @param {string} address
 */
export async function take(address) {
  const found = (await ahead.get(address)) ?? (await fetchPage(address, { isAhead: true }))
  ahead.delete(address)
  return found
}
