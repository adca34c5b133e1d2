#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# What can be said of the sources without building them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh lint
swift format lint --strict --parallel --recursive Package.swift Sources Tests Web bench/search/Sources
shellcheck .ci/run scripts/*.sh
python3 scripts/check-imports.py --self-test
python3 scripts/check-imports.py
scripts/check-web.sh
