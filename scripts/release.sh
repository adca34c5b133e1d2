#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Makes a release in dist/: the Debian package, the tarball, the bill of materials, the notes, the checksums. It takes the
# programs from LONGBOX_BINARIES, or builds them. With --tag TAG it fails unless the tag has the version's number and
# CHANGELOG.md has a section for it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh release
version=$(scripts/version.sh)
draft=(--draft)
if [[ ${1:-} == --tag ]]; then
  [[ ${2:-} == "v$version" ]] || { echo "release.sh: the tag ${2:-} is not v$version, the version in Sources/longbox/Longbox.swift." >&2; exit 1; }
  draft=()
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

rm -rf dist
mkdir dist
scripts/make-release-notes.py "$version" "${draft[@]}" >"dist/release-notes.md"
if [[ -z ${LONGBOX_BINARIES:-} ]]; then
  scripts/build-release.sh
  LONGBOX_BINARIES=$(swift build -c release --show-bin-path)
  export LONGBOX_BINARIES
fi
scripts/build-deb.sh
scripts/dist.sh
architecture=$(dpkg --print-architecture)
tar --extract --to-stdout --wildcards --file dist/longbox-*.tar.gz '*/sbom.cdx.json' >"dist/longbox_${version}_$architecture.cdx.json"
scripts/python.sh scripts/checks/sbom.py "dist/longbox_${version}_$architecture.cdx.json"
cd dist
sha256sum longbox* >SHA256SUMS
cat SHA256SUMS
