"""The rows of the table: the load, the servers and the target."""

import dataclasses
import statistics
import sys
import typing

from http_bench.loads import POSTERS, SESSIONS, SUBSCRIBERS, Loads
from http_bench.peers import OURS, Peers
from http_bench.processes import Failure, Server


@dataclasses.dataclass
class Row:
    """One row. `servers` are names of servers in `Peers`, ours first."""

    name: str
    unit: str
    servers: list
    measure: typing.Callable
    # The target: at most the figure of the best of these peers, or at most this figure.
    best_of: list = dataclasses.field(default_factory=list)
    most: float = None
    # The figure of the target: microseconds of processor time, or bytes.
    figure: str = "cpu"
    # Whether each sample needs a fresh server.
    fresh: bool = False


def rows(loads: Loads, seconds: float) -> list:
    return requests(loads, seconds) + handshakes(loads, seconds) + events(loads, seconds) + memory(loads)


def requests(loads: Loads, seconds: float) -> list:
    def http1(spoken: str):
        return lambda server: loads.http1(server, seconds, spoken)

    def http2(spoken: str):
        return lambda server: loads.http2(server, seconds, spoken)

    return [
        Row("small GET, HTTP/1.1", "request", [OURS, "nginx", "go", "node"], http1("http1"), ["nginx"]),
        Row("small GET, HTTP/1.1 + TLS", "request", [OURS, "nginx", "go", "node"], http1("http1-tls"), ["nginx"]),
        Row("small GET, HTTP/2", "request", [OURS, "nginx", "nghttpd", "node"], http2("http2"), ["nginx", "nghttpd"]),
        Row("small GET, HTTP/2 + TLS", "request", [OURS, "nginx", "nghttpd tls", "go", "node"], http2("http2-tls"),
            ["nginx", "nghttpd tls"]),
    ]


def handshakes(loads: Loads, seconds: float) -> list:
    # Node sends no new ticket to a client that resumed a session, so the client cannot resume again.
    peers = {"full": ["nginx", "go", "node"], "resumed": ["nginx", "go"]}
    return [
        Row(f"TLS handshake, {kind}", "handshake", [OURS, *peers[kind]],
            lambda server, kind=kind: loads.handshakes(server, seconds, kind), ["nginx"])
        for kind in peers]


def events(loads: Loads, seconds: float) -> list:
    """The default durability comes first. The peers have no durability."""

    def work(name: str, unit: str, load: typing.Callable, durability: str, peers: list, **target) -> Row:
        return Row(f"{name}, {durability}", unit, [f"{OURS} {durability}", *peers], load, fresh=True, **target)

    def inputs(server: Server) -> dict:
        return loads.events(server, seconds, SESSIONS, 1, POSTERS)

    def broadcast(server: Server) -> dict:
        return loads.events(server, seconds, 1, SUBSCRIBERS, 1)

    return [
        work("POST → event", "event", inputs, "disk", ["nchan"], best_of=["nchan"]),
        work("POST → event", "event", inputs, "memory", ["bare loop", "nchan"], most=15),
    ] + [
        work("one session, 10,000 subscribers", "delivery", broadcast, durability, ["nchan"], best_of=["nchan"])
        for durability in ("disk", "memory")]


def memory(loads: Loads) -> list:
    def idle(name: str, kind: str, most: float, servers: list) -> Row:
        return Row(f"idle connection, {name}", "connection", [OURS, *servers], lambda server: loads.idle(server, kind),
                   most=most, figure="bytes", fresh=True)

    return [
        Row("stream over HTTP/2, disk", "stream", [f"{OURS} disk", "nchan"], loads.streams, most=2048, figure="bytes",
            fresh=True),
        idle("HTTP/1.1", "http1", 1 << 10, ["nginx", "go", "node"]),
        idle("HTTP/2", "http2", 8 << 10, ["nginx", "nghttpd", "node"]),
        idle("HTTP/1.1 + TLS", "http1-tls", 24 << 10, ["nginx", "go", "node"]),
        idle("HTTP/2 + TLS", "http2-tls", 24 << 10, ["nginx", "nghttpd tls", "go", "node"]),
    ]


def found(row: Row, peers: Peers, repetitions: int) -> dict:
    """Measures a row and returns the medians and spread of each server's samples, and our ratios to the peers."""
    samples = {server: [] for server in row.servers}
    for turn in range(1 if row.figure == "bytes" else repetitions):
        # The direction alternates, so that no server has the advantage of being first.
        for server in row.servers if turn % 2 == 0 else reversed(row.servers):
            print(f"{row.name}: {server}, {turn + 1}", file=sys.stderr)
            try:
                samples[server].append(row.measure((peers.renew if row.fresh else peers.get)(server)))
            except Failure as failure:
                raise Failure(f"{server}: {failure}") from None
    servers = {server: summary(each, row.figure) for server, each in samples.items()}
    values = {server: [sample[row.figure] for sample in each] for server, each in samples.items()}
    ours = row.servers[0]
    ratios = {server: ratio(values[ours], values[server]) for server in row.servers[1:]}
    best = min(ratios, key=lambda server: servers[server][row.figure])
    reached = servers[ours][row.figure] <= row.most if row.most else all(ratios[server] <= 1 for server in row.best_of)
    aim = row.most or min(servers[server][row.figure] for server in row.best_of)
    return {
        "unit": row.unit, "figure": row.figure, "servers": servers, "best peer": best, "ratio": ratios[best],
        "ratios": ratios, "aim": aim, "aim of": row.best_of, "reached": reached}


def ratio(ours: list, theirs: list) -> float:
    """Returns the median of the ratios within each turn, in which the machine's load is about the same for both."""
    return statistics.median(one / other for one, other in zip(ours, theirs))


def summary(samples: list, figure: str) -> dict:
    medians = {key: statistics.median(sample[key] for sample in samples) for key in samples[0]}
    values = [sample[figure] for sample in samples]
    return {**medians, "spread": (max(values) - min(values)) / 2 / medians[figure] if medians[figure] else 0.0}


def measure(chosen: list, peers: Peers, repetitions: int) -> dict:
    """Returns the results by row. A failure is the result of its row and does not stop the others."""
    all_found = {}
    for row in chosen:
        try:
            all_found[row.name] = found(row, peers, repetitions)
        except Failure as failure:
            print(f"{row.name}: {failure}", file=sys.stderr)
            all_found[row.name] = {"failure": str(failure)}
    return all_found
