#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for release and serves on 127.0.0.1:8353, or on LONGBOX_HOST and LONGBOX_PORT. Arguments go to longbox serve.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build-release.sh
exec "$(swift build -c release --show-bin-path)/longbox" serve "$@"
