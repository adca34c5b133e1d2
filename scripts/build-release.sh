#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds longbox and longbox-pictures for release, with Swift's libraries linked statically. Arguments are further
# products, such as longbox-replay.
# The WebAssembly and the web files come first, because the server contains them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web
scripts/build-wasm.sh
scripts/build-web.sh
# A smaller file takes less memory. Nothing loads these programs as libraries, so omit the tables of their symbols. Link
# functions with the same code once.
smaller=(
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
  -Xlinker --no-export-dynamic -Xlinker --icf=all
)
for product in longbox longbox-pictures "$@"; do
  swift build -c release --static-swift-stdlib "${smaller[@]}" --product "$product"
done
