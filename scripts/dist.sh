#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Packs the release build into dist/longbox-VERSION-SYSTEM-MACHINE.tar.gz. Unpack it anywhere and run ./longbox serve.
# It needs the Debian packages libbrotli1, libchafa0, libqrencode4, libseccomp2, libsqlite3-0, libvips42, libxml2 and zlib1g.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/build-release.sh
binaries=$(swift build -c release --show-bin-path)
version=$(git describe --tags --always --dirty 2>/dev/null || echo unknown)
name=longbox-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)

staged=$(mktemp --directory)
trap 'rm -rf "$staged"' EXIT
mkdir "$staged/$name"
for program in longbox longbox-pictures; do
  install -m 755 "$binaries/$program" "$staged/$name/"
  strip "$staged/$name/$program"
done
cp -R "$binaries"/longbox_*.resources README.md CHANGELOG.md LICENSE "$staged/$name/"

mkdir -p dist
tar --create --gzip --file "dist/$name.tar.gz" --directory "$staged" \
  --owner 0 --group 0 --numeric-owner --sort name "$name"
echo "dist/$name.tar.gz ($(stat --format %s "dist/$name.tar.gz") bytes)"
