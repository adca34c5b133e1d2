#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds Web/dist, which the server sends: the service worker and the pages' scripts and style sheets from Web/src, copies of
# Web/Public, the WebAssembly that scripts/build-wasm.sh has put there, all compressed, and their list, files.json.
# A file whose content has not changed is not written again, so that what is built from it stays fresh.
# --development: nothing is minified, and source maps are inside the files.
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
esbuild src/styles/style.css src/styles/quiz.css "${options[@]}" --external:lettering.woff2 --outdir="$built"

# What a comic's page loads first must not wait for a third file: see src/pages/services.d.ts.
if grep --extended-regexp --quiet '(^|;) *import *["{*]' "$built"/app.js "$built"/comic-*.js; then
  echo "app.js or comic.js shares a module with another chunk, which would be a further step of loading." >&2
  exit 1
fi

mkdir -p dist
for file in dist/*; do
  name=${file#dist/}
  name=${name%.gz}
  name=${name%.br}
  [[ -e $built/$name || $name == longbox.wasm ]] || rm -f "$file"
done
for file in "$built"/*; do
  cmp --silent "$file" "dist/${file##*/}" || install -m 644 "$file" dist/
done

# The server completes sw.js when it starts; pictures and fonts are compressed already.
for file in dist/*.{css,js,json,svg,txt,wasm,webmanifest}; do
  [[ -e $file && $file != dist/sw.js && $file != dist/files.json ]] || continue
  [[ $file.gz -nt $file ]] || gzip -9 --no-name --stdout "$file" >"$file.gz"
  # By redirection, or it would be for its owner alone to read.
  [[ $file.br -nt $file ]] || brotli --best --stdout "$file" >"$file.br"
done

for file in dist/*; do
  case $file in *.gz | *.br | dist/files.json) continue ;; esac
  hash=$(sha256sum "$file")
  printf ',\n{"name":"%s","hash":"%s","size":%d}' "${file#dist/}" "${hash:0:16}" "$(stat --format %s "$file")"
done | { printf '[\n' && tail --bytes +3 && printf '\n]\n'; } >"$built/files.json"
cmp --silent "$built/files.json" dist/files.json || install -m 644 "$built/files.json" dist/
