#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Packs a release into dist/longbox-VERSION-SYSTEM-MACHINE.tar.gz. Unpack it anywhere and run ./longbox serve. It takes the
# programs from LONGBOX_BINARIES, or builds them. To run, they need the Debian packages that docs/install.md lists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

name=longbox-$(scripts/version.sh)-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT

scripts/stage-release.sh "$work/staged"
mkdir -p "$work/$name" dist
mv "$work"/staged/lib/* "$work"/staged/{completions,man} "$work"/staged/doc/* "$work/$name/"
tar --create --directory "$work" --owner 0 --group 0 --numeric-owner --sort name --mtime "@$SOURCE_DATE_EPOCH" "$name" |
  gzip --best --no-name >"dist/$name.tar.gz"
echo "dist/$name.tar.gz ($(stat --format %s "dist/$name.tar.gz") bytes)"
