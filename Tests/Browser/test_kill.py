# Longbox
# SPDX-License-Identifier: MIT
"""A server that is killed during its first fill loses nothing."""

import subprocess
import sys

import pytest

import programs


@pytest.mark.slow
def test_twenty_kills_during_a_fill_lose_nothing(recorded):
    result = subprocess.run(
        [sys.executable, programs.ROOT / "scripts" / "kill-test.py", recorded],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    print(result.stdout)
    assert result.returncode == 0, result.stderr
