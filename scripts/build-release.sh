#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds longbox, longbox-pictures and longbox-replay for release, with Swift's libraries linked statically. Arguments are further products.
# The WebAssembly and the web files come first, because the server contains them. With `--ignore-lock` first, it builds
# beside other builds in this folder; then these files must be there already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(-c release --static-swift-stdlib)
if [[ ${1:-} == --ignore-lock ]]; then
  options+=(--ignore-lock)
  shift
else
  scripts/install-prerequisites.sh build wasm web
  scripts/build-wasm.sh
  scripts/build-web.sh
fi
for product in longbox longbox-pictures longbox-replay "$@"; do
  swift build "${options[@]}" --product "$product"
done
