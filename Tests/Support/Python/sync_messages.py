# Longbox
# SPDX-License-Identifier: MIT
"""Writes the sync requests of a device; see docs/library.md."""

import os
import struct

MASK = (1 << 64) - 1
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotated(value, bits):
    return (value << bits | value >> (64 - bits)) & MASK


def mixed(accumulator, lane):
    return rotated((accumulator + lane * P2) & MASK, 31) * P1 & MASK


def xxh64(data):
    """XXH64 with seed 0, the checksum of library messages."""
    place, length = 0, len(data)
    if length >= 32:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        for stripe in struct.iter_unpack("<4Q", data[: length // 32 * 32]):
            lanes = [mixed(lane, word) for lane, word in zip(lanes, stripe, strict=True)]
        place = length // 32 * 32
        result = sum(rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True)) & MASK
        for lane in lanes:
            result = ((result ^ mixed(0, lane)) * P1 + P4) & MASK
    else:
        result = P5
    result = (result + length) & MASK
    while place + 8 <= length:
        word = struct.unpack_from("<Q", data, place)[0]
        result = (rotated(result ^ mixed(0, word), 27) * P1 + P4) & MASK
        place += 8
    if place + 4 <= length:
        word = struct.unpack_from("<I", data, place)[0]
        result = (rotated(result ^ word * P1 & MASK, 23) * P2 + P3) & MASK
        place += 4
    for byte in data[place:]:
        result = rotated(result ^ byte * P5 & MASK, 11) * P1 & MASK
    result = (result ^ result >> 33) * P2 & MASK
    result = (result ^ result >> 29) * P3 & MASK
    return result ^ result >> 32


assert xxh64(b"") == 0xEF46DB3751D8E999


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def request(entries, time, epoch=0, since=0, device=7):
    """A sync request.

    `entries` are values by key, all written at `time`, in milliseconds since 1970-01-01 UTC.
    """
    encoded, before = bytearray(), b""
    for key in sorted(entries):
        value = entries[key]
        shared = len(os.path.commonprefix([key, before]))
        encoded += varint(shared) + varint(len(key) - shared) + key[shared:] + varint(len(value) + 1) + value
        encoded += varint(time) + b"\x00\x00"
        before = key
    body = struct.pack("<QQ", 1, epoch) + varint(since) + b"\x01" + struct.pack("<Q", device)
    body += varint(len(entries)) + bytes(encoded)
    whole = b"\x89LBL\x01\x03\x00\x00" + struct.pack("<I", len(body) + 20) + body
    return whole + struct.pack("<Q", xxh64(whole))


def favorite(added):
    """The value of a favorite without a note; `added` is in milliseconds since 1970-01-01 UTC."""
    return b"\x01" + varint(added)
