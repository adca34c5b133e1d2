#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds what the service worker runs into Web/dist/longbox.wasm. Fails where it outgrew its budget or asks its host for
# anything. The budget is a file in bench/budgets, so that a change of it is seen.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly scratch=.build-wasm
readonly features=(
  --enable-bulk-memory --enable-multivalue --enable-mutable-globals
  --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext
)

# Of wasi-libc only memory is linked: the rest would ask the host for files.
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
  # shellcheck disable=SC2064 # The name is known now and gone later.
  trap "rm -f '$optimised'" EXIT
  # Little is inlined: loops that are inlined into a function that runs once are never optimised by the browser.
  # The stack's far end lies in the first kilobyte, where nothing is addressed.
  wasm-opt "${features[@]}" --dae-optimizing -Oz --converge --low-memory-unused --one-caller-inline-max-function-size=20 "$built" -o "$optimised"

  imports=$(wasm-dis "$optimised" | sed -nE 's/^ \(import "([^"]+)" "([^"]+)".*/\1.\2/p')
  if [[ -n $imports ]]; then
    echo "longbox.wasm asks its host for what it does not give:" "$imports" >&2
    echo "  Most often a Dictionary or a Set of the standard library brings it in (random_get)." >&2
    exit 1
  fi

  raw=$(stat --format %s "$optimised")
  gzipped=$(gzip -9 --no-name --stdout "$optimised" | wc -c)
  budget=$(<bench/budgets/longbox.wasm-gzip-bytes)
  echo "longbox.wasm: $raw bytes, gzipped $gzipped of $budget"
  if ((gzipped > budget)); then
    echo "longbox.wasm is larger than its budget in bench/budgets/longbox.wasm-gzip-bytes." >&2
    exit 1
  fi

  # Kept as it is when nothing changed, so that what is built from it stays fresh.
  mkdir -p Web/dist
  cmp --silent "$optimised" Web/dist/longbox.wasm || install -m 644 "$optimised" Web/dist/longbox.wasm
}

main
