#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for debugging and takes a screenshot of every page. Arguments go to scripts/screenshots.py.
# --readme takes the README's screenshots instead (scripts/pictures.py), --engines all those of three engines side by side
# (scripts/engine_pictures.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tasks=(build wasm web test)
if [[ ${1:-} == --engines ]]; then tasks+=(engines); fi
scripts/install-prerequisites.sh "${tasks[@]}"
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
if [[ ${1:-} == --engines ]]; then
  if [[ ${2:-} != all ]]; then
    echo "screenshots.sh: --engines takes 'all', as the engines are shown side by side; '${2:-}' is none of its values." >&2
    exit 2
  fi
  exec scripts/python.sh scripts/engine_pictures.py "${@:3}"
fi
exec scripts/python.sh scripts/screenshots.py "$@"
