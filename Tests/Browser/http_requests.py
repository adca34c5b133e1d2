# Longbox
# SPDX-License-Identifier: MIT
"""Requests without a browser, where redirects and header fields matter; for others there is `programs.get`."""

import http.client
from contextlib import closing
from urllib.parse import urlsplit


def ask(address, method="GET", body=None, headers=None, source=None, context=None):
    """Status, header fields and text of one request, without following redirects.

    `source` is the local address that it comes from; `context` is for HTTPS.
    """
    parts = urlsplit(address)
    options = {"timeout": 120, "source_address": (source, 0) if source else None}
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, context=context, **options)
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, **options)
    with closing(connection):
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, path, body, headers or {})
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read().decode(errors="replace")
