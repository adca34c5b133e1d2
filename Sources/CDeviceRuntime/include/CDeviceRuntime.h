// Longbox
// SPDX-License-Identifier: MIT

// What Swift's runtime asks of a C library where Longbox is WebAssembly, in a tenth of the code: memory, and a place for
// the last words of a trap.
//
// Natively nothing of it is used; the memory then works on an arena and under a name of its own, for tests.

#ifndef LONGBOX_DEVICE_RUNTIME_H
#define LONGBOX_DEVICE_RUNTIME_H

#include <stddef.h>

#ifndef __wasm__
#ifdef __cplusplus
extern "C" {
#endif

/// A block of at least so many bytes, aligned to 16 bytes, or NULL where there is no room.
void *longbox_memory_allocate(size_t size);

/// Gives a block back; NULL is none.
void longbox_memory_free(void *block);

/// How many pages of 64 KiB were ever asked of the host.
size_t longbox_memory_page_count(void);

#ifdef __cplusplus
}
#endif
#endif

#endif
