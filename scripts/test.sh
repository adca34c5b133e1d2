#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Runs everything that CI requires, the quickest checks first, and prints the summaries of both runners of tests at the end.
# Arguments go to pytest of the browser tests. The steps are in run_tests.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test engines
exec scripts/run_tests.py "$@"
