# Longbox
# SPDX-License-Identifier: MIT
"""The stand-in for the sources: how it answers, and comics that it publishes while a server runs."""

import json
import urllib.request

import programs
from waiting import until

# The latest comic at the start of a `publisher`.
FIRST = 370


def control(source, path, content=None, method="POST"):
    """Asks the stand-in to change how it answers, or to publish a comic."""
    body = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(f"{source.address}/_replay/{path}", body, method=method)
    with urllib.request.urlopen(request, timeout=60) as reply:
        return reply.read()


def publisher(recorded):
    """A stand-in that has the comics up to `FIRST`, and publishes more when it is asked to."""
    return programs.Program("longbox-replay", "--data", recorded, "--port", 0, "--latest", FIRST)


def publish(source, count=1):
    for _ in range(count):
        control(source, "publish", {})


def notifying_server(data, upstream, service):
    """A server that checks for new comics several times a second, and notifies through a push service."""
    return programs.server(
        data, upstream, LONGBOX_POLL=0.2, LONGBOX_XKCD_RATE=200, LONGBOX_FILL="false", LONGBOX_PUSH_SERVICES=service.address
    )


def when_known(site, latest):
    until(lambda: json.loads(programs.get(f"{site}/healthz")[2])["latest"] == latest, f"comic {latest} is known", timeout=120)
