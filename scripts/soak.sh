#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for release and runs soak.py for SOAK_SECONDS (1800). Arguments go to soak.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh test
scripts/build-release.sh
LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
export LONGBOX_BINARIES
exec scripts/python.sh scripts/soak.py --seconds "${SOAK_SECONDS:-1800}" "$@"
