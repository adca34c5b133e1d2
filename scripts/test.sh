#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Runs everything that CI requires, the quickest checks first, and prints the summaries of both test runners at the end.
# Arguments go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build wasm web test
logs=.build/logs
mkdir -p "$logs"
rm -f "$logs"/*.{log,out}

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

# Runs a command beside what follows: a name for its output, then the command. It has a process group of its own, so that
# it ends with this script.
declare -A beside=()
begin() {
  set -m
  "${@:2}" &>"$logs/$1.out" </dev/null &
  set +m
  beside[$1]=$!
}
# Waits for the command with a name, and prints its output.
finish() {
  local status=0
  wait "${beside[$1]}" || status=$?
  unset "beside[$1]"
  cat "$logs/$1.out"
  return "$status"
}
end_all() {
  local group
  for group in "${beside[@]}"; do kill -INT -- "-$group" 2>/dev/null || true; done
  # Where this script itself runs beside something, its commands ignore SIGINT.
  for group in "${beside[@]}"; do
    for _ in {1..100}; do
      kill -0 -- "-$group" 2>/dev/null || break
      sleep 0.1
    done
    kill -TERM -- "-$group" 2>/dev/null || true
  done
  if [[ -n ${in_memory:-} ]]; then rm -rf "$in_memory" || true; fi
}
trap end_all EXIT
trap summarize_failures ERR

# The packages need no web files.
begin packages scripts/build-tests.sh --product longbox-replay
step "Check the code, and build the web files"
scripts/lint.sh
scripts/build-wasm.sh
scripts/build-web.sh
step "Build the tests and the programs"
finish packages
scripts/build-tests.sh
LONGBOX_BINARIES=${LONGBOX_BINARIES:-$(scripts/build-tests.sh --show-bin-path)}
export LONGBOX_BINARIES

# Runs tests in Python: a name for the log, then arguments of pytest. Like the Swift tests, up to five tests that fail run
# once more. If they fail again it returns 1, since functions don't inherit the trap for errors.
run_tests() {
  local log=$logs/$1-test.log again=$logs/$1-again.log which=(--last-failed) failed
  # These follow each other, so all of them run again.
  if [[ $1 == household ]]; then which=(); fi
  shift
  if ! scripts/python.sh -m pytest "$@" 2>&1 | tee "$log"; then
    failed=$(grep --count --extended-regexp '^(FAILED|ERROR) ' "$log" || true)
    ((failed > 0 && failed <= 5)) || return 1
    step "Run $failed unstable tests again"
    scripts/python.sh -m pytest "$@" -n 0 "${which[@]}" 2>&1 | tee "$again" || return 1
    echo "Unstable, since they passed only when they ran again:"
    grep --extended-regexp '^(FAILED|ERROR) ' "$log"
  fi
}

# Tests that mostly wait: for time limits, for networks to change, for nodes to fail. They run beside those that keep the
# processor busy.
tests_of_faults() {
  step "Run the attacks"
  run_tests attacks Tests/Attacks
  step "Read in a terminal"
  run_tests terminal Tests/Terminal -n 2 --dist worksteal
  step "Run the faults"
  run_tests faults Tests/Faults -n 2 --dist worksteal
  step "Count the work on growing inputs"
  run_tests growth Tests/Growth
  step "Run a short soak"
  scripts/python.sh Tests/Soak/soak.py --seconds "${SOAK_SECONDS:-60}" 2>&1 | tee "$logs/soak.log"
}
tests_of_networks() {
  step "Connect a phone and a stranger to a household's network"
  run_tests household Tests/Household
  step "Let nodes fail"
  run_tests cluster Tests/Cluster
  # Its list of files goes out of date when a parser uses another file. libFuzzer itself runs by hand.
  step "Compile what the fuzzers read"
  swift build --package-path Fuzz --scratch-path .build/fuzz-check --target FuzzTargets
  step "Run tests of pages behind proxies"
  # Below a path. Each proxy has other files, since they pass the path on alike: those with the most links and forms.
  run_tests nginx Tests/Browser/test_{overview,favorites,search,settings}.py --behind nginx
  run_tests caddy Tests/Browser/test_{albums,quiz,places,feeds,api}.py --behind caddy
}

# Tests make and remove thousands of files. In memory, where it has room, the Swift tests take two thirds of the time.
gigabytes=$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -n 1 || true)
if ((${gigabytes:-0} >= 4)); then
  in_memory=$(mktemp --directory /dev/shm/lb.XXXX)
  export TMPDIR=$in_memory
fi

begin faults tests_of_faults
begin networks tests_of_networks
step "Run the Swift tests"
scripts/run-swift-tests.py
if [[ -d ${LONGBOX_SHARED:-../shared}/data/explainxkcd ]]; then
  step "Compare the texts with recorded ones"
  Tests/Texts/compare.py "$LONGBOX_BINARIES/show-texts" "${LONGBOX_SHARED:-../shared}/data"
fi
step "Run the browser tests"
# Three processes, since the tests mostly wait for the browser.
run_tests browser Tests/Browser -n 3 --dist worksteal "$@"
step "Wait for the other tests"
finish networks
finish faults

step "Done"
for log in "$logs"/swift-{test,again}.log; do
  [[ ! -f $log ]] || grep --extended-regexp 'Test run with [0-9]+ tests?' "$log" | tail -n 1
done
for log in "$logs"/{browser,nginx,caddy,attacks,growth,terminal,faults,cluster,household}-{test,again}.log "$logs/soak.log"; do
  [[ ! -f $log ]] || tail -n 1 "$log"
done
