// Longbox
// SPDX-License-Identifier: MIT

// The bars of a page: the share button.

import { addShare } from "./share.js"

/** @param {(text: string, options?: import("./services.d.ts").Message) => void} say */
export function start(say) {
  document.addEventListener("longbox:page", () => addShare(say))
}
