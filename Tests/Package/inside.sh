#!/usr/bin/env bash
# Longbox
# SPDX-License-Identifier: MIT
#
# Tests the Debian package inside a container without a network, which scripts/test-package.sh prepares. The service shows the
# sample box there at first.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd /test
base=http://127.0.0.1:8353

step() { printf '== %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1"; exit 1; }
# Repeats a command until it succeeds, for at most two minutes.
until_true() {
  for _ in $(seq 1200); do
    if "$@" &>/dev/null; then return; fi
    sleep 0.1
  done
  fail "never: $*"
}
apt() { apt-get --quiet --quiet --yes --no-install-recommends --option Dpkg::Use-Pty=0 "$@" >>apt.log 2>&1 || { cat apt.log; fail "apt-get $*"; }; }
property() { systemctl show --value --property "$1" longbox; }
is_active() { [[ $(property ActiveState) == active ]]; }
healthy() { curl --silent --fail "$base/healthz"; }
as_longbox() { runuser --user longbox -- "$@"; }
favorites() { curl --silent --fail --cookie jar "$base/settings/export"; }
# All files that a package could leave behind.
files() {
  find /etc /usr /var /srv /opt /home /root -xdev \
    \( -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/tmp \) -prune \
    -o -print | grep --invert-match --extended-regexp '^/etc/(passwd|group|shadow|gshadow|subuid|subgid)-$' | sort
}

# Debug lines list the protections that longbox-pictures lacks. A watchdog shorter than the unit's keeps the test fast.
mkdir /etc/systemd/system/longbox.service.d
printf '[Service]\nEnvironment=LONGBOX_LOG=debug\nWatchdogSec=20\n' >/etc/systemd/system/longbox.service.d/test.conf
files >files-before
cut --delimiter : --fields 1 /etc/passwd /etc/group | sort >names-before

step "Install the package before, $(dpkg-deb --field old.deb Version)"
apt install ./old.deb
is_active || fail "The service is not active right after the installation."
[[ $(property Type) == notify && $(property StatusText) == "Longbox is at $base" ]] || fail "It hasn't notified: $(property StatusText)"
[[ $(stat --format %U "/proc/$(property MainPID)") == longbox ]] || fail "It runs as another user."
[[ $(stat --format '%a %U' /var/lib/longbox) == '700 longbox' ]] || fail "The data folder isn't private."
curl --silent "$base/" | grep 'Sample box' >/dev/null || fail "There is no sample box."
longbox --version
printf 'Security: %s\n' "$(systemd-analyze security --no-pager longbox | tail -n 1)"
systemd-analyze security --no-pager --threshold=20 longbox >/dev/null || fail "The unit is exposed to more than 2.0."

step "Decode a picture in the service"
number=$(curl --silent "$base/info.0.json" | sed -nE 's/.*"num": ?([0-9]+).*/\1/p' | head -n 1)
curl --silent --output thumbnail "$base/comics/$number/thumbnail"
[[ $(head --bytes 12 thumbnail | tail --bytes 4) == WEBP ]] || fail "No thumbnail was made."
if journalctl --unit longbox | grep --extended-regexp "runs without ($(cat protections))|can.t be started"; then
  fail "The unit denies too much."
fi

step "Import a comic, and make it a favorite"
systemctl stop longbox
[[ $(property Result) == success ]] || fail "It stopped with $(property Result)."
as_longbox longbox import /test/comics
systemctl start longbox
curl --silent --fail "$base/1/" | grep Bread >/dev/null || fail "The comic isn't there."
[[ $(curl --silent --output /dev/null --write-out '%{http_code}' --cookie-jar jar --header "Origin: $base" \
  --data 'comic=1&on=yes' "$base/favorites/set") == 303 ]] || fail "The favorite was refused."
favorites | grep '"num" *: *1' >/dev/null || fail "The favorite isn't there."

step "Hang, and be started again by the watchdog"
restarts=$(property NRestarts)
kill -STOP "$(property MainPID)"
has_restarted() { ((10#$(property NRestarts) > 10#$restarts)) && is_active; }
until_true has_restarted
until_true healthy
favorites | grep '"num" *: *1' >/dev/null || fail "The favorite was lost."

step "Upgrade to $(dpkg-deb --field new.deb Version), with a changed conffile"
echo 'contact: "me@example.org"' >>/etc/longbox/longbox.yaml
before=$(property MainPID)
apt --option Dpkg::Options::=--force-confold install ./new.deb
is_active || fail "The service is not active after the upgrade."
[[ $(property MainPID) != "$before" ]] || fail "The old program still runs."
[[ $(dpkg-query --show --showformat '${Version}' longbox) == "$(dpkg-deb --field new.deb Version)" ]] || fail "It wasn't upgraded."
grep --quiet me@example.org /etc/longbox/longbox.yaml || fail "The conffile was overwritten."
curl --silent --fail "$base/1/" | grep Bread >/dev/null || fail "The comic was lost."
favorites | grep '"num" *: *1' >/dev/null || fail "The favorite was lost."
as_longbox longbox status | tail -n 1

step "Fail for a wrong setting, and not be started again"
wrong=/etc/systemd/system/longbox.service.d/wrong.conf
printf '[Service]\nEnvironment=LONGBOX_PORT=70000\n' >$wrong
systemctl daemon-reload
if systemctl restart longbox; then fail "It runs with a wrong setting."; fi
[[ $(property ActiveState) == failed && $(property ExecMainStatus) == 78 ]] || fail "It is $(property ActiveState)."
rm $wrong
systemctl daemon-reload
systemctl start longbox
until_true healthy

step "Open it to the network"
echo 'four random words here' >passphrase
chmod 644 passphrase
as_longbox longbox setup --yes --passphrase-file /test/passphrase | head -n 1
systemctl restart longbox
curl --silent --fail --cacert /var/lib/longbox/tls/authority.pem https://localhost:8353/healthz >/dev/null || fail "There is no HTTPS."
[[ $(property StatusText) == "Longbox is at http://0.0.0.0:8353" ]] || fail "It listens elsewhere: $(property StatusText)"

step "Remove it, and install it again"
apt remove longbox
if systemctl is-active --quiet longbox; then fail "It still runs."; fi
[[ ! -e /usr/bin/longbox && -s /var/lib/longbox/longbox.yaml && -e /etc/longbox/longbox.yaml ]] || fail "Removing removed too much, or too little."
apt install ./new.deb
until_true healthy
favorites | grep '"num" *: *1' >/dev/null || fail "The favorite was lost."

step "Purge it"
apt purge longbox
# systemd suggests one of the libraries, so autoremove would keep it.
apt autoremove --purge --option APT::AutoRemove::SuggestsImportant=false
files >files-after
cut --delimiter : --fields 1 /etc/passwd /etc/group | sort >names-after
diff files-before files-after || fail "These files are left, or missing."
diff names-before names-after || fail "These users or groups are left."
systemctl daemon-reload
[[ $(systemctl show --value --property LoadState longbox) != loaded ]] || fail "The unit is left."

step "The package passed."
touch passed
