#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Draws the sample box anew; arguments go to scripts/draw_samples.py. The same input gives the same files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh samples
exec scripts/python.sh scripts/draw_samples.py "$@"
