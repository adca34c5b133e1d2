#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds Web/dist, the files that the server sends: bundles of Web/src, copies of Web/Public, longbox.wasm (which
# scripts/build-wasm.sh puts there), compressed copies of them, and files.json, the list of all files with their hashes.
# An unchanged file is not replaced, so that nothing is rebuilt because of it.
# --development: don't minify, and include source maps.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../Web"

options=(--bundle --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning)
if [[ ${1:-} == --development ]]; then
  options+=(--sourcemap=inline)
else
  options+=(--minify)
fi
built=$(mktemp --directory)
trap 'rm -rf "$built"' EXIT

cp Public/* "$built/"
esbuild src/worker/main.js "${options[@]}" --format=iife --outfile="$built/sw.js"
esbuild src/pages/app.js "${options[@]}" --format=esm --splitting --chunk-names='[name]-[hash]' --outdir="$built"
styles=(src/styles/style.css src/styles/library.css src/styles/quiz.css src/styles/settings.css)
esbuild "${styles[@]}" "${options[@]}" --external:lettering.woff2 --outdir="$built"

# A comic's page loads app.js and comic.js only; a shared chunk would be a further request (src/pages/services.d.ts).
if grep --extended-regexp --quiet '(^|;) *import *["{*]' "$built"/app.js "$built"/comic-*.js; then
  echo "app.js or comic.js imports a shared chunk, which delays loading by a further request." >&2
  exit 1
fi

mkdir -p dist
for file in dist/*; do
  name=${file#dist/}
  name=${name%.gz}
  name=${name%.br}
  [[ -e $built/$name || $name == longbox.wasm || $name == files.json ]] || rm -f "$file"
done
for file in "$built"/*; do
  cmp --silent "$file" "dist/${file##*/}" || install -m 644 "$file" dist/
done

# sw.js isn't compressed here, because the server changes it at start; pictures and fonts are compressed already.
for file in dist/*.{css,js,json,svg,txt,wasm,webmanifest}; do
  [[ -e $file && $file != dist/sw.js && $file != dist/files.json ]] || continue
  # Renamed when complete, so that an interrupted run leaves no half of a file. Redirected, because brotli would create a
  # file that only its owner can read.
  if [[ ! $file.gz -nt $file ]]; then
    gzip -9 --no-name --stdout "$file" >"$file.new"
    mv "$file.new" "$file.gz"
  fi
  if [[ ! $file.br -nt $file ]]; then
    brotli --best --stdout "$file" >"$file.new"
    mv "$file.new" "$file.br"
  fi
done

for file in dist/*; do
  case $file in *.gz | *.br | dist/files.json) continue ;; esac
  hash=$(sha256sum "$file")
  printf ',\n{"name":"%s","hash":"%s","size":%d}' "${file#dist/}" "${hash:0:16}" "$(stat --format %s "$file")"
done | { printf '[\n' && tail --bytes +3 && printf '\n]\n'; } >"$built/files.json"
cmp --silent "$built/files.json" dist/files.json || install -m 644 "$built/files.json" dist/
