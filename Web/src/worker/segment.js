// Longbox
// SPDX-License-Identifier: MIT

// The header of a segment of the archive or of the explanation index. Only the WebAssembly module reads the rest.

/** Maximum number of stored deltas before the device requests one that merges them. */
export const mostDeltas = 24

const headerSize = 64

/**
 * Whether bytes start with a segment's signature, unlike a proxy's error page.
 * @param {ArrayBuffer} bytes
 */
export function isSegment(bytes) {
  const view = new DataView(bytes)
  return view.byteLength >= headerSize && view.getUint32(0) === 0x894c4258 && view.getUint32(4) === 0x0d0a1a0a
}

/**
 * `base` is the revision that a delta applies to, 0 for a whole segment; `samples` is 1 in the sample box.
 * @typedef {{ revision: number, base: number, rules: number, samples: number }} Heading
 */

/**
 * @param {ArrayBuffer} segment
 * @returns {Heading}
 */
export function header(segment) {
  const view = new DataView(segment)
  return {
    revision: view.getUint32(24, true),
    base: view.getUint32(28, true),
    rules: view.getUint32(32, true),
    samples: view.getUint32(40, true) & 1,
  }
}
