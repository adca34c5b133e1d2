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
# Names a step, with the time since the start: it shows where the time goes.
step() {
  printf '\n== %s (after %d:%02d)\n' "$1" $((SECONDS / 60)) $((SECONDS % 60))
}

rm -f "$logs"/*.log
trap summarize_failures ERR

step "Build the Swift tests"
swift build --build-tests
step "Run the Swift tests"
# At most 8 at once: more would time out waiting for each other.
{
  SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8} \
    swift test --skip-build --disable-xctest 2>&1 | tee "$logs/swift-test.log"
} &
swift_tests=$!
# The browser tests use the release build, because that is what people run. It is built beside the Swift tests, which
# use a part of the machine only and come first. It has a folder of its own for temporary files, since SwiftPM locks a
# build there, and waits until the tests have read the build database, which a build locks.
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  until grep --quiet 'Test run started' "$logs/swift-test.log" 2>/dev/null || ! kill -0 $swift_tests 2>/dev/null; do
    sleep 0.2
  done
  LONGBOX_BINARIES=$PWD/.build/release
  export LONGBOX_BINARIES
  mkdir -p .build/temporary
  TMPDIR=$PWD/.build/temporary nice -n 19 scripts/build-release.sh --ignore-lock LongboxDevice >"$logs/release-build.log" 2>&1 \
    || { tail -n 50 "$logs/release-build.log"; exit 1; }
fi
wait $swift_tests

# Runs tests in Python: a name for the log, then arguments of pytest. Up to five that fail run once more, alone. Those
# that pass then are named as unstable, which is a defect to look into.
run_tests() {
  local log=$logs/$1-test.log again=$logs/$1-again.log failed
  shift
  if ! scripts/python.sh -m pytest "$@" 2>&1 | tee "$log"; then
    failed=$(grep --count --extended-regexp '^(FAILED|ERROR) ' "$log" || true)
    ((failed > 0 && failed <= 5)) || { summarize_failures; exit 1; }
    step "Run $failed unstable tests again"
    scripts/python.sh -m pytest "$1" --last-failed 2>&1 | tee "$again"
    echo "Unstable, since they passed only when they ran again:"
    grep --extended-regexp '^(FAILED|ERROR) ' "$log"
  fi
}

step "Run the browser tests"
# Two processes, since the tests mostly wait for the browser.
run_tests browser Tests/Browser -n 2 --dist worksteal "$@"

step "Run the attacks"
run_tests hold Tests/Hold

step "Run the faults"
# They mostly wait, so four at a time.
run_tests faults Tests/Faults -n 4 --dist worksteal

step "Send a phone and a stranger into the network"
run_tests reach Tests/Reach

step "Run a short soak"
scripts/python.sh scripts/soak.py --seconds "${SOAK_SECONDS:-60}" 2>&1 | tee "$logs/soak.log"

step "Done"
grep --extended-regexp 'Test run with [0-9]+ tests?' "$logs/swift-test.log" | tail -n 1
for log in "$logs"/{browser,hold,faults,reach}-{test,again}.log "$logs/soak.log"; do
  [[ ! -f $log ]] || tail -n 1 "$log"
done
