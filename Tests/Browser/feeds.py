# Longbox
# SPDX-License-Identifier: MIT
"""Atom feeds, checked by their schema."""

from pathlib import Path

from lxml import etree

SCHEMAS = Path(__file__).with_name("schemas")
ATOM = etree.RelaxNG(etree.parse(SCHEMAS / "atom.rng"))


def valid_atom(address, body):
    """The feed that an address answered with; fails if it is invalid."""
    # A catalogue's search link has a placeholder (OPDS 1.2, section 3), which no address may have as it stands.
    filled = etree.fromstring(body.replace(b"{searchTerms}", b"words"))
    assert ATOM.validate(filled), f"{address}\n{ATOM.error_log}"
    return etree.fromstring(body)
