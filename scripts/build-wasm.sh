#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds what the service worker runs, into Web/Public: longbox.wasm, the pages, finder.wasm, the search, and albums.wasm, albums and quizzes. Fails
# where one outgrew its budget or asks its host for anything. The budgets are files in bench/budgets, so that a change of one
# is seen.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly features=(
  --enable-bulk-memory --enable-multivalue --enable-mutable-globals
  --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext
)
optimised=$(mktemp --suffix .wasm)
trap 'rm -f "$optimised"' EXIT

# build PRODUCT FILE OPTION...: builds a product into Web/Public/FILE.wasm, with these options for wasm-opt.
build() {
  local product=$1 name=$2.wasm
  swift build -c release --swift-sdks-path "$PWD/sdks" --swift-sdk embedded-wasm --scratch-path .build-wasm \
    --product "$product" 2>&1 | { grep -v 'prohibited flag(s)' || true; }

  wasm-opt "${features[@]}" "${@:3}" \
    ".build-wasm/wasm32-unknown-none-wasm/release/$product.wasm" -o "$optimised"

  local imports
  imports=$(wasm-dis "$optimised" | sed -nE 's/^ \(import "([^"]+)" "([^"]+)".*/\1.\2/p')
  if [[ -n $imports ]]; then
    echo "$name asks its host for what nobody gives:" "$imports" >&2
    echo "  Most often a Dictionary or a Set of the standard library brings it in (random_get)." >&2
    exit 1
  fi

  local raw gzipped budget
  raw=$(stat --format %s "$optimised")
  gzipped=$(gzip -9 --no-name --stdout "$optimised" | wc -c)
  budget=$(<"bench/budgets/$name-gzip-bytes")
  echo "$name: $raw bytes, gzipped $gzipped of $budget"
  if ((gzipped > budget)); then
    echo "$name is larger than its budget in bench/budgets/$name-gzip-bytes." >&2
    exit 1
  fi

  # Kept as it is when nothing changed, so that what is built from it stays fresh.
  cmp --silent "$optimised" "Web/Public/$name" || install -m 644 "$optimised" "Web/Public/$name"
}

# Search for speed: that is a seventh less time for two KB more.
build LongboxFinder finder -O3
build LongboxAlbums albums -Oz --one-caller-inline-max-function-size=20
# Pages for size: they are made in microseconds either way. Little is inlined, since what is alike compresses well.
build LongboxDevice longbox -Oz --one-caller-inline-max-function-size=20
