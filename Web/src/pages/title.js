// Longbox
// SPDX-License-Identifier: MIT

/** The title of the page as its bar says it. */
export const pageTitle = () => document.querySelector(".bar")?.textContent.trim() ?? ""
