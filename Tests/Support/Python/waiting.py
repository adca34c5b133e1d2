# Longbox
# SPDX-License-Identifier: MIT
"""Waits for conditions, and all pauses of the tests in Python.

Only a background thread that repeats something pauses by the event that ends it: `Event.wait(seconds)`.
"""

import contextlib
import http.client
import time

PAUSE = 0.05


def until(condition, what, page=None, timeout=60, pause=PAUSE):
    """Waits until `condition()` is true, and returns its value; `what` names it if it never is.

    With `page`, the page's events and routes are handled in the meantime. `pause` is the time between two looks.
    """
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        assert time.monotonic() < deadline, f"In {timeout} seconds it never came true that {what}."
        let_pass(pause, page)
    return value


def let_pass(seconds, page=None):
    """Lets time pass where time itself is the subject: a rate, a time limit, a pause between two measurements.

    With `page`, the page's events and routes are handled in the meantime.
    """
    if page:
        page.wait_for_timeout(seconds * 1_000)
    else:
        time.sleep(seconds)


def until_answered(condition, what, **options):
    """Like `until`; a connection that fails counts as not yet."""

    def look():
        with contextlib.suppress(OSError, http.client.HTTPException):
            return condition()

    return until(look, what, **options)
