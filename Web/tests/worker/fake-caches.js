// Longbox
// SPDX-License-Identifier: MIT

const origin = "https://box.example"

/**
 * In-memory Cache Storage with the methods that Longbox uses. Replaces the global `caches`.
 * @param {{ failure?: Error }} [options] `failure` fails every `put`
 */
export function useFakeCaches(options = {}) {
  const kept = new Map()
  const href = (request) => new URL(typeof request === "string" ? request : request.url, origin).href
  const open = async (name) => {
    if (!kept.has(name)) kept.set(name, new Map())
    const entries = kept.get(name)
    return {
      match: async (request) => entries.get(href(request))?.clone(),
      put: async (request, response) => {
        if (options.failure) throw options.failure
        entries.delete(href(request))
        entries.set(href(request), response)
      },
      delete: async (request) => entries.delete(href(request)),
      matchAll: async () => [...entries.values()].map((response) => response.clone()),
      keys: async () => [...entries.keys()].map((url) => ({ url })),
    }
  }
  const fake = { open, delete: async (name) => kept.delete(name) }
  Object.defineProperty(globalThis, "caches", { value: fake, configurable: true })
  const paths = (name) => [...(kept.get(name)?.keys() ?? [])].map((url) => url.slice(origin.length))
  return { paths, options }
}
