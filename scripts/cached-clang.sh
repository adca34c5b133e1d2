#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# The toolchain's clang, through ccache where that is installed. ccache keeps what was compiled for all checkouts and build
# folders: our packages have some 700 files of C code, which hardly ever change.
clang=$(dirname "$(realpath "$(command -v swift)")")/clang
if command -v ccache >/dev/null; then exec ccache "$clang" "$@"; fi
exec "$clang" "$@"
