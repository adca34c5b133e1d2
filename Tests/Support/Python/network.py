# Longbox
# SPDX-License-Identifier: MIT
"""A home network on one machine: hosts in network namespaces, joined by a bridge."""

import ctypes
import os
import re
import socket
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

PREFIX = "192.168.77"
# How Linux calls them.
CLONE_NEWNET, ETH_P_ALL = 0x40000000, 0x0003


def ip(*words, check=True):
    return subprocess.run(["ip", *map(str, words)], check=check, capture_output=True, text=True)


def problem():
    """Why this machine can't have such a network; None if it can."""
    if os.geteuid() != 0:
        return "making network namespaces takes root"
    name = f"longbox-probe-{os.getpid()}"
    try:
        ip("netns", "add", name)
        try:
            ip("-n", name, "link", "add", "probe", "type", "bridge")
            ip("-n", name, "link", "add", "one", "type", "veth", "peer", "name", "two")
        finally:
            ip("netns", "del", name)
    except FileNotFoundError:
        return "the program ip is missing (Debian: iproute2)"
    except subprocess.CalledProcessError as error:
        return f"network namespaces aren't allowed here: {error.stderr.strip()}"
    return None


class Host:
    """A host of the network, with one address."""

    def __init__(self, name, number, bridge):
        self.name, self.number, self.bridge, self.plug = name, number, bridge, name[-10:]
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")
        ip("-n", bridge, "link", "add", self.plug, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("-n", bridge, "link", "set", self.plug, "master", "wifi", "up")
        # No IPv6 address of its own: it would come a second or two later, and Chromium ends what it loads at such a change.
        ip("-n", name, "link", "set", "eth0", "addrgenmode", "none", check=False)
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "address", "add", f"{self.address}/24", "dev", "eth0")

    @property
    def address(self):
        return f"{PREFIX}.{self.number}"

    def command(self, *words):
        """A command that runs on this host."""
        return ["ip", "netns", "exec", self.name, *map(str, words)]

    def move(self, number):
        """Gives it another address, as a router may."""
        old, self.number = self.address, number
        ip("-n", self.name, "address", "del", f"{old}/24", "dev", "eth0")
        ip("-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")

    @contextmanager
    def unplugged(self):
        """Cuts it off."""
        ip("-n", self.bridge, "link", "set", self.plug, "down")
        try:
            yield
        finally:
            ip("-n", self.bridge, "link", "set", self.plug, "up")

    @contextmanager
    def apart(self):
        """Cuts it off from the other hosts that are apart, and from no others."""
        self.part()
        try:
            yield
        finally:
            self.part("off")

    def part(self, setting="on"):
        ip("-n", self.bridge, "link", "set", "dev", self.plug, "type", "bridge_slave", "isolated", setting)

    @contextmanager
    def inside(self):
        """Makes the sockets that this thread creates belong to this host."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as own, open(f"/run/netns/{self.name}") as other:
            if libc.setns(other.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            try:
                yield
            finally:
                libc.setns(own.fileno(), CLONE_NEWNET)


class Network:
    """Hosts with some names, as a context manager; `name` tells it from others."""

    def __init__(self, name="lb", names=("server", "phone", "stranger")):
        self.name, self.names = f"{name}{os.getpid()}", names

    def __enter__(self):
        self.hosts = []
        self.bridge = f"{self.name}-wifi"
        ip("netns", "add", self.bridge)
        try:
            ip("-n", self.bridge, "link", "add", "wifi", "type", "bridge")
            ip("-n", self.bridge, "link", "set", "wifi", "up")
            for number, name in enumerate(self.names, start=2):
                host = Host(f"{self.name}-{name}", number, self.bridge)
                self.hosts.append(host)
                setattr(self, name, host)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in [*(host.name for host in self.hosts), self.bridge]:
            ip("netns", "del", name, check=False)


class Capture:
    """Everything that passes a host's network device, as a context manager."""

    def __init__(self, host):
        self.host = host
        self.bytes = bytearray()

    def __enter__(self):
        with self.host.inside():
            self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            self._socket.bind(("eth0", 0))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
        self._socket.settimeout(0.1)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        return self

    def _read(self):
        while True:
            try:
                self.bytes += self._socket.recv(1 << 17)
            except TimeoutError:
                if self._is_over.is_set():
                    return

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()
        self._socket.close()


def addresses_of_controllers():
    """The method and the path of every endpoint in the server's sources."""
    found = []
    for file in sorted((Path(__file__).resolve().parents[3] / "Sources" / "LongboxServer").rglob("*.swift")):
        text = file.read_text(encoding="utf-8")
        found += [(method.upper(), "/" + path) for method, path in re.findall(r'\.(get|post|delete)\(\s*"([^"]*)"', text)]
    return found
