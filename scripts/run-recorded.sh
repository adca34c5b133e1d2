#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds for release and serves recorded data: longbox-replay replaces xkcd.com and all other sources.
# The data folder is .build/recorded, so that your own library stays as it is; LONGBOX_DATA names another.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

shared=${LONGBOX_SHARED:-../shared}
recorded=$shared/data
if [[ ! -f $recorded/xkcd/comics.jsonl ]]; then
  echo "No recorded data found in $recorded." >&2
  echo "  Set LONGBOX_SHARED to the folder that contains data/xkcd/comics.jsonl." >&2
  exit 1
fi

scripts/build-release.sh longbox-replay
binaries=$(swift build -c release --show-bin-path)
mkdir -p .build/recorded

exec {from_replay}< <(exec "$binaries/longbox-replay" --data "$recorded" --port 0)
replay=$!
trap 'kill "$replay" 2>/dev/null || true' EXIT
read -r -u "$from_replay" line
address=$(grep --only-matching --extended-regexp 'http://[^[:space:]]+' <<<"$line")
echo "longbox-replay serves recorded data on $address"

LONGBOX_DATA=${LONGBOX_DATA:-$PWD/.build/recorded} \
  LONGBOX_EXPLAIN_URL=$address/explain/api.php LONGBOX_EXPLAIN_RATE=${LONGBOX_EXPLAIN_RATE:-50} \
  LONGBOX_ITUNES_URL=$address/itunes LONGBOX_ITUNES_RATE=${LONGBOX_ITUNES_RATE:-600} LONGBOX_ARTWORK_URL=$address/artwork \
  LONGBOX_WIKIPEDIA_URL=$address/wikipedia/api.php LONGBOX_CONTACT=${LONGBOX_CONTACT:-recorded@example.org} \
  LONGBOX_XKCD_URL=$address LONGBOX_XKCD_IMAGES_URL=$address LONGBOX_XKCD_RATE=${LONGBOX_XKCD_RATE:-50} \
  "$binaries/longbox" serve "$@"
