#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Takes a picture of every page, from the debug build; arguments go to scripts/screenshots.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm test
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-wasm.sh
  for product in longbox longbox-replay; do
    swift build --product "$product"
  done
  LONGBOX_BINARIES=$(swift build --show-bin-path)
  export LONGBOX_BINARIES
fi
exec scripts/python.sh scripts/screenshots.py "$@"
