#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for release, and runs the tests of several nodes in their long form. Arguments go to pytest. As root, because nodes
# have hosts of their own. With LONGBOX_BINARIES_BEFORE, a folder with the programs of an earlier version, it begins with those.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh test
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
exec scripts/python.sh -m pytest Tests/Cluster --long "$@"
