"""Waiting for what happens, instead of for a time."""

import time

# The seconds after which what hangs fails. Nothing else depends on it: on a loaded machine, a debug server may start in half a minute.
PATIENCE = 120


class Failure(Exception):
    """The test could not be run; the message states the reason."""


def wait_for(what: str, condition, limit: float = PATIENCE):
    """Waits until a condition returns something true, and returns that. Throws a Failure if it does not."""
    deadline = time.monotonic() + limit
    while True:
        # The clock is read first, so that the condition gets another chance after the limit.
        is_late = time.monotonic() > deadline
        if found := condition():
            return found
        if is_late:
            raise Failure(f"waited {limit} s for: {what}")
        time.sleep(0.005)
