#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages that the given tasks need: build, wasm, web, test, engines, bench, release, manual, package, test-package, lint.
# Without root, or sudo without a password, it prints the command to run and fails.
# If nothing is missing it takes milliseconds, so every target may call it.
set -euo pipefail

readonly swift_wanted=6.3

packages_for() {
  case $1 in
    build) echo g++ git libbrotli-dev libchafa-dev libqrencode-dev libseccomp-dev libsqlite3-dev libvips-dev libxml2-dev pkg-config \
      tzdata zlib1g-dev ;;
    # The Swift toolchain's programs are linked with these.
    toolchain) echo libcurl4 libncurses6 libxml2 ;;
    wasm) echo binaryen git wasi-libc ;;
    web) echo brotli esbuild ;;
    test)
      echo avahi-daemon avahi-utils brotli caddy ccache chromium chromium-headless-shell dbus fonts-dejavu-core iproute2 libfaketime libnss3-tools links lynx \
        nginx-light openssl postgresql-15 python3 python3-venv valgrind w3m
      ;;
    # Browsers beside Chromium, and what drives WebKit: a screen in memory, and GTK for its window.
    engines)
      echo firefox-esr gir1.2-gtk-3.0 gir1.2-webkit2-4.1 libwebkit2gtk-4.1-0 python3 python3-gi python3-venv webkit2gtk-driver xvfb
      ;;
    bench) echo curl nginx-light openssl postgresql-15 python3 sqlite3 wrk ;;
    release) echo binutils chrpath git gzip libpq5 python3 python3-venv ;;
    manual) echo fish groff man-db mandoc python3 zsh ;;
    package) echo build-essential debhelper dpkg-dev fakeroot lintian ;;
    # The keys are there on Debian, but not on Ubuntu, where the workflow tests the package.
    test-package) echo debian-archive-keyring debootstrap dpkg-dev python3 systemd systemd-container ;;
    lint) echo docker-compose python3 python3-venv shellcheck ;;
    *)
      echo "install-prerequisites.sh: there is no task '$1'; the tasks are build, wasm, web, test, engines, bench, release, manual, package, test-package, lint." >&2
      return 2
      ;;
  esac
}

check_swift() {
  local said found
  said=$(swift --version 2>&1 || true)
  found=$(sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' <<<"$said" | head -n 1)
  if [[ -n $found && $(printf '%s\n' "$swift_wanted" "$found" | sort -V | head -n 1) == "$swift_wanted" ]]; then
    return
  fi
  cat >&2 <<MESSAGE
Longbox needs the Swift toolchain, version $swift_wanted or later; 'swift --version' says:
  $said
  Get it from https://www.swift.org/install/linux/ and put its usr/bin in PATH, then run this again.
MESSAGE
  exit 1
}

# Checks Swift if one of the tasks needs it; the others also work where only what was built is tested.
check_swift_for() {
  local task
  for task in "$@"; do
    case $task in build | wasm | release | lint) check_swift; return ;; esac
  done
}

missing_of() {
  local package
  for package in "$@"; do
    if [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
      echo "$package"
    fi
  done
}

install_packages() {
  local -a command=(apt-get -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends "$@")
  local -a as=()
  if [[ $EUID -ne 0 ]]; then
    if ! sudo --non-interactive true 2>/dev/null; then
      cat >&2 <<MESSAGE
Longbox needs packages that are not installed: $*
  Install them with:
    sudo apt-get update && sudo apt-get install --yes --no-install-recommends $*
MESSAGE
      exit 1
    fi
    as=(sudo --non-interactive)
  fi
  echo "Installing $* ..."
  "${as[@]}" apt-get -o DPkg::Lock::Timeout=300 update --quiet --quiet </dev/null
  "${as[@]}" env DEBIAN_FRONTEND=noninteractive "${command[@]}" --quiet --quiet </dev/null
}

main() {
  local task packages
  local -a wanted=() missing=()
  for task in "$@"; do
    packages=$(packages_for "$task")
    read -r -a wanted <<<"${wanted[*]} $packages"
  done
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system; install the equivalents of: ${wanted[*]}" >&2
    check_swift_for "$@"
    return
  fi
  if command -v swift >/dev/null && ! swift --version &>/dev/null; then
    packages=$(packages_for toolchain)
    read -r -a wanted <<<"${wanted[*]} $packages"
  fi
  mapfile -t missing < <(missing_of "${wanted[@]}" | sort --unique)
  if [[ ${#missing[@]} -gt 0 ]]; then
    install_packages "${missing[@]}"
  fi
  check_swift_for "$@"
}

main "$@"
