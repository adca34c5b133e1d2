#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Runs everything that CI requires, the quickest checks first, and prints the summaries of both test runners at the end.
# Arguments go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test
scripts/lint.sh
scripts/build-wasm.sh
scripts/build-web.sh

logs=.build/logs
mkdir -p "$logs"
# When a step fails, its failures end the output: a reader of a long log looks there first.
summarize_failures() {
  echo
  echo "Failed:"
  grep --no-filename --extended-regexp '^✘ Test .*(recorded an issue|failed)|^(FAILED|ERROR) ' "$logs"/*.log | tail -n 40 || true
}
rm -f "$logs"/*.log
trap summarize_failures ERR
# Run at most 8 tests at once: more would time out waiting for each other.
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8} \
  swift test --disable-xctest 2>&1 | tee "$logs/swift-test.log"
# The browser tests use the release build, because that is what people run.
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh LongboxDevice
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
# Two processes, since the tests mostly wait for the browser.
scripts/python.sh -m pytest Tests/Browser -n 2 --dist worksteal "$@" 2>&1 | tee "$logs/browser-test.log"
# Attacks on the same build.
scripts/python.sh -m pytest Tests/Hold 2>&1 | tee "$logs/hold-test.log"

echo
grep --extended-regexp 'Test run with [0-9]+ tests?' "$logs/swift-test.log" | tail -n 1
tail -n 1 "$logs/browser-test.log"
tail -n 1 "$logs/hold-test.log"
