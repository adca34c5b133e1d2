#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Takes a picture of every page, from the debug build; arguments go to scripts/screenshots.py. With --readme it takes the
# README's pictures instead (scripts/pictures.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-wasm.sh
  scripts/build-web.sh
  for product in longbox longbox-replay; do
    swift build --product "$product"
  done
  LONGBOX_BINARIES=$(swift build --show-bin-path)
  export LONGBOX_BINARIES
fi
if [[ ${1:-} == --readme ]]; then
  exec scripts/python.sh scripts/pictures.py
fi
exec scripts/python.sh scripts/screenshots.py "$@"
