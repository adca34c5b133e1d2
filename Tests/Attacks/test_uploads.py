# Longbox
# SPDX-License-Identifier: MIT
"""Uploads that are slow, or slow to parse, don't delay others."""

import pytest

import attacks
import clients
from readers import Reader
from waiting import until

BOUNDARY = "longbox"
# With the rest of the form, just under the limit of an import, which is 8 MiB.
LENGTH = (8 << 20) - 1024


def test_readers_can_sync_and_import_during_slow_uploads(start):
    server = start(HEAD_TIME=60)
    uploads = [clients.connect(server.address) for _ in range(8)]
    for upload in uploads:
        upload.sendall(clients.begin_sync(1 << 20) + b"x" * 1000)

    def rejected():
        return sum(map(clients.has_answer, uploads))

    # The server reads four uploads of an address at a time, and rejects the others at once.
    until(lambda: rejected() == 4, "the server has begun all uploads")
    sync = Reader(server.address).send("POST", "/sync", attacks.library(1_000_000), clients.OCTETS)
    assert sync.status == 200, sync.text
    reader = Reader(server.address)
    favorites = [{"num": number, "note": "x" * 480} for number in range(1000, 3000)]
    imported = reader.upload({"format": "longbox-library", "version": 1, "favorites": favorites})
    assert imported.status == 200, imported.text
    reader.assert_nothing_is_lost()
    assert rejected() == 4, "the slow uploads have ended too early"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"1" * LENGTH, b"a list of numbers may have at most 1 MB"),
        (b"[" + b"1," * (LENGTH // 2 - 1) + b"1]", b"It has too many values"),
    ],
    ids=["one long number", "many numbers"],
)
def test_pages_load_during_uploads_that_are_slow_to_parse(start, content, reason):
    server = start()
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="text"\r\n\r\n'.encode()
    body = head + content + f"\r\n--{BOUNDARY}--\r\n".encode()
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    uploads = [lambda: clients.post(server.address, "/settings/import", kind, body)] * 4
    times, replies = clients.load_pages_during(server.address, uploads)
    print(f"{len(times)} pages, at most {max(times) * 1000:.0f} ms")
    for status, reply in replies:
        assert status == 400 and reason in reply, reply[-2000:]
