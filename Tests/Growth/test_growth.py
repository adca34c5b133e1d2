# Longbox
# SPDX-License-Identifier: MIT
"""Work on untrusted input grows in proportion to its size: Callgrind counts the instructions, so no clock is needed."""

import re
import subprocess

import pytest

import programs

SIZES = (1, 2, 4)
# From size 2 to 4 the work grows by twice as much as from 1 to 2 if it is linear, and by four times if it is quadratic. Sorting,
# and arrays that grow, come to 2.3.
MOST = 2.7
# Growth by less than this share of the whole comes from tables that happen to be full and are enlarged.
LEAST = 0.05


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    """The instructions of each case by size."""
    folder = tmp_path_factory.mktemp("callgrind")
    command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--callgrind-out-file={folder}/counts"]
    done = subprocess.run(
        [*command, programs.binaries() / "count-work"], env=programs.environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    names = done.stdout.splitlines()
    found = {name: {} for name in names}
    for file in folder.glob("counts.*"):
        text = file.read_text()
        request = re.search(r"^desc: Trigger: Client Request: (\d+) (\d+)$", text, re.MULTILINE)
        if request:
            found[names[int(request[1])]][int(request[2])] = int(re.search(r"^totals: (\d+)$", text, re.MULTILINE)[1])
    return found


def excess(count):
    """By how much more the work grows from size 2 to 4 than from 1 to 2; 0 if it hardly grows."""
    first, second = count[2] - count[1], count[4] - count[2]
    return 0 if second < LEAST * count[4] else second / max(first, 1)


def test_work_grows_in_proportion_to_the_input(counts):
    assert len(counts) > 80
    assert all(set(count) == set(SIZES) for count in counts.values())
    too_much = {name: count for name, count in counts.items() if excess(count) > MOST}
    assert not too_much


def test_work_that_grows_faster_is_detected():
    assert excess({1: 1_000, 2: 2_000, 4: 4_000}) == 2
    assert excess({1: 1_000, 2: 4_000, 4: 16_000}) > MOST
    assert excess({1: 50_000, 2: 50_100, 4: 51_000}) == 0
