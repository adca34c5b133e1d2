#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Puts the parts of a release into a folder: programs with their files (lib), completions, man pages (man), and documents
# (doc). The package and the tarball are made from this folder.
#
#   stage-release.sh FOLDER
#
# It takes the programs from LONGBOX_BINARIES, or builds them for release. The same programs give the same bytes: all
# dates are SOURCE_DATE_EPOCH, or the date of the last commit.
set -euo pipefail
staged=$(realpath --canonicalize-missing "${1:?"usage: stage-release.sh FOLDER"}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

binaries=${LONGBOX_BINARIES:-}
if [[ -z $binaries ]]; then
  scripts/build-release.sh >&2
  binaries=$(swift build -c release --show-bin-path)
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

version=$(scripts/version.sh)
said=$("$binaries/longbox" --version)
[[ $said == "$version" ]] || { echo "stage-release.sh: $binaries/longbox says that it is $said, not $version." >&2; exit 1; }

scripts/install-prerequisites.sh release
umask 022
rm -rf "$staged"
mkdir -p "$staged"/{lib,completions,doc}
for program in longbox longbox-pictures; do
  install -m 755 "$binaries/$program" "$staged/lib/"
  strip "$staged/lib/$program"
  # The programs contain Swift's libraries, so remove the search path to the libraries of the build machine.
  libraries=$(readelf --dynamic "$staged/lib/$program")
  if [[ $libraries != *libswiftCore* ]]; then
    chrpath --delete "$staged/lib/$program" >/dev/null
  fi
done
for module in longbox_LongboxCatalog longbox_LongboxWeb; do
  cp -R "$binaries/$module.resources" "$staged/lib/"
done
find "$staged/lib" -name .gitignore -delete
chmod -R u=rwX,go=rX "$staged/lib"

"$binaries/longbox" --generate-completion-script bash | sed '1{/^#!/d}' >"$staged/completions/longbox"
"$binaries/longbox" --generate-completion-script zsh >"$staged/completions/_longbox"
"$binaries/longbox" --generate-completion-script fish >"$staged/completions/longbox.fish"
scripts/make-man-pages.py "$binaries/longbox" "$staged/man"

cp README.md CHANGELOG.md LICENSE "$staged/doc/"
# The folders keep their names, since messages and other documents name files in them, such as docs/cli.md.
cp -R docs deploy "$staged/doc/"
# A release build writes the list of the Swift packages, and checks them out. Programs that were built elsewhere come without both;
# builds of tests or WebAssembly write the list too, but check the packages out elsewhere.
[[ -f Package.resolved && -d .build/checkouts ]] || swift package resolve >&2
# The programs contain these packages, whose licences ask to be passed on.
for folder in .build/checkouts/*/; do
  for text in "$folder"LICENSE* "$folder"NOTICE*; do
    [[ -f $text ]] || continue
    printf '== %s: %s\n\n' "$(basename "$folder")" "$(basename "$text")"
    cat "$text"
    printf '\n'
  done
done >"$staged/doc/third-party-licences.txt"
[[ -s $staged/doc/third-party-licences.txt ]] || { echo "stage-release.sh: .build/checkouts has no licences. Delete it, and run this again." >&2; exit 1; }
scripts/make-sbom.py "$staged/lib/longbox" "$staged/lib/longbox-pictures" >"$staged/doc/sbom.cdx.json"

find "$staged" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
