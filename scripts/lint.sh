#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Runs all checks that need no build, and lists those that failed. There is no CSS linter: stylelint is on npm only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

failed=()
check() {
  "$@" || failed+=("$*")
}

scripts/install-prerequisites.sh lint
scripts/python.sh -c '' # creates .venv, with ruff and codespell

for script in engines imports links words; do
  check python3 "scripts/checks/$script.py" --self-test
  check python3 "scripts/checks/$script.py"
done
check python3 scripts/checks/runner.py
check shellcheck .ci/run scripts/*.sh scripts/checks/*.sh Tests/Package/*.sh packaging/debian/longbox.post*
check .venv/bin/hadolint packaging/Containerfile
check docker-compose --env-file deploy/env.example --file deploy/compose.yaml config --quiet
# What limits a service is the same for a single server and for a node.
limits() { sed -n '/^CapabilityBoundingSet=/,$p' "$1"; }
check cmp <(limits packaging/debian/longbox.service) <(limits deploy/longbox@.service)
# All Python in the repository; see ruff.toml.
check .venv/bin/ruff check --quiet
check .venv/bin/ruff format --quiet --check
check .venv/bin/codespell
check swift format lint --strict --parallel --recursive Package.swift Fuzz/Package.swift Fuzz/Sources/fuzz Sources Tests Web bench/search/Sources
check scripts/checks/web.sh

if ((${#failed[@]})); then
  printf 'Failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
