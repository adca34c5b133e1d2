// Longbox
// SPDX-License-Identifier: MIT

/**
 * Addresses of files that pages show and the worker answers. Pages are not among them: only the WebAssembly module knows
 * those.
 * @module
 */

/** A comic's picture: number, kind. */
export const picturePath = /^\/comics\/(\d+)\/(image|image@2x|thumbnail)$/
/** An album's cover. */
export const coverPath = /^\/albums\/\d+\/cover$/
/** An explanation as JSON: number. */
export const explanationPath = /^\/explanations\/(\d+)$/
/** An explanation as HTML to be put into a comic's page: number. A navigation to this address asks for a page. */
export const explanationFragmentPath = /^\/(\d+)\/explanation$/

/** @param {number} comic */
export const explanationAddress = (comic) => `/explanations/${comic}`

/** @param {number} comic */
export const pictureAddress = (comic) => `/comics/${comic}/image`
