// Longbox
// SPDX-License-Identifier: MIT

// The C functions that Swift's runtime needs in WebAssembly, besides those for memory: putchar, which prints the reason of
// a trap. Memory comes from wasi-libc; see scripts/build-wasm.sh.
