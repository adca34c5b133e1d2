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
for product in longbox longbox-pictures longbox-replay "$@"; do
  swift build -c release --static-swift-stdlib --product "$product"
done
