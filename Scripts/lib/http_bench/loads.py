"""The loads on a server; each returns one sample."""

import json
import pathlib
import time

from http_bench import outputs
from http_bench.peers import OURS
from http_bench.processes import Conversation, Failure, Server, output

CONNECTIONS, H2_CONNECTIONS, H2_STREAMS = 64, 8, 32
SESSIONS, POSTERS = 1000, 32
SUBSCRIBERS = 10_000
IDLE = 2000
# The seconds for which connections rest before the measurement.
REST = 3
STREAM_CONNECTIONS, STREAMS_EACH = 100, 100
# The body that creates a session, the path of an input and the path of its events: for granary, and for servers without
# sessions.
OUR_SESSIONS = ['{"machine":"counter"}', "/v1/sessions/%s/inputs/increment", "/v1/sessions/%s/outputs"]
BARE_SESSIONS = ["", "/inputs/%s", "/streams/%s"]


class Loads:
    """The load generators. All of them use the same TLS cipher and group, so that the work is the same for every
    server."""

    def __init__(self, binaries: pathlib.Path, folder: pathlib.Path):
        self.binaries = binaries
        self.log = folder / "h2load.log"
        settings = folder / "client.cnf"
        settings.write_text(
            "openssl_conf = init\n[init]\nssl_conf = modules\n[modules]\nsystem_default = client\n"
            "[client]\nCiphersuites = TLS_AES_128_GCM_SHA256\nGroups = X25519:P-256\n")
        self.environment = {"OPENSSL_CONF": str(settings)}

    def run(self, command: list, seconds: float) -> str:
        return output(command, seconds + 30, self.environment)

    def http1(self, server: Server, seconds: float, spoken: str) -> dict:
        """Sends small requests over persistent connections."""
        scheme = "https" if spoken.endswith("tls") else "http"
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}s", "--latency"]
        before = server.spent()
        text = self.run([*command, f"{scheme}://127.0.0.1:{server.ports[spoken]}/"], seconds)
        spent = server.spent() - before
        count, rate, quantiles = outputs.wrk(text)
        return sample(server, spent, count, rate, quantiles)

    def http2(self, server: Server, seconds: float, spoken: str) -> dict:
        """Sends small requests over a few connections with many streams each."""
        scheme = "https" if spoken.endswith("tls") else "http"
        command = ["h2load", "-t1", f"-c{H2_CONNECTIONS}", f"-m{H2_STREAMS}", "-D", f"{seconds:.0f}"]
        before = server.spent()
        text = self.run(
            [*command, f"--log-file={self.log}", f"{scheme}://127.0.0.1:{server.ports[spoken]}/"], seconds)
        spent = server.spent() - before
        count, rate = outputs.h2load(text)
        with self.log.open() as log:
            quantiles = outputs.h2load_log(log)
        self.log.unlink()
        return sample(server, spent, count, rate, quantiles)

    def handshakes(self, server: Server, seconds: float, kind: str) -> dict:
        """Opens a TLS 1.3 connection for each small request."""
        before = server.spent()
        text = self.run(
            [self.binaries / "handshake-load", server.ports["http1-tls"], seconds, kind], seconds)
        spent = server.spent() - before
        found = json.loads(text)
        # A few handshakes can coincide with a change of the server's ticket keys.
        if found["wrong"] > found["units"] // 100:
            raise Failure(f"{found['wrong']} of {found['units']} handshakes were not resumed")
        return sample(server, spent, found["units"], found["rate"], [found["p50"], found["p99"]])

    def events(self, server: Server, seconds: float, sessions: int, streams: int, posters: int) -> dict:
        """Posts inputs and reads the resulting events. A unit is an event on a stream."""
        words = OUR_SESSIONS if server.name.startswith(OURS) else BARE_SESSIONS
        command = [
            self.binaries / "session-load", server.ports["http1"], seconds, sessions, streams, posters, *words]
        with Conversation(command) as load:
            if load.read_line() != "ready":
                raise Failure("expected the load generator to open its streams")
            before = server.spent()
            load.proceed()
            found = json.loads(load.read_line())
            spent = server.spent() - before
            made = sample(server, spent, found["events"], found["rate"] * streams, [found["p50"], found["p99"]])
        # If an input caused more than one event, the units would not be comparable.
        if abs(found["events"] - found["units"] * streams) > streams * posters:
            raise Failure(f"expected one event per input, got {found['events']} events for {found['units']} inputs")
        return made

    def idle(self, server: Server, kind: str) -> dict:
        """Measures the memory of a connection between two requests."""
        command = [self.binaries / "idle-load", "connections", server.ports[kind]]
        with Conversation([*command, 50, kind], self.environment) as load:
            load.read_line()
        before = settled(server)
        with Conversation([*command, IDLE, kind], self.environment) as load:
            load.read_line()
            # Servers release the memory of idle connections only after a moment, if at all.
            time.sleep(REST)
            return {"bytes": (settled(server) - before) / IDLE, "resident": server.resident()}

    def streams(self, server: Server) -> dict:
        """Measures the memory of a stream in addition to its session."""
        command = [self.binaries / "idle-load", "streams", server.ports["http2"], STREAM_CONNECTIONS, STREAMS_EACH]
        ours = server.name.startswith(OURS)
        path = [OUR_SESSIONS[2], "/v1/sessions", OUR_SESSIONS[0]] if ours else [BARE_SESSIONS[2]]
        with Conversation([*command, *path]) as load:
            load.read_line()
            before = settled(server)
            load.proceed()
            load.read_line()
            after = settled(server)
        return {"bytes": (after - before) / (STREAM_CONNECTIONS * STREAMS_EACH), "resident": after}


def settled(server: Server) -> int:
    """Returns the resident memory once it is stable."""
    last = server.resident()
    for _ in range(20):
        time.sleep(0.2)
        present = server.resident()
        if abs(present - last) < 64 << 10:
            return present
        last = present
    return last


def sample(server: Server, spent: int, count: int, rate: float, quantiles: list) -> dict:
    if not count:
        raise Failure("no unit was completed")
    return {"cpu": spent / 1000 / count, "rate": rate, "p50": quantiles[0], "p99": quantiles[1],
            "resident": server.resident()}
