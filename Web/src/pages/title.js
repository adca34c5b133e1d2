// Longbox
// SPDX-License-Identifier: MIT

export const pageTitle = () => document.querySelector(".bar")?.textContent.trim() ?? ""
