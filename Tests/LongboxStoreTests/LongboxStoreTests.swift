// Longbox
// SPDX-License-Identifier: MIT
