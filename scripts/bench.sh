#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Measures the release build; arguments go to bench/run.py (see bench/README.md).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm test bench
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
exec scripts/python.sh bench/run.py "$@"
