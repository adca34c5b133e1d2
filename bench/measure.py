# Longbox
# SPDX-License-Identifier: MIT
"""Shared by all groups: the served archive, the peer, and the load on both."""

import os
import re
import shutil
import ssl
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import programs
import synthetic
from waiting import until_answered

ROOT = programs.ROOT


@dataclass
class Figure:
    """A figure of Longbox and its peer's from the same run."""

    name: str
    ours: float
    peer: float | None
    peer_name: str
    unit: str
    goal: str = ""
    met: bool | None = None

    @property
    def ratio(self):
        return self.ours / self.peer if self.peer else None


@dataclass
class Setting:
    """The environment of a group."""

    recording: Path
    scratch: Path
    quick: bool
    growth: bool = False

    @property
    def rounds(self):
        return 1 if self.quick else 5

    @property
    def seconds(self):
        return 1 if self.quick else 4

    def library(self):
        """A data folder with the whole recording; created once."""
        folder = self.scratch / "library"
        if not folder.exists():
            imported = programs.longbox("import", self.recording / "xkcd", data=folder)
            if imported.returncode != 0:
                sys.exit(f"longbox import failed: {imported.stderr}")
        return folder

    def server(self, **settings):
        """A server on that library that fetches nothing, which would disturb the measurement."""
        return programs.server(self.library(), programs.closed_address(), LONGBOX_FILL="false", **settings)

    def certificate(self):
        """The files of a certificate for this machine and of its key; made once."""
        certificate, key = self.scratch / "own.crt", self.scratch / "own.key"
        if not certificate.exists():
            kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
            command = ["openssl", "req", "-x509", *kind, "-keyout", key, "-out", certificate]
            subprocess.run(command, check=True, capture_output=True)
        return certificate, key


def recording(scratch):
    """The recorded data if available, otherwise a synthetic archive of the same size and shape."""
    found = programs.recorded_data()
    return (found, True) if found else (synthetic.make(scratch / "synthetic"), False)


class Nginx:
    """A context manager for this machine's nginx with its own configuration, serving files below `root`."""

    CONFIGURATION = """
        daemon off;
        worker_processes auto;
        pid {folder}/nginx.pid;
        error_log stderr error;
        events {{ worker_connections 1024; }}
        http {{
          include /etc/nginx/mime.types;
          default_type text/html;
          access_log off;
          sendfile on;
          tcp_nopush on;
          gzip off;
          keepalive_requests 100000000;
          client_body_temp_path {folder}/body;
          proxy_temp_path {folder}/proxy;
          fastcgi_temp_path {folder}/fastcgi;
          uwsgi_temp_path {folder}/uwsgi;
          scgi_temp_path {folder}/scgi;
          open_file_cache max=10000;
          server {{
            listen 127.0.0.1:{port}{secure};
            root {root};
            location / {{ index index.html; }}
          }}
        }}
    """

    def __init__(self, root, folder, port=18353, certificate=None):
        self.folder = Path(folder)
        self.address = f"{'https' if certificate else 'http'}://127.0.0.1:{port}"
        secure = " ssl; ssl_certificate {}; ssl_certificate_key {}".format(*certificate) if certificate else ""
        self.configuration = self.CONFIGURATION.format(folder=folder, root=root, port=port, secure=secure)
        self.process = None

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        # Its workers run as user nobody if this runs as root, and must reach the files.
        file = self.folder / "nginx.conf"
        user = "user root;\n" if os.geteuid() == 0 else ""
        file.write_text(user + self.configuration, encoding="utf-8")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([program, "-c", file, "-p", self.folder], stdin=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=10)

    def wait(self, path):
        """Returns once `path` is served."""

        def is_served():
            assert self.process.poll() is None, "nginx has ended"
            return programs.get(self.address + path, context=ssl._create_unverified_context())[0] == 200

        until_answered(is_served, f"nginx serves {path}", timeout=10, pause=0.002)


@dataclass
class Load:
    """The results of wrk."""

    per_second: float
    p99_ms: float
    requests: int


def wrk(address, paths_file, seconds):
    """Runs wrk with 64 keep-alive connections and one thread on the requests of a file in turn (see spread.lua)."""
    command = ["wrk", "--threads", "1", "--connections", "64", "--duration", f"{seconds}s", "--latency"]
    # Its own limit, two seconds, is short for a busy machine.
    command += ["--timeout", "20s"]
    command += ["--script", str(ROOT / "bench" / "spread.lua"), address, "--", str(paths_file)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if wrong := re.search(r"Non-2xx.*|Socket errors.*", said):
        sys.exit(f"{address}: {wrong.group()}")
    per_second = float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1))
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", said).groups()
    requests = int(re.search(r"(\d+) requests in", said).group(1))
    return Load(per_second, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit], requests)


def side_by_side(ours, peer, paths_file, setting):
    """Loads both in turn, several times; returns the medians of each."""
    loads = {ours: [], peer: []}
    for address in (ours, peer):
        wrk(address, paths_file, 1)  # warm
    for _ in range(setting.rounds):
        for address in (ours, peer):
            loads[address].append(wrk(address, paths_file, setting.seconds))
    return [
        Load(
            statistics.median(load.per_second for load in loads[address]),
            statistics.median(load.p99_ms for load in loads[address]),
            sum(load.requests for load in loads[address]),
        )
        for address in (ours, peer)
    ]


def p99(times):
    """The time that one of a hundred exceeds."""
    return statistics.quantiles(times, n=100, method="inclusive")[98]


def resident_megabytes(process_ids):
    """The resident memory of processes in MB (10^6 bytes; VmRSS)."""
    total = 0
    for process_id in process_ids:
        for line in Path(f"/proc/{process_id}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1]) * 1024
    return total / 1e6
