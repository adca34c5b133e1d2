# Longbox
# SPDX-License-Identifier: MIT
"""Atom feeds, checked by their schema."""

from pathlib import Path

from lxml import etree

SCHEMAS = Path(__file__).with_name("schemas")
ATOM = etree.RelaxNG(etree.parse(SCHEMAS / "atom.rng"))


def valid_atom(address, body):
    """The feed that an address answered with; fails if it is invalid."""
    feed = etree.fromstring(body)
    assert ATOM.validate(feed), f"{address}\n{ATOM.error_log}"
    return feed
