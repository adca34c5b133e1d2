#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for debugging and takes a screenshot of every page. Arguments go to scripts/screenshots.py.
# --readme takes the README's screenshots instead (scripts/pictures.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-wasm.sh
  scripts/build-web.sh
  for product in longbox longbox-pictures longbox-replay; do
    swift build --product "$product"
  done
  LONGBOX_BINARIES=$(swift build --show-bin-path)
  export LONGBOX_BINARIES
fi
if [[ ${1:-} == --readme ]]; then
  exec scripts/python.sh scripts/pictures.py
fi
exec scripts/python.sh scripts/screenshots.py "$@"
