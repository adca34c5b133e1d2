#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds dist/longbox_VERSION_ARCH.deb and checks it with lintian. It takes the programs from LONGBOX_BINARIES, or builds
# them. PACKAGE_VERSION replaces the version of the package, for tests of upgrades. The maintainer is DEBFULLNAME with
# DEBEMAIL, as for Debian's own tools, or the project with the address of the last commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-prerequisites.sh package
version=${PACKAGE_VERSION:-$(scripts/version.sh)}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
source=$work/longbox-$version
mkdir -p "$source" dist

maintainer="${DEBFULLNAME:-The Longbox contributors} <${DEBEMAIL:-$(git log -1 --format=%ae)}>"
cp -R packaging/debian "$source/debian"
cp deploy/longbox@.service "$source/debian/"
control=$(<"$source/debian/control")
printf '%s\n' "${control//@MAINTAINER@/"$maintainer"}" >"$source/debian/control"
scripts/stage-release.sh "$source/files"
cp packaging/longbox.yaml "$source/files/"
cat >"$source/debian/changelog" <<CHANGELOG
longbox ($version) unstable; urgency=medium

  * CHANGELOG.md says what has changed.

 -- $maintainer  $(date --utc --rfc-email --date "@$SOURCE_DATE_EPOCH")
CHANGELOG

log=$work/log
if ! (cd "$source" && dpkg-buildpackage --build=binary --no-sign --no-pre-clean) &>"$log"; then
  cat "$log" >&2
  exit 1
fi
package=dist/longbox_${version}_$(dpkg --print-architecture).deb
mv "$work/$(basename "$package")" "$package"
lintian --allow-root --fail-on error --tag-display-limit 0 "$package"
echo "$package ($(stat --format %s "$package") bytes, installed $(dpkg-deb --field "$package" Installed-Size) KiB)"
