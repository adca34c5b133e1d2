#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds Web/dist/longbox.wasm, which the service worker runs. Fails if the module imports anything or exceeds the size in
# bench/budgets/longbox.wasm-gzip-bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly scratch=.build-wasm
readonly features=(
  --enable-bulk-memory --enable-multivalue --enable-mutable-globals
  --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext
)

# Links only the memory functions of wasi-libc: the others import file access from the host.
memory_library() {
  local folder=$scratch/memory
  [[ -f $folder/libmemory.a ]] && return
  mkdir -p "$folder"
  (cd "$folder" && ar x /usr/lib/wasm32-wasi/libc.a dlmalloc.o sbrk.o errno.o abort.o memset.o memcpy.o memmove.o)
  ar rcs "$folder/libmemory.a" "$folder"/*.o
}

main() {
  local built=$scratch/wasm32-unknown-none-wasm/release/LongboxDevice.wasm optimised imports raw gzipped budget
  memory_library
  swift build -c release --swift-sdks-path "$PWD/sdks" --swift-sdk embedded-wasm --scratch-path "$scratch" \
    --product LongboxDevice -Xlinker "-L$PWD/$scratch/memory" -Xlinker -lmemory 2>&1 \
    | { grep -v 'prohibited flag(s)' || true; }

  optimised=$(mktemp --suffix .wasm)
  # shellcheck disable=SC2064 # Expand the name now: the variable is local to this function.
  trap "rm -f '$optimised'" EXIT
  # Limit inlining: the browser never optimises a loop that is inlined into a function that runs once.
  # --low-memory-unused holds because only the end of the stack lies in the first kilobyte.
  wasm-opt "${features[@]}" --dae-optimizing -Oz --converge --low-memory-unused --one-caller-inline-max-function-size=20 "$built" -o "$optimised"

  imports=$(wasm-dis "$optimised" | sed -nE 's/^ \(import "([^"]+)" "([^"]+)".*/\1.\2/p')
  if [[ -n $imports ]]; then
    echo "longbox.wasm has imports, but its host provides none:" "$imports" >&2
    echo "  The usual cause is a Dictionary or Set of the standard library (random_get)." >&2
    exit 1
  fi

  raw=$(stat --format %s "$optimised")
  gzipped=$(gzip -9 --no-name --stdout "$optimised" | wc -c)
  budget=$(<bench/budgets/longbox.wasm-gzip-bytes)
  echo "longbox.wasm: $raw bytes, gzipped $gzipped of $budget"
  if ((gzipped > budget)); then
    echo "longbox.wasm exceeds its budget in bench/budgets/longbox.wasm-gzip-bytes." >&2
    exit 1
  fi

  # An unchanged file is not replaced, so that nothing is rebuilt because of it.
  mkdir -p Web/dist
  cmp --silent "$optimised" Web/dist/longbox.wasm || install -m 644 "$optimised" Web/dist/longbox.wasm
}

main
