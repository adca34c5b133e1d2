#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# All that must hold, cheapest first. Ends with the closing lines of the test runners.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test
python3 scripts/check-imports.py --self-test
python3 scripts/check-imports.py
scripts/check-web.sh
scripts/build-wasm.sh
scripts/build-web.sh

logs=.build/logs
mkdir -p "$logs"
# So many at a time: all at once, each waits so long for the others that what should take seconds takes minutes.
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8} \
  swift test --disable-xctest 2>&1 | tee "$logs/swift-test.log"
# The browser tests run what people run, by another compiler's pass than the tests above: the release build.
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh LongboxDevice
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
scripts/python.sh -m pytest Tests/Browser "$@" 2>&1 | tee "$logs/browser-test.log"

echo
grep --extended-regexp 'Test run with [0-9]+ tests?' "$logs/swift-test.log" | tail -n 1
tail -n 1 "$logs/browser-test.log"
