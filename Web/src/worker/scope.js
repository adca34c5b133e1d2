// Longbox
// SPDX-License-Identifier: MIT

export const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))
