#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Checks the web code: types (deno check), rules (oxlint), unit tests (deno test). Both programs are Python packages of
# scripts/requirements.txt; they run without network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Creates .venv if it is missing or outdated.
scripts/python.sh -c ''
bin=$PWD/.venv/bin
export DENO_DIR=$PWD/.venv/deno DENO_NO_UPDATE_CHECK=1 NO_COLOR=1

cd Web
for half in worker pages; do
  mapfile -t sources < <(find "src/$half" src/shared -name '*.js' | sort)
  "$bin/deno" check --quiet --config "deno.$half.json" "${sources[@]}"
done
"$bin/oxlint" --config .oxlintrc.json --deny-warnings src tests
"$bin/deno" test --quiet --no-check --allow-read --reporter=dot --config deno.json
