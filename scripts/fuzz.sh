#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Feeds the readers of untrusted bytes by libFuzzer: each target, or those named, for FUZZ_SECONDS (60) each. Inputs that
# reach new code are kept in .build/fuzz-corpus; one that crashes is named at the end, and stays in .build/fuzz-findings.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh build
options=(--package-path Fuzz --scratch-path .build/fuzz -c release --sanitize fuzzer -Xswiftc -enable-testing)
swift build "${options[@]}" --product fuzz
fuzz=$(swift build "${options[@]}" --show-bin-path)/fuzz

targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
  mapfile -t targets < <("$fuzz")
fi
findings=.build/fuzz-findings
mkdir -p "$findings"
failed=()
for target in "${targets[@]}"; do
  corpus=.build/fuzz-corpus/$target
  "$fuzz" "$target" --seeds "$corpus"
  log=$findings/$target.log
  if "$fuzz" "$target" "$corpus" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
    -artifact_prefix="$findings/$target-" &>"$log"; then
    printf '%-10s %s\n' "$target" "$(grep '^Done' "$log")"
  else
    failed+=("$target")
    printf '%-10s failed: %s\n' "$target" "$(grep --extended-regexp 'Fatal error|ERROR: libFuzzer|Test unit written' "$log" | tr '\n' ' ')"
  fi
done
if ((${#failed[@]})); then
  echo "Crashes of ${failed[*]}: the logs and inputs are in $findings." >&2
  exit 1
fi
