# Longbox
# SPDX-License-Identifier: MIT
"""nginx and Caddy in front of a server, with the configurations of docs/proxies.md."""

import contextlib
import copy
import itertools
import os
import random
import re
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import programs
from waiting import until

KINDS = ("nginx", "caddy")
BASE_PATH = "/longbox"

NGINX = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{documented}
}}
"""
CADDY = """
{{
  admin off
  storage file_system {folder}
}}
{documented}
"""
# What the configurations below a path have in places that differ from machine to machine.
UPSTREAM = "127.0.0.1:8353"
NGINX_PLACE = re.compile(r"listen 443 ssl;(?=\n)(.*?)ssl_certificate +\S+;\s+ssl_certificate_key +\S+;", re.DOTALL)
CADDY_PLACE = re.compile(r"^ *example\.org {", re.MULTILINE)


def documented(kind):
    """The configuration in docs/proxies.md for a Longbox below a path."""
    text = (programs.ROOT / "docs" / "proxies.md").read_text(encoding="utf-8")
    section = text.partition("\n## Below a path\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", section, re.MULTILINE)
    word = {"nginx": "proxy_pass", "caddy": "reverse_proxy"}[kind]
    (block,) = [block for block in blocks if word in block]
    return block


def replaced(text, pattern, new):
    """The text with its only match replaced."""
    text, count = re.subn(pattern, lambda _: new, text)
    assert count == 1, f"docs/proxies.md has {count} times {pattern}"
    return text


def own_ports():
    """The ports of this process in any order: other than those of parallel workers, and of the system's clients."""
    lowest_of_clients = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw-1").removeprefix("gw")) + 2
    first = max(lowest_of_clients, 20_000) - worker * 500
    return random.sample(range(first, first + 500), 500)


PORTS = itertools.cycle(own_ports())


def free_port():
    """A port at which nothing listens. It is not in use again soon, so a program may take it later."""
    for port in itertools.islice(PORTS, 500):
        with closing(socket.socket()) as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
    raise AssertionError("all ports are in use")


def listens(port):
    """Whether something listens at a port of this machine."""
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Proxy:
    """A proxy in front of the server at `upstream`, as a context manager; by HTTPS if it has a certificate.

    The configuration is the documented one. Only ports, names and files are replaced; `more` adds directives to the
    place of the upstream. It listens at `port`, or at a free one.
    """

    def __init__(self, kind, upstream, certificate=None, more="", port=None):
        self.kind, self.certificate = kind, certificate
        self.upstream = upstream.removeprefix("http://").partition("/")[0]
        self.more = more
        self.port = port or free_port()
        self.address = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        file = folder / "configuration"
        file.write_text(self._configuration(folder), encoding="utf-8")
        # Debian keeps nginx where only root looks.
        program = shutil.which(self.kind, path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, f"{self.kind} is not installed; scripts/install-prerequisites.sh test installs it."
        command = {
            "nginx": [program, "-e", f"{folder}/error.log", "-c", file],
            "caddy": [program, "run", "--config", file, "--adapter", "caddyfile"],
        }[self.kind]
        with (folder / "log").open("w") as log:
            self._process = subprocess.Popen(command, env=os.environ | {"HOME": str(folder)}, stdout=log, stderr=log)
        try:
            until(self._listens, f"{self.kind} listens")
        except AssertionError as error:
            logs = "\n".join(path.read_text() for path in (folder / "log", folder / "error.log") if path.exists())
            self.__exit__()
            raise RuntimeError(f"{self.kind} doesn't listen.\n{logs}") from error
        return self

    def __exit__(self, *_):
        programs.end(self._process)
        self._folder.cleanup()

    def _listens(self):
        assert self._process.poll() is None, f"{self.kind} has ended"
        return listens(self.port)

    def _configuration(self, folder):
        text = replaced(documented(self.kind), re.escape(UPSTREAM), self.upstream)
        cert, key = self.certificate or ("", "")
        if self.kind == "nginx":
            files = f"ssl_certificate {cert};\nssl_certificate_key {key};" if cert else ""
            text = replaced(text, NGINX_PLACE, f"listen 127.0.0.1:{self.port}{' ssl' if cert else ''};\n{files}")
            text = text.replace("proxy_pass", f"{self.more}\nproxy_pass")
            # The worker reads files of ours.
            user = "user root;" if os.geteuid() == 0 else ""
            return NGINX.format(folder=folder, user=user, documented=text)
        files = f"\ntls {cert} {key}" if cert else ""
        text = replaced(text, CADDY_PLACE, f"{self.address} {{{files}")
        text = text.replace("header_up -Forwarded", f"header_up -Forwarded\n{self.more}")
        return CADDY.format(folder=folder, documented=text)


class BareNginx(Proxy):
    """nginx as people begin: with nothing but `proxy_pass`."""

    def __init__(self, upstream):
        super().__init__("nginx", upstream)

    def _configuration(self, folder):
        user = "user root;" if os.geteuid() == 0 else ""
        place = f"location / {{ proxy_pass http://{self.upstream}; }}"
        return NGINX.format(folder=folder, user=user, documented=f"server {{ listen 127.0.0.1:{self.port}; {place} }}")


class StrippingNginx(Proxy):
    """nginx that removes a path from addresses, and names it in a header, or nowhere; if it is bare, it adds no field at all."""

    def __init__(self, upstream, header=None, path=BASE_PATH, is_bare=False):
        super().__init__("nginx", upstream)
        self.header, self.path, self.is_bare = header, path, is_bare

    def _configuration(self, folder):
        user = "user root;" if os.geteuid() == 0 else ""
        fields = "" if self.is_bare else "proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;"
        fields += f" proxy_set_header {self.header} {self.path};" if self.header else ""
        place = f"location {self.path}/ {{ proxy_pass http://{self.upstream}/; {fields} }}"
        return NGINX.format(folder=folder, user=user, documented=f"server {{ listen 127.0.0.1:{self.port}; {place} }}")


class ProxiedServer(programs.Program):
    """A server below a path, reached through a proxy; its address is the proxy's."""

    def __init__(self, program, kind, **options):
        super().__init__("longbox")
        self.command, self.settings, self.timeout = program.command, program.settings, program.timeout
        self.kind, self.options = kind, options
        self.proxy = self.own_address = None

    def __enter__(self):
        super().__enter__()
        try:
            self.own_address = self.address
            self.proxy = Proxy(self.kind, self.address, **self.options).__enter__()
        except BaseException:
            super().__exit__()
            raise
        self.address = self.proxy.address + BASE_PATH
        return self

    def __exit__(self, *_):
        if self.proxy:
            self.proxy.__exit__()
        super().__exit__()

    def again(self):
        again = copy.copy(self)
        again.options = self.options | {"port": self.proxy.port}
        return again


PROXIED = {"LONGBOX_BASE_PATH": BASE_PATH, "LONGBOX_TRUSTED_PROXIES": "127.0.0.1"}


def behind(kind, make, **options):
    """A function like `make`, which is `programs.server`, whose servers are behind a proxy and below a path."""

    def server(data, upstream, **settings):
        return ProxiedServer(make(data, upstream, **(PROXIED | settings)), kind, **options)

    return server
