#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# The one release build that is run, tested in the browser, measured and packed: the service worker's WebAssembly first,
# since the server carries it, then the programs with Swift's own libraries linked in. Arguments are further products.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm
scripts/build-wasm.sh
for product in longbox longbox-replay "$@"; do
  swift build -c release --static-swift-stdlib --product "$product"
done
