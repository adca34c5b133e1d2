#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# The toolchain's clang through ccache, which keeps what was compiled for all checkouts and build folders. Our packages have
# some 700 files of C code, which hardly ever change.
exec ccache "$(dirname "$(realpath "$(command -v swift)")")/clang" "$@"
