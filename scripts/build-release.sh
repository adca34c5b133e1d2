#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds longbox and longbox-pictures for release, with Swift's libraries linked statically. Arguments are further
# products, such as longbox-replay.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web
# A smaller file takes less memory. Nothing loads these programs as libraries, so omit the tables of their symbols. Link
# functions with the same code once.
build() {
  # With random hashes, SwiftPM orders some flags differently each time, and then compiles their modules again.
  SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --static-swift-stdlib -debug-info-format none \
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections \
    -Xlinker --no-export-dynamic -Xlinker --icf=all "$@"
}

# The server contains the WebAssembly and the web files. The packages that it uses have neither, so they are built in the meantime.
mkdir -p .build
build --target LongboxReaders >.build/packages.log 2>&1 &
packages=$!
trap 'kill "$packages" 2>/dev/null || true' EXIT
scripts/build-wasm.sh
scripts/build-web.sh
wait "$packages" || {
  cat .build/packages.log >&2
  exit 1
}
trap - EXIT
for product in longbox longbox-pictures "$@"; do
  build --product "$product"
done
