// Longbox
// SPDX-License-Identifier: MIT

// The addresses at which others find a comic that a reader shares.

const { shared: publicAddress = "" } = document.documentElement.dataset

/** Whether the comics are xkcd's. The sample box has no attribution to xkcd, nor pages there. */
export const isXkcd = () => document.querySelector(".attribution a") !== null

/**
 * The address of a comic, empty if there is none. It is xkcd.com's, unless the server has a public address: an address in a
 * household leads its guests nowhere.
 * @param {string} number
 */
export const sharedLink = (number) => publicAddress ? `${publicAddress}/${number}/` : isXkcd() ? `https://xkcd.com/${number}/` : ""
