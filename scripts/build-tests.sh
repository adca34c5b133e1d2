#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Builds the Swift tests and all programs at once, for release, into .build/tests. With arguments, which go to swift build,
# it builds what they name.
# The programs are those of a release but for two things: their modules are open to tests, and Swift's libraries are linked
# dynamically. Building them again for debugging would double the time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# With random hashes, SwiftPM orders some flags differently each time, and then compiles their modules again.
export SWIFT_DETERMINISTIC_HASHING=1
export CC=$PWD/scripts/cached-clang.sh CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
exec swift build -c release --scratch-path .build/tests -debug-info-format none -Xswiftc -enable-testing "${@:---build-tests}"
