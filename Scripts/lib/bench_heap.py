"""Measures what a session takes of the heap, by type, and prints a table. Scripts/bench builds the server first."""

import argparse
import collections
import pathlib
import re
import signal
import sys
import tempfile
import time

import document
from http_bench.clients import HTTP1
from http_bench.processes import PATIENCE, Failure, Server, free_ports

# The sessions that are measured, after those that fill what all sessions share.
SESSIONS, WARM_UP = 500, 100
# Types of which a session has fewer bytes are one row.
LEAST_BYTES = 16
STORED, UNSTORED = "disk", "memory"


def type_name(text: str) -> str:
    """Returns the name of a type without modules and without the types of a generic one, except the elements of arrays."""
    text = re.sub(r"\(unknown context at [^)]*\)\.", "", text)
    array = re.fullmatch(r"Swift\._ContiguousArrayStorage<(.*)>", text)
    if array:
        return f"array of {type_name(array[1])}"
    text = text.split("<", 1)[0].rsplit(".", 1)[-1]
    return {"block": "memory without a type", "closure": "closures", "AnyObject": "objects"}.get(text, text)


def read_blocks(path: pathlib.Path, sessions: int) -> dict:
    """Returns the number and the bytes of blocks of each type for a session. Those of which most sessions have none are left out: they
    are tables and caches of the server."""
    sizes = collections.Counter(path.read_text().splitlines()[:-1])
    found = collections.defaultdict(lambda: [0, 0])
    for line, count in sizes.items():
        size, name = line.split(" ", 1)
        if count >= sessions / 2:
            entry = found[type_name(name)]
            entry[0] += count / sessions
            entry[1] += count * int(size) / sessions
    return found


def measured(binaries: pathlib.Path, folder: pathlib.Path, durability: str) -> dict:
    """Returns the blocks of a session of the counter that has received an input."""
    (port,) = free_ports(1)
    record = folder / f"{durability}-blocks"
    server = Server(
        durability, [
            binaries / "http-bench-server", "serve", "--http.port", port, "--http.loops", 1, "--log.level", "error",
            "--sessions.durability", durability, "--sessions.stateDirectory", folder / durability],
        {"http1": port}, folder, {"LD_PRELOAD": str(binaries / "libHeapRecorder.so"), "HEAP_RECORD": str(record)})
    try:
        client = HTTP1(port, False)

        def make(count: int) -> None:
            for _ in range(count):
                client.send("POST", client.make_session() + "/inputs/increment")
            # What follows the last response.
            time.sleep(1)

        make(WARM_UP)
        server.process.send_signal(signal.SIGURG)
        time.sleep(1)
        make(SESSIONS)
        server.process.send_signal(signal.SIGURG)
        deadline = time.monotonic() + PATIENCE
        while not record.exists() or not record.read_text().endswith("end\n"):
            if time.monotonic() > deadline or server.process.poll() is not None:
                raise Failure(f"expected the blocks of the server, got {server.log.read_text()[-300:]}")
            time.sleep(0.1)
        return read_blocks(record, SESSIONS)
    finally:
        server.stop()


def table(found: dict) -> str:
    """Returns a row for each type, and one for the rest."""
    lines = ["| type | in a session | bytes, `disk` | bytes, `memory` |", "| --- | ---: | ---: | ---: |"]
    stored, unstored = found[STORED], found[UNSTORED]
    names = sorted(stored.keys() | unstored.keys(), key=lambda name: -max(stored[name][1], unstored[name][1]))
    rest = [0, 0]
    for name in names:
        count, size, other = stored[name][0], stored[name][1], unstored[name][1]
        if max(size, other) < LEAST_BYTES:
            rest = [rest[0] + size, rest[1] + other]
        else:
            lines.append(f"| {name} | {max(count, unstored[name][0]):.0f} | {size:,.0f} | {other:,.0f} |")
    if any(rest):
        lines.append(f"| others |  | {rest[0]:,.0f} | {rest[1]:,.0f} |")
    sums = [sum(size for _, size in types.values()) for types in (stored, unstored)]
    lines.append(f"| **all** |  | **{sums[0]:,.0f}** | **{sums[1]:,.0f}** |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench heap")
    parser.add_argument("folder", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="heap-bench-") as name:
            found = {durability: measured(options.folder, pathlib.Path(name), durability) for durability in (STORED, UNSTORED)}
    except KeyboardInterrupt:
        sys.exit("the run was aborted")
    except Failure as failure:
        sys.exit(str(failure))
    document.publish(options, "heap", table(found), found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
