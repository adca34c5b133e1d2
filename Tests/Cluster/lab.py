# Longbox
# SPDX-License-Identifier: MIT
"""Three nodes behind nginx on one PostgreSQL database, each on a host of its own; and what can happen to them."""

import contextlib
import json
import os
import re
import shutil
import signal
from pathlib import Path
from types import SimpleNamespace

import network
import postgres
import programs
import proxies
import recording
import sources
from readers import comic_numbers
from visits import Visits
from waiting import until

NAMES = ("one", "two", "three")
# Requests a second to xkcd: slow enough that two visitors would be noticed.
RATE = 4
# How many comics there are at first, and how many of them are stored.
LATEST, STORED = 120, 100


class Here:
    """Stands for a host where this machine can't have network namespaces."""

    address = "127.0.0.1"
    port = None

    def inside(self):
        return contextlib.nullcontext()


class Network(network.Network):
    """A network in which the database and a node can be parted while both reach everybody else."""

    def __init__(self):
        super().__init__("lc", ("front", "database", *NAMES))

    def __enter__(self):
        super().__enter__()
        for host in self.hosts:
            host.port = 8353
        self.database.part()
        return self


@contextlib.contextmanager
def hosts():
    """The hosts; `problem` says why they are one and the same, if they are."""
    if problem := network.problem():
        yield SimpleNamespace(problem=problem, **{name: Here() for name in ("front", "database", *NAMES)})
        return
    with Network() as net:
        net.problem = None
        yield net


class Balancer(proxies.Proxy):
    """nginx with deploy/nginx.conf; only ports, names and files are replaced."""

    def __init__(self, host, nodes):
        super().__init__("nginx", "", port=host.port)
        self.host, self.nodes = host, nodes
        self.address = f"http://{host.address}:{self.port}"

    def _configuration(self, folder):
        text = (programs.ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
        for number, node in enumerate(self.nodes, start=11):
            assert text.count(f"10.0.0.{number}:8353 ") == 2
            text = text.replace(f"10.0.0.{number}:8353 ", f"{node.host.address}:{node.port} ")
        text, count = proxies.NGINX_PLACE.subn(rf"listen {self.host.address}:{self.port};\1", text)
        assert count == 1
        user = "user root;" if os.geteuid() == 0 else ""
        return proxies.NGINX.format(folder=folder, user=user, documented=text)

    def _listens(self):
        assert self._process.poll() is None, "nginx has ended"
        with contextlib.suppress(OSError), self.host.inside():
            return bool(programs.get(f"{self.address}/healthz")[0])


class Node:
    """A node. Its name is its contact, too, so that sources see which one asks."""

    def __init__(self, lab, name, host):
        self.lab, self.name, self.host = lab, name, host
        self.port = host.port or proxies.free_port()
        self.address = f"http://{host.address}:{self.port}"
        self.data = lab.folder / name
        self.program = None
        self.logs = ""

    def start(self, binaries=None):
        settings = {
            "LONGBOX_DATABASE": self.lab.database,
            "LONGBOX_HOST": self.host.address,
            "LONGBOX_PORT": self.port,
            "LONGBOX_TLS": "off",
            "LONGBOX_OPEN": "true",
            "LONGBOX_TRUSTED_PROXIES": self.lab.hosts.front.address,
            "LONGBOX_CONTACT": f"node-{self.name}@example.org",
            "LONGBOX_XKCD_RATE": RATE,
            "LONGBOX_POLL": 2,
            "LONGBOX_LOG_FORMAT": "json",
            "LONGBOX_PUSH_SERVICES": self.lab.push.address,
        }
        program = programs.server(self.data, self.lab.source.address, **settings)
        program.command[0] = str(Path(binaries or programs.binaries()) / "longbox")
        with self.host.inside():
            self.program = program.__enter__()

    def kill(self):
        """Kills it without a chance to clean up."""
        self.program.kill()
        self._close()

    def stop(self):
        """Ends it by SIGTERM, as an upgrade does."""
        programs.end(self.program.process)
        self._close()

    def pause(self):
        self.program.process.send_signal(signal.SIGSTOP)

    def wake(self):
        self.program.process.send_signal(signal.SIGCONT)

    @property
    def runs(self):
        return self.program is not None and self.program.process.poll() is None

    def _close(self):
        self.logs = self.logged()
        program, self.program = self.program, None
        program.__exit__()

    def logged(self):
        """Everything that it has logged since its first start."""
        return self.logs + (self.program.logged() if self.program else "")

    def get(self, path):
        with self.lab.hosts.front.inside():
            return programs.get(self.address + path)

    def is_ready(self):
        with contextlib.suppress(OSError):
            return self.get("/ready")[0] == 200

    def terms(self):
        """The terms in which it has led, and the last of them whose end it has noted."""
        begun, ended = [], []
        for line in self.logged().splitlines():
            if "lead" not in line:
                continue
            with contextlib.suppress(json.JSONDecodeError):
                entry = json.loads(line)
                term = re.search(r'"term": ?"?(\d+)', line)
                if term and entry["message"].startswith("This node leads"):
                    begun.append(int(term.group(1)))
                elif term and entry["message"].startswith("This node doesn't lead"):
                    ended.append(int(term.group(1)))
        return begun, ended


class Lab:
    """Everything together, as a context manager."""

    def __init__(self, folder, recorded, push, before=None):
        self.folder, self.recorded, self.make_push, self.before = folder, recorded, push, before

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.hosts = stack.enter_context(hosts())
            front = self.hosts.front
            address = self.hosts.database.address
            with self.hosts.database.inside():
                port = proxies.free_port() if self.hosts.problem else 5432
                self.postgres = stack.enter_context(postgres.Cluster(address, port))
            self.local_database = self.postgres.make_database("longbox")
            self.database = f"postgresql:///longbox?host={address}&port={self.postgres.port}&user=longbox"
            with front.inside():
                words = ("--data", self.recorded, "--host", front.address, "--port", 0, "--latest", LATEST)
                self.source = stack.enter_context(programs.Program("longbox-replay", *words))
                self.push = stack.enter_context(self.make_push(front))
            self.latest = LATEST
            self._import()
            self.nodes = [Node(self, name, getattr(self.hosts, name)) for name in NAMES]
            stack.callback(self._end)
            # The first one leads, and makes the tables.
            for node in self.nodes:
                node.start(self.before)
                until(node.is_ready, f"node {node.name} is ready")
            with front.inside():
                self.balancer = stack.enter_context(Balancer(front, self.nodes))
            self.address = self.balancer.address
            for node in self.nodes:
                until(lambda node=node: self._newest(node) == LATEST, f"node {node.name} knows the latest comic", timeout=60)
            self.visits = stack.enter_context(Visits(self.source.address, front, RATE))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _end(self):
        for node in self.nodes:
            if node.program:
                with contextlib.suppress(ProcessLookupError):
                    node.wake()
                node.stop()

    def _import(self):
        """Stores the first comics, so that readers have something to read from the beginning."""
        part = shutil.copytree(self.recorded / "xkcd", self.folder / "part" / "xkcd")
        lines = (part / "comics.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (part / "comics.jsonl").write_text("".join(lines[:STORED]), encoding="utf-8")
        done = programs.longbox("import", part, data=self.folder / "import", LONGBOX_DATABASE=self.local_database)
        assert done.returncode == 0, done.stderr

    def _newest(self, node):
        """The newest comic that a node knows."""
        with self.hosts.front.inside():
            status, _, body = programs.get(node.address + "/info.0.json")
        return json.loads(body)["num"] if status == 200 else None

    def publish(self):
        """Publishes the next comic, as long as there is one."""
        if self.latest < recording.LATEST:
            with self.hosts.front.inside():
                sources.publish(self.source)
            self.latest = next(comic_numbers(self.latest + 1))

    def query(self, sql):
        """Runs SQL, and returns the first value."""
        return self.postgres.query(self.local_database, sql)

    # The leader.

    def newest_term(self):
        """The newest term that a node has begun, and that node."""
        return max(((max(node.terms()[0], default=0), node) for node in self.nodes), key=lambda found: found[0])

    @property
    def leader(self):
        return until(self._leader, "a node leads")

    def _leader(self):
        term, node = self.newest_term()
        return node if node.runs and term not in node.terms()[1] else None

    def followers(self):
        leader = self.leader
        return [node for node in self.nodes if node is not leader]

    def leaders_by_term(self):
        """The nodes that have led in each term."""
        found = {}
        for node in self.nodes:
            for term in node.terms()[0]:
                found.setdefault(term, []).append(node.name)
        return found
