"""Measures what access control costs a request and prints a table. Scripts/bench builds the server first."""

import argparse
import base64
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import sys
import tempfile
import time

import document
from http_bench.processes import Failure, Server, free_ports, output

# The maximum duration of a run in seconds.
LONGEST = 900
# The requests of a sample, and of the shorter run under callgrind. Each batch of requests is sent at once.
REQUESTS, COUNTED, BATCH = 40_000, 1024, 16
# The targets: the microseconds that a cached token adds, and the share of instructions that may be added without one.
MOST_ADDED, MOST_SHARE = 1.0, 0.01
BEFORE, OFF, ON, TOKEN = "before access control", "not configured", "configured, no credentials", "cached token"
# The kinds of requests: the end of the path of a session, the method and the body.
KINDS = {"GET of a session": ("GET", "", b""), "input": ("POST", "/inputs/increment", b"")}
STATUS = b"HTTP/1.1 200 "
ISSUER, AUDIENCE, SECRET = "https://issuer.example", "granary", b"a secret of at least 32 bytes, for tests"


class Overdue(BaseException):
    """The run exceeded its time. Not a `Failure`, so that the handler for failed rows does not catch it."""


def give_up(*_) -> None:
    raise Overdue


class CountedServer(Server):
    """A server under callgrind, which starts slowly."""

    def await_listening(self) -> None:
        for attempt in range(12):
            try:
                return super().await_listening()
            except Failure:
                if self.process.poll() is not None or attempt == 11:
                    raise

    def collected(self) -> int:
        """Ends the server and returns the instructions of its whole run."""
        self.process.terminate()
        self.process.wait(60)
        found = re.search(r"Collected : (\d+)", self.log.read_text())
        if not found:
            raise Failure(f"expected callgrind to report instructions, got {self.log.read_text()[-300:]}")
        return int(found[1])


class Client:
    """A connection that sends the same request again and again, many at once."""

    def __init__(self, port: int, token: str = None):
        self.port = port
        self.fields = f"Authorization: Bearer {token}\r\n" if token else ""
        self.path = self.make_session()
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def make_session(self) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        fields = dict(line.split(": ", 1) for line in self.fields.splitlines())
        connection.request(
            "POST", "/v1/sessions", body='{"machine":"counter"}', headers={"Content-Type": "application/json", **fields})
        response = connection.getresponse()
        text = response.read()
        if response.status != 201:
            raise Failure(f"expected a session, got {response.status}: {text[:300]}")
        connection.close()
        return response.headers["Location"]

    def send(self, kind: str, count: int) -> None:
        """Sends requests and reads their responses."""
        method, end, body = KINDS[kind]
        length = f"Content-Length: {len(body)}\r\n" if method == "POST" else ""
        head = f"{method} {self.path}{end} HTTP/1.1\r\nHost: localhost\r\n{self.fields}{length}\r\n"
        batch = (head.encode() + body) * BATCH
        for _ in range(count // BATCH):
            self.socket.sendall(batch)
            answered, rest = 0, b""
            while answered < BATCH:
                part = self.socket.recv(1 << 16)
                found = rest + part
                if not part or b"HTTP/1.1 4" in found or b"HTTP/1.1 5" in found:
                    raise Failure(f"expected {BATCH} responses with 200, got {answered} and {found[:300]}")
                answered += found.count(STATUS)
                # A status line may be in two parts, but no whole one is in what is kept.
                rest = found[1 - len(STATUS):]


def token() -> str:
    """Returns a token that is valid for a day."""
    def text(content: bytes) -> bytes:
        return base64.urlsafe_b64encode(content).rstrip(b"=")

    now = int(time.time())
    head = text(json.dumps({"alg": "HS256", "typ": "JWT", "kid": "bench"}).encode())
    claims = text(json.dumps({"iss": ISSUER, "aud": AUDIENCE, "sub": "bench", "iat": now, "exp": now + 86_400}).encode())
    signature = text(hmac.new(SECRET, head + b"." + claims, hashlib.sha256).digest())
    return b".".join([head, claims, signature]).decode()


class Bench:
    def __init__(self, program: pathlib.Path, before: pathlib.Path, folder: pathlib.Path, repetitions: int):
        self.programs = {BEFORE: before, OFF: program, ON: program, TOKEN: program}
        self.variants = [name for name, path in self.programs.items() if path]
        self.folder, self.repetitions, self.count = folder, repetitions, 0
        keys = folder / "keys.json"
        secret = base64.urlsafe_b64encode(SECRET).rstrip(b"=").decode()
        keys.write_text(json.dumps({"keys": [{"kty": "oct", "kid": "bench", "alg": "HS256", "k": secret}]}))
        os.chmod(keys, 0o600)
        self.configuration = folder / "access.json5"
        self.configuration.write_text(json.dumps({
            "access": {"jwt": [{"issuer": ISSUER, "audiences": [AUDIENCE], "algorithms": ["HS256"], "keys": str(keys)}]},
            "rates": {"inputs": "1000000000/1s"}}))

    def command(self, variant: str, port: int) -> list:
        self.count += 1
        command = [
            self.programs[variant], "serve", "--http.port", port, "--http.loops", 1, "--sessions.durability", "memory",
            "--sessions.stateDirectory", self.folder / f"state-{self.count}", "--log.level", "error"]
        return command + (["--config", self.configuration] if variant in (ON, TOKEN) else [])

    def client(self, server: Server, variant: str) -> Client:
        return Client(server.ports["http1"], token() if variant == TOKEN else None)

    def times(self) -> dict:
        """Returns the microseconds of processor time of a request, by variant and kind, sample by sample."""
        samples = {(variant, kind): [] for variant in self.variants for kind in KINDS}
        servers, clients = {}, {}
        try:
            for variant in self.variants:
                port = free_ports(1)[0]
                servers[variant] = Server(f"time {self.count}", self.command(variant, port), {"http1": port}, self.folder)
                servers[variant].settle()
                clients[variant] = self.client(servers[variant], variant)
            for turn in range(self.repetitions + 1):
                for kind in KINDS:
                    # The direction alternates, so that no variant has the advantage of being first.
                    for variant in self.variants if turn % 2 else reversed(self.variants):
                        before = servers[variant].spent()
                        clients[variant].send(kind, REQUESTS)
                        spent = servers[variant].spent() - before
                        # The first turn warms up.
                        if turn:
                            samples[variant, kind].append(spent / 1000 / (REQUESTS // BATCH * BATCH))
        finally:
            for server in servers.values():
                server.stop()
        return samples

    def instructions(self, variant: str, kind: str) -> float:
        """Returns the instructions of a request: the difference between two run lengths."""
        short, long = (self.collected(variant, kind, count) for count in (COUNTED, 5 * COUNTED))
        return (long - short) / (4 * COUNTED)

    def stripped(self, program: pathlib.Path) -> pathlib.Path:
        """Returns a copy of a program without debug information, which valgrind cannot always read."""
        copy = self.folder / f"stripped-{abs(hash(program))}"
        if not copy.exists():
            shutil.copy(program, copy)
            output(["strip", "-g", copy], 60)
        return copy

    def preloaded(self) -> pathlib.Path:
        """Returns a library that replaces `sigsuspend`, with which valgrind fails. The server waits in it until it ends."""
        library = self.folder / "suspend.so"
        if not library.exists():
            source = self.folder / "suspend.c"
            source.write_text(
                "#include <signal.h>\n#include <unistd.h>\n"
                "int sigsuspend(const sigset_t *mask) { (void)mask; for (;;) pause(); }\n")
            output(["cc", "-shared", "-fPIC", "-o", library, source], 60)
        return library

    def collected(self, variant: str, kind: str, count: int) -> int:
        print(f"{kind}: {variant}, {count} requests", file=sys.stderr)
        port = free_ports(1)[0]
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *self.command(variant, port)]
        command[3] = self.stripped(command[3])
        server = CountedServer(
            f"counted {self.count}", command, {"http1": port}, self.folder, {"LD_PRELOAD": str(self.preloaded())})
        try:
            # What the server does once after its start is in both runs, or would be in the difference.
            server.settle()
            self.client(server, variant).send(kind, count)
            return server.collected()
        finally:
            if server.process.poll() is None:
                server.stop()


def figures(bench: Bench) -> dict:
    """Returns the figures of each kind and variant."""
    samples = bench.times()
    found = {}
    for kind in KINDS:
        base = samples[OFF, kind]
        for variant in bench.variants:
            taken = samples[variant, kind]
            found[f"{kind}, {variant}"] = {
                "kind": kind, "variant": variant, "cpu": statistics.median(taken),
                # The median of the differences within each turn, in which the machine's load is about the same.
                "added": statistics.median(one - other for one, other in zip(taken, base)),
                "instructions": bench.instructions(variant, kind)}
    return found


def judged(row: dict, found: dict) -> str:
    """Returns whether a row reaches its target; empty without one."""
    if row["variant"] == TOKEN:
        return f"{MOST_ADDED} µs ({'reached' if row['added'] <= MOST_ADDED else '**missed**'})"
    before = found.get(f"{row['kind']}, {BEFORE}")
    if row["variant"] != OFF or not before:
        return ""
    share = row["instructions"] / before["instructions"] - 1
    return f"{share:+.2%} instructions of 1 % ({'reached' if share <= MOST_SHARE else '**missed**'})"


def table(found: dict) -> str:
    lines = ["| request | access control | CPU µs | added | instructions | aimed at |",
             "| --- | --- | ---: | ---: | ---: | --- |"]
    for row in found.values():
        added = "–" if row["variant"] == OFF else f"{row['added']:+.2f}"
        cells = [row["kind"], row["variant"], f"{row['cpu']:.2f}", added, f"{row['instructions']:,.0f}", judged(row, found)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench access")
    parser.add_argument("folder", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--before", type=pathlib.Path, metavar="FILE",
                        help="the http-bench-server of an earlier commit, for comparison")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="take three samples of each time instead of fifteen")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, give_up)
    signal.signal(signal.SIGTERM, give_up)
    signal.alarm(LONGEST)
    try:
        with tempfile.TemporaryDirectory(prefix="access-bench-") as name:
            bench = Bench(
                options.folder / "http-bench-server", options.before, pathlib.Path(name), 3 if options.quick else 15)
            found = figures(bench)
    except (Overdue, KeyboardInterrupt):
        sys.exit("the run was aborted")
    except Failure as failure:
        sys.exit(str(failure))
    document.publish(options, "access", table(found), found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
