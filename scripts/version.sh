#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Prints the version, which is in Sources/longbox/Longbox.swift and nowhere else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -nE 's/^  static let version = "([0-9]+\.[0-9]+\.[0-9]+)"$/\1/p' Sources/longbox/Longbox.swift)
[[ -n $version ]] || { echo "version.sh: there is no version in Sources/longbox/Longbox.swift." >&2; exit 1; }
echo "$version"
