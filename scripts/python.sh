#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Runs Python in .venv, with the packages of scripts/requirements.txt. When that file changes, .venv is recreated.
# It finds the modules that several suites use.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly root stamp=$root/.venv/requirements.txt

if ! cmp --silent "$root/scripts/requirements.txt" "$stamp"; then
  echo "Installing the Python packages of scripts/requirements.txt into .venv ..." >&2
  python3 -m venv --clear "$root/.venv" >&2
  "$root/.venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$root/scripts/requirements.txt" >&2
  cp "$root/scripts/requirements.txt" "$stamp"
fi
export PYTHONPATH=$root/Tests/Support/Python${PYTHONPATH:+:$PYTHONPATH}
exec "$root/.venv/bin/python" "$@"
