// Longbox
// SPDX-License-Identifier: MIT

// What Swift's runtime asks of a C library where Longbox is WebAssembly, besides memory: a place for the last words of a
// trap. Memory comes from wasi-libc; see scripts/build-wasm.sh.
