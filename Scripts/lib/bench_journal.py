"""Measures what stored sessions cost and prints a table. Scripts/bench builds the programs first."""

import argparse
import http.client
import json
import os
import pathlib
import shutil
import signal
import statistics
import sys
import tempfile
import time

import document
from http_bench.loads import OUR_SESSIONS, settled
from http_bench.processes import Conversation, Failure, Server, free_ports, output

# The maximum duration of a run in seconds.
LONGEST = 900
# The default comes first.
DURABILITIES = ("disk", "process", "memory")
SESSIONS = (1, 32, 1000)
# The targets: processor time per input as a multiple of `memory`, by durability and sessions, and bytes written per input.
MOST_TIMES = {("disk", 1): 3, ("disk", 32): 1.6, ("disk", 1000): 1.3, ("process", 32): 1.25, ("process", 1000): 1.15}
MOST_WRITTEN = {("disk", 32): 300}
# The target of the latency that `disk` adds to the flush itself, in microseconds.
MOST_LATENCY = 300
# The targets of a capture: microseconds by what has changed.
CAPTURES = {
    "none": ("nothing has changed, of ten properties", None), "one": ("one of ten properties has changed", 1),
    "ten": ("ten properties have changed", 3), "counter": ("a turn of the counter, with its operators", None)}
STORED, WOKEN = 100_000, 1000
# What all sessions may retain: they are created faster than they go to sleep.
ROOM = "2GiB"
MOST_FIRST, MOST_WAKE = 200, 5
# Sleeping sessions, each with a stream over HTTP/2: connections and streams of each.
CONNECTIONS, STREAMS = 1000, 100
MOST_DORMANT = 150 << 20


class Overdue(BaseException):
    """The run exceeded its time. Not a `Failure`, so that the handler for failed rows does not catch it."""


def give_up(*_) -> None:
    raise Overdue


class Bench:
    def __init__(self, binaries: pathlib.Path, folder: pathlib.Path, repetitions: int, seconds: float):
        self.binaries, self.folder = binaries, folder
        self.repetitions, self.seconds = repetitions, seconds
        self.count = 0

    def server(self, durability: str, state: pathlib.Path = None, **keys) -> Server:
        self.count += 1
        port = free_ports(1)[0]
        state = state or self.folder / f"state-{self.count}"
        command = [
            self.binaries / "http-bench-server", "serve", "--http.port", port, "--sessions.durability", durability,
            "--sessions.stateDirectory", state, "--sessions.maxSessions", 300_000, "--sessions.maxBytes", ROOM,
            "--log.level", "warning",
        ] + [part for key, value in keys.items() for part in (f"--{key.replace('_', '.')}", value)]
        return Server(f"{durability} {self.count}", command, {"http1": port}, self.folder)

    def inputs(self, durability: str, sessions: int) -> dict:
        """Posts inputs to a number of sessions, each with one input in flight and one stream."""
        server = self.server(durability)
        try:
            command = [
                self.binaries / "session-load", server.ports["http1"], self.seconds, sessions, 1, sessions, *OUR_SESSIONS]
            with Conversation(command) as load:
                if load.read_line() != "ready":
                    raise Failure("expected the load generator to open its streams")
                before, written = server.spent(), server.written()
                load.proceed()
                found = json.loads(load.read_line())
                spent, written = server.spent() - before, server.written() - written
            if not found["units"]:
                raise Failure("no input was answered")
            return {
                "cpu": spent / 1000 / found["units"], "written": written / found["units"], "rate": found["rate"],
                "p50": found["p50"], "p99": found["p99"]}
        finally:
            server.stop()

    def costs(self) -> dict:
        """Returns the samples of each durability and number of sessions. The order alternates, so that none has an
        advantage."""
        samples = {(durability, sessions): [] for durability in DURABILITIES for sessions in SESSIONS}
        for turn in range(self.repetitions):
            for sessions in SESSIONS:
                for durability in DURABILITIES if turn % 2 == 0 else reversed(DURABILITIES):
                    print(f"{durability}, {sessions} sessions, {turn + 1}", file=sys.stderr)
                    samples[durability, sessions].append(self.inputs(durability, sessions))
        return samples

    def captures(self) -> dict:
        """Returns the microseconds of processor time that a capture takes, by what has changed."""
        found = json.loads(output([self.binaries / "capture-bench"], 120))
        return {name: found[name] / 1000 for name in CAPTURES}

    def flush(self) -> list:
        """Returns the sorted durations of small flushed writes, in microseconds."""
        durations = []
        with (self.folder / "flush").open("wb", buffering=0) as file:
            for _ in range(300):
                file.write(b"x" * 4096)
                begin = time.perf_counter_ns()
                os.fdatasync(file.fileno())
                durations.append((time.perf_counter_ns() - begin) / 1000)
        return sorted(durations)

    def restart(self) -> dict:
        """Stores many sessions, ends the process with kill -9, and measures the next process."""
        state = self.folder / "stored"
        server = self.server("disk", state)
        try:
            command = [
                self.binaries / "session-load", server.ports["http1"], 0.1, STORED - WOKEN, 0, 1, *OUR_SESSIONS]
            with Conversation(command) as load:
                load.read_line()
            woken = make_sessions(server.ports["http1"], WOKEN)
            server.process.kill()
            server.process.wait()
        finally:
            server.stop()
        # A server that was restarted at once would find everything in the page cache anyway.
        begin = time.perf_counter()
        server = self.server("disk", state)
        try:
            durations = wake(server.ports["http1"], woken, begin)
            first = durations.pop(0)
            durations.sort()
            resident = settled(server)
            return {
                "first": first, "resident": resident, "p50": quantile(durations, 0.5), "p99": quantile(durations, 0.99),
                "bytes": sum(file.stat().st_size for file in state.rglob("*") if file.is_file())}
        finally:
            server.stop()
            shutil.rmtree(state, ignore_errors=True)

    def dormant(self) -> dict:
        """Measures the memory of sessions that sleep, without and with a stream each, and the time to wake one."""
        server = self.server(
            "disk", sessions_hibernateAfter="1s", sessions_maxStreams=2 * CONNECTIONS * STREAMS,
            sessions_idleExpiry="24h", http_maxConnections=2 * CONNECTIONS)
        count, port = CONNECTIONS * STREAMS, server.ports["http1"]
        try:
            paths = make_sessions(port, WOKEN)
            before = rested(server, paths)
            load = [self.binaries / "idle-load", "streams", port, CONNECTIONS, STREAMS, OUR_SESSIONS[2]]
            with Conversation([*load, "/v1/sessions", OUR_SESSIONS[0]]) as streams:
                streams.read_line()
                without = rested(server, paths)
                streams.proceed()
                streams.read_line()
                within = rested(server, paths)
                durations = sorted(wake(port, paths, time.perf_counter()))
                return {
                    "without": (without - before) / count, "with": (within - before) / count, "resident": within,
                    "p50": quantile(durations, 0.5), "p99": quantile(durations, 0.99)}
        finally:
            server.stop()


def rested(server: Server, paths: list) -> int:
    """Returns the resident memory when the newest sessions sleep."""
    connection = http.client.HTTPConnection("127.0.0.1", server.ports["http1"], timeout=20)
    time.sleep(4)
    description = json.loads(send(connection, "GET", paths[-1]).content)
    connection.close()
    if description.get("dormant") is not True:
        raise Failure(f"expected the session to sleep, got {description}")
    return settled(server)


def make_sessions(port: int, count: int) -> list:
    """Creates sessions with a few inputs each, and returns their paths."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    paths = []
    for _ in range(count):
        paths.append(send(connection, "POST", "/v1/sessions", OUR_SESSIONS[0]).headers["Location"])
        for _ in range(3):
            send(connection, "POST", f"{paths[-1]}/inputs/increment", "null")
    connection.close()
    return paths


def wake(port: int, paths: list, begin: float) -> list:
    """Sends an input to each session. Returns the milliseconds from the start to the first response, and of each other one."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    durations = []
    for path in paths:
        content = json.loads(send(connection, "POST", f"{path}/inputs/increment", "null").content)["changes"]
        durations.append((time.perf_counter() - begin) * 1000)
        if content.get("count") != 4:
            raise Failure(f"expected a stored session to count 4, got {content}")
        begin = time.perf_counter()
    connection.close()
    return durations


def send(connection: http.client.HTTPConnection, method: str, path: str, body: str = None):
    connection.request(method, path, body=body, headers={"Content-Type": "application/json"} if body else {})
    response = connection.getresponse()
    response.content = response.read()
    if response.status >= 300:
        raise Failure(f"expected {method} {path} to succeed, got {response.status}: {response.content[:200]}")
    return response


def quantile(values: list, part: float) -> float:
    return values[int((len(values) - 1) * part)]


def verdict(value: float, most: float) -> str:
    return "reached" if value <= most else "**missed**"


def table(samples: dict) -> list:
    lines = ["| durability | sessions | CPU µs an input | times `memory` | aimed at | bytes written | inputs/s | p50 ms | p99 ms |",
             "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |"]
    for (durability, sessions), taken in samples.items():
        median = {key: statistics.median(sample[key] for sample in taken) for key in taken[0]}
        # The median of the ratios within each turn, in which the machine's load is about the same.
        times = statistics.median(
            one["cpu"] / base["cpu"] for one, base in zip(taken, samples["memory", sessions]))
        aim, most = MOST_TIMES.get((durability, sessions)), MOST_WRITTEN.get((durability, sessions))
        cells = [durability, f"{sessions:,}", f"{median['cpu']:.2f}", f"{times:.2f}" if durability != "memory" else "–",
                 "" if aim is None else f"{aim} ({verdict(times, aim)})",
                 f"{median['written']:,.0f}" + ("" if most is None else f" of {most} ({verdict(median['written'], most)})"),
                 f"{median['rate']:,.0f}", f"{median['p50'] / 1000:.2f}", f"{median['p99'] / 1000:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def latency(samples: dict, flush: list) -> list:
    added = {
        part: statistics.median(
            one[part] - base[part] for one, base in zip(samples["disk", 1], samples["memory", 1]))
        for part in ("p50", "p99")}
    aim = quantile(flush, 0.5) + MOST_LATENCY
    return [
        "| latency with one session | µs | aimed at |", "| --- | ---: | ---: |",
        f"| flush of the disk, p50 | {quantile(flush, 0.5):.0f} | |",
        f"| flush of the disk, p99 | {quantile(flush, 0.99):.0f} | |",
        f"| added by `disk`, p50 | {added['p50']:.0f} | {aim:.0f} ({verdict(added['p50'], aim)}) |",
        f"| added by `disk`, p99 | {added['p99']:.0f} | 1,000 ({verdict(added['p99'], 1000)}) |"]


def captured(found: dict) -> list:
    lines = ["| capture of a machine's state after a turn | CPU µs | aimed at |", "| --- | ---: | ---: |"]
    for name, (text, aim) in CAPTURES.items():
        reached = "" if aim is None else f"{aim} ({verdict(found[name], aim)})"
        lines.append(f"| {text} | {found[name]:.2f} | {reached} |")
    return lines


def restarted(found: dict) -> list:
    return [
        f"| restart with {STORED:,} stored sessions | | aimed at |", "| --- | ---: | ---: |",
        f"| first response | {found['first']:.0f} ms | {MOST_FIRST} ms "
        f"({verdict(found['first'], MOST_FIRST)}) |",
        f"| waking a session, p50 | {found['p50']:.2f} ms | |",
        f"| waking a session, p99 | {found['p99']:.2f} ms | {MOST_WAKE} ms "
        f"({verdict(found['p99'], MOST_WAKE)}) |",
        f"| memory of the process, {WOKEN:,} sessions awake | {found['resident'] / 2**20:.1f} MiB | |",
        f"| files | {found['bytes'] / 2**20:.1f} MiB | |"]


def dormant(found: dict) -> list:
    count = CONNECTIONS * STREAMS
    return [
        f"| {count:,} sessions that sleep | | aimed at |", "| --- | ---: | ---: |",
        f"| memory of a session without a stream | {found['without']:.0f} B | |",
        f"| memory of a session with a stream over HTTP/2 | {found['with']:.0f} B | |",
        f"| memory of the process with all streams | {found['resident'] / 2**20:.1f} MiB | {MOST_DORMANT >> 20} MiB "
        f"({verdict(found['resident'], MOST_DORMANT)}) |",
        f"| waking a session, p50 | {found['p50']:.2f} ms | |",
        f"| waking a session, p99 | {found['p99']:.2f} ms | {MOST_WAKE} ms "
        f"({verdict(found['p99'], MOST_WAKE)}) |"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench journal")
    parser.add_argument("folder", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--only", choices=["inputs", "capture", "restart", "dormant"], help="measure one part only")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="take one sample of each row")
    options = parser.parse_args()
    repetitions, seconds = (1, 2) if options.quick else (7, 2)
    signal.signal(signal.SIGALRM, give_up)
    signal.signal(signal.SIGTERM, give_up)
    signal.alarm(LONGEST)
    parts, found = [], {}
    try:
        # Not in /tmp if that is a file system in memory: its flushes cost nothing.
        with tempfile.TemporaryDirectory(prefix="journal-bench-", dir=".build") as name:
            bench = Bench(options.folder, pathlib.Path(name).resolve(), repetitions, seconds)
            if options.only in (None, "inputs"):
                flush, samples = bench.flush(), bench.costs()
                parts += [table(samples), latency(samples, flush)]
                found["inputs"] = [{"durability": key[0], "sessions": key[1], "samples": taken}
                                   for key, taken in samples.items()]
            if options.only in (None, "capture"):
                found["capture"] = bench.captures()
                parts.append(captured(found["capture"]))
            if options.only in (None, "restart"):
                found["restart"] = bench.restart()
                parts.append(restarted(found["restart"]))
            if options.only in (None, "dormant"):
                found["dormant"] = bench.dormant()
                parts.append(dormant(found["dormant"]))
    except (Overdue, KeyboardInterrupt):
        sys.exit("the run was aborted")
    except Failure as failure:
        sys.exit(str(failure))
    text = "\n\n".join("\n".join(part) for part in parts)
    document.publish(options, "journal", text, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
