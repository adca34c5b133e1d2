// Longbox
// SPDX-License-Identifier: MIT

// Addresses of files that pages load and the worker serves. Page addresses are known only to the WebAssembly module.

/** A comic's picture: number, kind. */
export const picturePath = /^\/comics\/(\d+)\/(image|image@2x|larger|thumbnail)$/
/** An album's cover. */
export const coverPath = /^\/albums\/\d+\/cover$/
/** An explanation as JSON: number. */
export const explanationPath = /^\/explanations\/(\d+)$/
/** An explanation as an HTML fragment for a comic's page: number. A navigation to this address loads a page instead. */
export const explanationFragmentPath = /^\/(\d+)\/explanation$/

/** The number that xkcd skipped. */
export const missingNumber = 404

/** @param {number} comic */
export const explanationAddress = (comic) => `/explanations/${comic}`

/** @param {number} comic */
export const pictureAddress = (comic) => `/comics/${comic}/image`
