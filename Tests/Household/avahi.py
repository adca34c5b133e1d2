# Longbox
# SPDX-License-Identifier: MIT
"""Avahi on a host of the network, apart from that of the machine that runs the tests, and a client of multicast DNS."""

import os
import shutil
import socket
import struct
import subprocess

from waiting import until

SOCKET = "/run/avahi-daemon/socket"
GROUP = ("224.0.0.251", 5353)
# The types of records of RFC 1035 and the size of what follows a name: type, class, time to live, length.
A, IN, AFTER_NAME = 1, 1, 10

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
"""
DAEMON = """[server]
host-name={name}
use-ipv6=no
allow-interfaces=eth0
"""


def problem():
    """Why Avahi can't run here; None if it can."""
    programs = {"avahi-daemon": "avahi-daemon", "avahi-publish": "avahi-utils", "dbus-daemon": "dbus"}
    missing = next((program for program in programs if _path(program) is None), None)
    return f"{missing} is missing (Debian: {programs[missing]})" if missing else None


def _path(program):
    # Debian keeps daemons where only root looks.
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")


class Avahi:
    """Avahi's daemon and a message bus for it, on a host, as a context manager.

    They have a /run of their own, where the daemon has its socket.
    """

    def __init__(self, host, name, folder):
        self.host, self.name, self.folder = host, name, folder
        self.bus = folder / "bus"

    def __enter__(self):
        self.folder.mkdir()
        (self.folder / "bus.conf").write_text(BUS.format(socket=self.bus), encoding="utf-8")
        (self.folder / "avahi.conf").write_text(DAEMON.format(name=self.name), encoding="utf-8")
        self._processes = []
        try:
            self._start(["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={self.folder / 'bus.conf'}"])
            self._wait("the message bus", self.bus.exists)
            isolate = f"mount -t tmpfs tmpfs /run && touch '{self.folder}/isolated' && exec sleep infinity"
            self._keeper = self._start(self.host.command("unshare", "--mount", "sh", "-c", isolate))
            self._wait("its own /run", (self.folder / "isolated").exists)
            self._start_daemon()
        except BaseException:
            self.__exit__()
            raise
        return self

    def restart(self):
        """Restarts the daemon, as an update does."""
        self._stop(self._processes.pop())
        # A daemon that had to be killed leaves it, and it would look ready before it is.
        subprocess.run(self.command("rm", "-f", SOCKET), check=True)
        self._start_daemon()

    def __exit__(self, *_):
        for process in reversed(self._processes):
            self._stop(process)

    def command(self, *words):
        """A command that runs on the host, beside the daemon."""
        return ["nsenter", "--target", str(self._keeper.pid), "--mount", "--net", *map(str, words)]

    @property
    def settings(self):
        """The environment of what talks to the daemon."""
        return {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.bus}"}

    def _start(self, command):
        with (self.folder / "log").open("a") as log:
            environment = os.environ | self.settings
            process = subprocess.Popen(list(map(str, command)), env=environment, stdout=log, stderr=log)
        self._processes.append(process)
        return process

    def _stop(self, process):
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start_daemon(self):
        options = ["--no-drop-root", "--no-chroot", "--no-rlimits", "-f", self.folder / "avahi.conf"]
        self._start(self.command(_path("avahi-daemon"), *options))
        self._wait("Avahi", self._is_ready)

    def _is_ready(self):
        return subprocess.run(self.command("test", "-S", SOCKET), check=False).returncode == 0

    def _wait(self, what, condition):
        def is_decided():
            return condition() or any(process.poll() is not None for process in self._processes)

        until(is_decided, f"{what} is there")
        assert condition(), f"{what} has ended.\n{(self.folder / 'log').read_text()}"


def addresses(name, host):
    """The addresses of a name that the network tells a host within a second (RFC 6762, section 5.1)."""
    question = b"".join(struct.pack("B", len(label)) + label.encode() for label in name.split(".")) + b"\0"
    with host.inside():
        client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with client:
        client.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host.address))
        client.bind((host.address, 0))
        client.settimeout(1)
        client.sendto(struct.pack("!6H", 7, 0, 1, 0, 0, 0) + question + struct.pack("!2H", A, IN), GROUP)
        try:
            return _answers(client.recv(9000))
        except TimeoutError:
            return []


def _answers(reply):
    questions, answers = struct.unpack("!2H", reply[4:8])
    at, found = 12, []
    for _ in range(questions):
        at = _after_name(reply, at) + 4
    for _ in range(answers):
        at = _after_name(reply, at)
        kind, _, _, length = struct.unpack("!2HIH", reply[at : at + AFTER_NAME])
        at += AFTER_NAME
        if kind == A:
            found.append(socket.inet_ntoa(reply[at : at + length]))
        at += length
    return found


def _after_name(reply, at):
    while reply[at]:
        # A pointer to an earlier name ends this one (RFC 1035, section 4.1.4).
        if reply[at] >= 0xC0:
            return at + 2
        at += 1 + reply[at]
    return at + 1
