#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Installs the Debian package on a fresh Debian with a running systemd, in a container of systemd-nspawn: start, watchdog, upgrade
# from the package before, set-up, remove, purge. Tests/Package/inside.sh runs in the container.
#
#   test-package.sh [NEW.deb OLD.deb]
#
# Without arguments it tests the package in dist/, and upgrades to it from a package of the same files with a lower version.
# It needs root, takes about three minutes, and fetches Debian's packages when it prepares; the container itself has no network.
set -euo pipefail
new=${1:+$(realpath "$1")} old=${2:+$(realpath "$2")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ $EUID -eq 0 ]] || { echo "test-package.sh needs root, for a container." >&2; exit 1; }
scripts/install-prerequisites.sh test-package
fresh=$PWD/.build/package-root
root=$(mktemp --directory --tmpdir longbox-package.XXXXXX)
work=$(mktemp --directory)
trap 'rm -rf "$root" "$work"' EXIT

new=${new:-dist/longbox_$(scripts/version.sh)_$(dpkg --print-architecture).deb}
[[ -f $new ]] || { echo "test-package.sh: there is no $new; run make deb." >&2; exit 1; }
if [[ -z $old ]]; then
  dpkg-deb --raw-extract "$new" "$work/old"
  sed -i 's/^Version: .*/&~before/' "$work/old/DEBIAN/control"
  old=$work/old.deb
  dpkg-deb --build --root-owner-group -Znone "$work/old" "$old" >/dev/null
fi

if [[ ! -e $fresh/complete ]]; then
  echo "Preparing a fresh Debian in $fresh ..."
  rm -rf "$fresh"
  mkdir -p "$fresh"
  debootstrap --variant=minbase --include=ca-certificates,curl,dbus,systemd,systemd-sysv bookworm "$fresh" >"$fresh.log"
  touch "$fresh/complete"
fi

cp --archive "$fresh/." "$root"
rm "$root/complete"
install -D --mode 644 "$new" "$root/test/new.deb"
install -D --mode 644 "$old" "$root/test/old.deb"
install -D --mode 755 Tests/Package/inside.sh "$root/test/inside.sh"
install -D --mode 644 Web/Public/icon-180.png "$root/test/comics/images/bread_1.png"
cat >"$root/test/comics/comics.jsonl" <<'RECORD'
{"month": "3", "num": 1, "link": "", "year": "2011", "news": "", "safe_title": "Bread", "transcript": "", "alt": "It rose.", "img": "https://imgs.xkcd.com/comics/bread_1.png", "title": "Bread", "day": "13"}
RECORD
# The libraries that the package needs, fetched while there is a network.
chroot "$root" apt-get update --quiet --quiet
chroot "$root" apt-get install --quiet --quiet --yes --no-install-recommends --download-only /test/old.deb /test/new.deb 2>/dev/null ||
  { chroot "$root" apt-get install --yes --no-install-recommends --download-only /test/old.deb; chroot "$root" apt-get install --yes --no-install-recommends --download-only /test/new.deb; }
# The protections of longbox-pictures: not every kernel has Landlock (system call 444).
echo seccomp >"$root/test/protections"
if python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)'; then
  echo 'seccomp|Landlock' >"$root/test/protections"
fi
cat >"$root/etc/systemd/system/package-test.service" <<'UNIT'
[Unit]
After=multi-user.target

[Service]
Type=oneshot
ExecStart=/test/inside.sh
StandardOutput=append:/test/output
StandardError=append:/test/output
ExecStopPost=/bin/systemctl poweroff --no-block

[Install]
WantedBy=multi-user.target
UNIT
systemctl --root="$root" enable --quiet package-test.service

timeout 900 systemd-nspawn --quiet --directory "$root" --boot --register=no --keep-unit --private-network \
  --system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" \
  --machine=longbox-package-test --link-journal=no >"$root/test/console" 2>&1 || tail -n 20 "$root/test/console"
cat "$root/test/output"
if [[ ! -e $root/test/passed ]]; then
  chroot "$root" journalctl --quiet --unit longbox --no-pager | grep --invert-match " debug longbox: .*ServiceLifecycle" | cut --characters 1-200 | tail -n 40
  echo "The package failed."
  exit 1
fi
