// Longbox
// SPDX-License-Identifier: MIT

/** `self`, which TypeScript's library takes for the scope of any kind of worker. */
export const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))
