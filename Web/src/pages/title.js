// Longbox
// SPDX-License-Identifier: MIT

/** A comic's number and title, such as "#353 Python". */
export const pageTitle = () => [...document.querySelectorAll(".bar :is(.number, h1)")].map(({ textContent }) => textContent).join(" ")
