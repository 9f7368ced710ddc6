#!/usr/bin/env python3
"""limit.py SECONDS COMMAND [ARGUMENT...]: runs a command, and ends it with everything that it has started after that time.

`timeout` ends the command, or its process group. `swift test` runs the tests in another group, in which a test that waits forever would
keep the output open, and with it the script that reads it.
"""
import os
import signal
import subprocess
import sys
from pathlib import Path


def descendants(root: int) -> list:
    """Returns the processes that a process has started, directly or not."""
    children = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text(errors="replace")
        except OSError:
            continue
        # The name of the program is in parentheses, and may contain anything.
        parent = int(text.rpartition(")")[2].split()[1])
        children.setdefault(parent, []).append(int(entry.parent.name))
    found, waiting = [], [root]
    while waiting:
        started = children.get(waiting.pop(), [])
        found += started
        waiting += started
    return found


def main() -> int:
    seconds = int(sys.argv[1])
    process = subprocess.Popen(sys.argv[2:])
    # Control-C reaches the command, too, which ends by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        status = process.wait(timeout=seconds)
        return status if status >= 0 else 128 - status
    except subprocess.TimeoutExpired:
        # Before anything is killed: an orphan has another parent.
        for started in [process.pid, *descendants(process.pid)]:
            try:
                os.kill(started, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()
        print(f"limit.py: error: {' '.join(sys.argv[2:4])} had not ended within {seconds} s and was killed", file=sys.stderr)
        return 124


if __name__ == "__main__":
    sys.exit(main())
