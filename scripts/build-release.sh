#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# The one release build that is run, tested in the browser, measured and packed: the service worker's WebAssembly first,
# and the web files, since the server carries them, then the programs with Swift's own libraries linked in. Arguments are further products.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web
scripts/build-wasm.sh
scripts/build-web.sh
for product in longbox longbox-replay "$@"; do
  swift build -c release --static-swift-stdlib --product "$product"
done
