#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for release, and runs the tests of Tests/Engines in Chromium, Firefox and WebKit. Arguments go to pytest, such as
# --engines firefox,webkit. With LONGBOX_BINARIES, a folder with built programs, it builds nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh test engines
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
exec scripts/python.sh -m pytest Tests/Engines -n 2 --dist worksteal "$@"
