#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Measures the release build; arguments go to bench/run.py (see bench/README.md). With LONGBOX_BINARIES nothing is
# built; search-bench must be there too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test bench
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh search-bench
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
# The peers that come as Python packages are for measuring only, so they stay out of the tests' environment.
readonly peers=.venv/peers
if ! cmp --silent bench/requirements.txt "$peers/requirements.txt"; then
  scripts/python.sh -m pip install --quiet --disable-pip-version-check --upgrade --target "$peers" \
    --requirement bench/requirements.txt
  cp bench/requirements.txt "$peers/requirements.txt"
fi
PYTHONPATH=$peers exec scripts/python.sh bench/run.py "$@"
