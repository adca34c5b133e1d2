# Longbox
# SPDX-License-Identifier: MIT
"""Messages about a new comic to 10,000 subscriptions, compared with pywebpush; nginx acts as the push service.

nginx answers each message with an empty 201 and logs its time, from which the figures come. pywebpush sends messages one
after another over one keep-alive connection, as its users do.
"""

import base64
import json
import os
import shutil
import socket
import sqlite3
import statistics
import subprocess
import time
import urllib.request
from pathlib import Path

import measure
import programs
from waiting import until_answered


class PushService:
    """nginx as a push service, and a port that accepts connections and never answers."""

    CONFIGURATION = """
        daemon off;
        pid {folder}/nginx.pid;
        error_log stderr crit;
        events {{ worker_connections 2048; }}
        http {{
          log_format times '$msec $status';
          access_log {folder}/access.log times buffer=64k flush=100ms;
          keepalive_requests 100000000;
          client_body_temp_path {folder}/body;
          proxy_temp_path {folder}/proxy;
          fastcgi_temp_path {folder}/fastcgi;
          uwsgi_temp_path {folder}/uwsgi;
          scgi_temp_path {folder}/scgi;
          server {{
            listen 127.0.0.1:{port};
            location /gone {{ return 410; }}
            location /busy {{ add_header Retry-After 3600 always; return 429; }}
            location /broken {{ return 500; }}
            location / {{ return 201; }}
          }}
        }}
    """

    def __init__(self, folder, port=18354):
        self.folder = Path(folder)
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    def __enter__(self):
        self.folder.mkdir(parents=True)
        user = "user root;\n" if os.geteuid() == 0 else ""
        configuration = self.CONFIGURATION.format(folder=self.folder, port=self.port)
        (self.folder / "nginx.conf").write_text(user + configuration, encoding="utf-8")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        command = [program, "-c", self.folder / "nginx.conf", "-p", self.folder]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.silent = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.silent_address = f"http://127.0.0.1:{self.silent.getsockname()[1]}"
        until_answered(lambda: socket.create_connection(("127.0.0.1", self.port), 1).close() is None, "nginx listens")
        return self

    def __exit__(self, *_):
        self.silent.close()
        self.process.terminate()
        self.process.wait(timeout=10)

    def forget(self):
        (self.folder / "access.log").write_text("")

    def count(self):
        """The number of accepted messages; cheap, since it is called often during the measurement."""
        return (self.folder / "access.log").read_bytes().count(b" 201\n")

    def times(self, status=201):
        """The times of messages answered with `status`, in seconds."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return sorted(float(line.split()[0]) for line in lines if line.endswith(f" {status}"))


def known_latest(site):
    return json.loads(programs.get(f"{site}/healthz")[2])["latest"]


def subscribe(data, endpoints, announced):
    """Writes subscriptions to a stopped server's database; sending them one by one would be another measurement."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    point = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    rows = []
    for endpoint in endpoints:
        key = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(*point)
        service = "/".join(endpoint.split("/")[:3])
        rows.append((endpoint, service, key, os.urandom(16), announced))
    with sqlite3.connect(data / "longbox.sqlite") as database:
        database.execute("DELETE FROM subscription")
        database.executemany(
            "INSERT INTO subscription (endpoint, service, public_key, secret, hides_spoilers, time_zone, created_at, announced)"
            " VALUES (?, ?, ?, ?, 0, 'UTC', 0, ?)",
            rows,
        )
    database.close()


def server(data, replay, service):
    return programs.server(
        data,
        replay.address,
        LONGBOX_FILL="false",
        LONGBOX_POLL=0.2,
        LONGBOX_XKCD_RATE=100,
        LONGBOX_PUSH_SERVICES=f"{service.address},{service.silent_address}",
    )


def publish(replay):
    urllib.request.urlopen(f"{replay.address}/_replay/publish", b"{}", timeout=30).close()


def most_memory(process_id):
    for line in Path(f"/proc/{process_id}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0


def announce(data, replay, service, endpoints, announced, expected):
    """Publishes a comic, waits for `expected` messages, and returns their times and the server's peak memory."""
    subscribe(data, endpoints, announced)
    service.forget()
    with server(data, replay, service) as running:
        until_answered(lambda: known_latest(running.address) == announced, "the server knows the newest comic", timeout=600)
        publish(replay)
        until_answered(lambda: service.count() >= expected, "all are notified", timeout=600)
        return service.times(), most_memory(running.process.pid)


def peer_rate(service, count):
    """Messages per second by pywebpush."""
    import requests
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import Vapid02
    from pywebpush import webpush

    vapid = Vapid02()
    vapid.generate_keys()
    point = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    text = json.dumps({"comic": 3000, "title": "A title of usual length", "thumbnail": "/comics/3000/thumbnail?v=00000000"})
    base64url = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()  # noqa: E731
    subscriptions = [
        {
            "endpoint": f"{service.address}/peer/{number}",
            "keys": {
                "p256dh": base64url(ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(*point)),
                "auth": base64url(os.urandom(16)),
            },
        }
        for number in range(count)
    ]
    with requests.Session() as session:
        start = time.perf_counter()
        for subscription in subscriptions:
            claims = {"sub": "mailto:me@example.org"}
            webpush(
                subscription, text, vapid_private_key=vapid, vapid_claims=claims, ttl=60, requests_session=session, timeout=10
            )
        return count / (time.perf_counter() - start)


def measure_push(setting):
    count = 800 if setting.quick else 10_000
    data = setting.scratch / "push"
    latest = max(json.loads(line)["num"] for line in (setting.recording / "xkcd" / "comics.jsonl").open(encoding="utf-8"))
    announced = latest - setting.rounds - 1
    command = ["--data", setting.recording, "--port", 0, "--latest", announced]
    with PushService(setting.scratch / "push-service") as service, programs.Program("longbox-replay", *command) as replay:
        with server(data, replay, service) as running:
            until_answered(lambda: known_latest(running.address) == announced, "the server knows the newest comic", timeout=600)
        well = [f"{service.address}/send/{number}" for number in range(count)]
        rates, peers, memory = [], [], 0
        # Alternating, since a machine's speed changes over time.
        for _ in range(setting.rounds):
            peers.append(peer_rate(service, 100 if setting.quick else 500))
            times, most = announce(data, replay, service, well, announced, count)
            rates.append((count - 1) / (times[-1] - times[0]))
            memory = max(memory, most)
            announced += 1
        rate, peer = statistics.median(rates), statistics.median(peers)
        yield measure.Figure(
            f"push messages to {count:,} subscriptions", rate, peer, "pywebpush", "messages/s",
            "20 times as many", rate >= 20 * peer,
        )  # fmt: skip
        yield measure.Figure("  most memory of the server", memory, None, "", "MB")
        troubled = list(well)
        for place in range(0, count, 4):
            kind = ["gone", "busy", "broken", None][place // 4 % 4]
            name = f"{service.address}/{kind}" if kind else service.silent_address
            troubled[place] = f"{name}/{place}"
        healthy = count - len(range(0, count, 4))
        times, memory = announce(data, replay, service, troubled, announced, healthy)
        yield measure.Figure(
            "  a quarter answers 410, 429, 500 or never: the others",
            (healthy - 1) / (times[-1] - times[0]), None, "", "messages/s",
        )  # fmt: skip
        yield measure.Figure("  most memory of the server", memory, None, "", "MB")
