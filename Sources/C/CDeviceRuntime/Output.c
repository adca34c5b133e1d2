// Longbox
// SPDX-License-Identifier: MIT

// Swift's runtime prints the reason of a trap with putchar. Nothing reads that here, so this one does nothing. That of the
// C library would import functions for files from the host.

#ifdef __wasm__
int putchar(int character) { return character; }
#else
typedef int longbox_no_output;
#endif
