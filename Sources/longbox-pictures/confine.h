// Longbox
// SPDX-License-Identifier: MIT

// Takes from the process what decoding a picture doesn't need.

#ifndef LONGBOX_CONFINE_H
#define LONGBOX_CONFINE_H

#include <stdint.h>

/// Closes all files but standard input, output and error, and limits memory, processor time and files. Call it first.
/// - Returns: 0, or -1 with errno.
int confine_resources(void);

/// Denies files, sockets and other programs, as far as this kernel can. Call it when all libraries are loaded.
/// - Returns: the protections that hold, as bits of a greeting.
uint32_t confine_access(void);

#endif
