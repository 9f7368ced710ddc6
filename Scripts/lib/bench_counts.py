"""Counts the retains, releases and objects of a request, and compares them with committed bounds. Scripts/bench builds the server
first."""

import argparse
import json
import pathlib
import re
import signal
import sys
import tempfile
import time

import document
from http_bench.clients import HTTP1, HTTP2
from http_bench.processes import PATIENCE, Failure, Server, free_ports, output

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOUNDS = ROOT / "Benchmarks/counts.json"
# The maximum duration of a run in seconds.
LONGEST = 300
# The requests that are counted, after those that warm up.
REQUESTS, WARM_UP = 2000, 200
# The counts of a row, in the order in which the library prints them.
COUNTS = ["retains", "releases", "objects"]
# By how much a count may exceed its bound: work of the server that no request causes, such as a new date each second.
TOLERANCE = 0.5
GET, INPUT, EVENT = "GET of a session", "input", "POST → event"
# One request at a time, so that each is a commit of its own.
STORED_INPUT, STORED_EVENT = "input, stored", "POST → event, stored"
UNITS = {"memory": (GET, INPUT, EVENT), "disk": (STORED_INPUT, STORED_EVENT)}
PROTOCOLS = {
    "HTTP/1.1": (HTTP1, False), "HTTP/1.1 + TLS": (HTTP1, True), "HTTP/2": (HTTP2, False), "HTTP/2 + TLS": (HTTP2, True)}


class Overdue(BaseException):
    """The run exceeded its time."""


def give_up(*_) -> None:
    raise Overdue


class CountingServer(Server):
    """A server with one loop that counts. The counters need no atomic operations."""

    def __init__(self, binaries: pathlib.Path, folder: pathlib.Path, certificates: pathlib.Path, durability: str):
        plain, secure = free_ports(2)
        command = [
            binaries / "http-bench-server", "serve", "--http.port", plain, "--tls.port", secure, "--tls.certificates",
            certificates / "ecdsa.pem", "--tls.privateKeys", certificates / "ecdsa.key", "--http.loops", 1, "--log.level", "error",
            "--sessions.durability", durability, "--sessions.stateDirectory", folder / f"state-{durability}"]
        super().__init__(
            f"counted {durability}", command, {"http1": plain, "http1-tls": secure}, folder,
            {"LD_PRELOAD": str(binaries / "libReferenceCounter.so")})

    def counts(self) -> list:
        """Returns the counts since the start of the process."""
        known = len(self.lines())
        self.process.send_signal(signal.SIGURG)
        deadline = time.monotonic() + PATIENCE
        while len(self.lines()) == known:
            if time.monotonic() > deadline:
                raise Failure(f"expected counts from the server, got {self.log.read_text()[-300:]}")
            time.sleep(0.01)
        return [int(count) for count in self.lines()[-1]]

    def lines(self) -> list:
        return re.findall(r"^retains (\d+) releases (\d+) objects (\d+)$", self.log.read_text(), re.MULTILINE)


def counted(server: CountingServer, unit: str, protocol: str) -> dict:
    """Returns the counts of one unit."""
    print(f"{unit}, {protocol}", file=sys.stderr)
    make, secure = PROTOCOLS[protocol]
    port = server.ports["http1-tls" if secure else "http1"]
    path = HTTP1(server.ports["http1"], False).make_session()
    client = make(port, secure)
    if unit in (EVENT, STORED_EVENT):
        client.open_stream(path)
    method, target = ("GET", path) if unit == GET else ("POST", f"{path}/inputs/increment")
    for _ in range(WARM_UP):
        client.send(method, target)
    before = server.counts()
    for _ in range(REQUESTS):
        client.send(method, target)
    return {name: round((after - start) / REQUESTS, 1) for name, after, start in zip(COUNTS, server.counts(), before)}


def excesses(found: dict, bounds: dict) -> list:
    """Returns a line for each count that exceeds its bound, and for each row without one."""
    lines = []
    for row, counts in found.items():
        if row not in bounds:
            lines.append(f"{row}: no bounds")
            continue
        lines += [
            f"{row}: expected at most {bounds[row][name]} {name}, got {counts[name]}"
            for name in COUNTS if counts[name] > bounds[row][name] + TOLERANCE]
    return lines


def table(found: dict, bounds: dict) -> str:
    lines = ["| request | protocol | retains | releases | objects | bounds |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    for row, counts in found.items():
        bound = " / ".join(str(bounds[row][name]) for name in COUNTS) if row in bounds else "–"
        figures = " | ".join(str(counts[name]) for name in COUNTS)
        lines.append(f"| {' | '.join(row.rsplit(', ', 1))} | {figures} | {bound} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench counts")
    parser.add_argument("folder", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, give_up)
    signal.signal(signal.SIGTERM, give_up)
    signal.alarm(LONGEST)
    bounds = json.loads(BOUNDS.read_text())
    try:
        with tempfile.TemporaryDirectory(prefix="counts-bench-") as name:
            found, folder = {}, pathlib.Path(name)
            certificates = folder / "certificates"
            output([ROOT / "Scripts/make-test-certificates", certificates], 60)
            for durability, units in UNITS.items():
                server = CountingServer(options.folder, folder, certificates, durability)
                try:
                    server.settle()
                    found |= {
                        f"{unit}, {protocol}": counted(server, unit, protocol) for unit in units for protocol in PROTOCOLS}
                finally:
                    server.stop()
    except (Overdue, KeyboardInterrupt):
        sys.exit("the run was aborted")
    except Failure as failure:
        sys.exit(str(failure))
    document.publish(options, "counts", table(found, bounds), found)
    exceeded = excesses(found, bounds)
    for line in exceeded:
        print(line, file=sys.stderr)
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
