#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds longbox, longbox-pictures and longbox-replay for release, with Swift's libraries linked statically. Arguments
# are further products.
# The WebAssembly and the web files come first, because the server contains them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web
scripts/build-wasm.sh
scripts/build-web.sh
# What is smaller in the file is smaller in memory: nothing loads these programs as libraries, so they need no table of their
# symbols, and functions with the same code are linked once.
smaller=(
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
  -Xlinker --no-export-dynamic -Xlinker --icf=all
)
for product in longbox longbox-pictures longbox-replay "$@"; do
  swift build -c release --static-swift-stdlib "${smaller[@]}" --product "$product"
done
