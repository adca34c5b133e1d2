# Longbox
# SPDX-License-Identifier: MIT
"""Waits for conditions. These are the only pauses of the browser tests; where time itself is the subject, a test says so."""

import time

PAUSE = 0.05


def until(condition, what, page=None, timeout=60):
    """Waits until `condition()` is true, and returns its value; `what` names it if it never is.

    With `page`, the page's events and routes are handled in the meantime.
    """
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        assert time.monotonic() < deadline, f"In {timeout} seconds it never came true that {what}."
        if page:
            page.wait_for_timeout(PAUSE * 1_000)
        else:
            time.sleep(PAUSE)
    return value
