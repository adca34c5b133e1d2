#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for release and runs the benchmarks. Arguments go to bench/run.py (see bench/README.md).
# Set LONGBOX_BINARIES to a folder with all programs, search-bench among them, and nothing is built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test bench
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh longbox-replay search-bench
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
# Only the benchmarks need these packages, so they are not installed for the tests.
readonly peers=.venv/peers
if ! cmp --silent bench/requirements.txt "$peers/requirements.txt"; then
  scripts/python.sh -m pip install --quiet --disable-pip-version-check --upgrade --target "$peers" \
    --requirement bench/requirements.txt
  cp bench/requirements.txt "$peers/requirements.txt"
fi
PYTHONPATH=$peers exec scripts/python.sh bench/run.py "$@"
