# Longbox
# SPDX-License-Identifier: MIT
"""Three nodes with readers; how long to try; and the figures, which are printed in the end."""

import functools
import os
import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

import postgres
import recording
from lab import Lab
from load import Load
from push import Push


@dataclass(frozen=True)
class Length:
    """How often each thing happens."""

    kills: int
    crashes: int
    cuts: int
    pauses: int
    upgrades: int
    # The acknowledged changes that there must be in the end.
    changes: int
    subscribers: int
    announcer_kills: int
    workers: int


SHORT = Length(4, 1, 1, 1, 1, 1_000, 1_000, 3, 6)
LONG = Length(30, 6, 4, 6, 2, 50_000, 20_000, 30, 8)


@dataclass
class Figures:
    """What was counted and measured in all tests."""

    counts: Counter = field(default_factory=Counter)
    seconds: dict = field(default_factory=dict)

    def measure(self, what, seconds):
        self.seconds.setdefault(what, []).append(seconds)

    def lines(self):
        for what, count in self.counts.items():
            yield f"{what}: {count}"
        for what, seconds in self.seconds.items():
            yield f"{what}: {', '.join(f'{value:.1f}' for value in sorted(seconds))} s"


FIGURES = Figures()


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="50,000 changes and 30 kills, instead of 1,000 and 4")


def pytest_terminal_summary(terminalreporter):
    for line in FIGURES.lines():
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def length(request):
    return LONG if request.config.getoption("--long") else SHORT


@pytest.fixture(scope="session")
def figures():
    return FIGURES


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    if postgres.PROGRAMS is None:
        pytest.skip("PostgreSQL is not installed (postgresql-15)")
    recorded = recording.make(tmp_path_factory.mktemp("recording"))
    before = os.environ.get("LONGBOX_BINARIES_BEFORE")
    with Lab(tmp_path_factory.mktemp("nodes"), recorded, Push, before) as lab:
        yield lab


@pytest.fixture
def seed():
    """The seed of random choices, printed."""
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    return seed


@pytest.fixture
def dice(seed):
    return random.Random(seed)


@pytest.fixture
def busy(lab, figures, length, seed):
    """Makes readers."""
    return functools.partial(Load, lab, figures.counts, length.workers, seed)
