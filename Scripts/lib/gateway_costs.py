"""Measures what a gateway costs: the server's processor time for a POST over connections that use sessions of two loops
with a thread each (Docs/decisions/0101-connections-are-lent.md). With several programs, they are measured in turns, and the medians are printed.

usage: python3 -B Scripts/lib/gateway_costs.py GRANARY...
"""

import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SESSIONS, REQUESTS, RUNS = 64, 24_000, 13
CREATE = b'{"machine":"counter"}'


class Client:
    """A connection over HTTP/1.1."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def send(self, path: str, body: bytes = b""):
        head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        self.socket.sendall("\r\n".join([*head, "", ""]).encode() + body)

    def receive(self) -> tuple:
        """Returns the status and the fields of a response."""
        while b"\r\n\r\n" not in self.received:
            self.read()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        length = int(fields.get("content-length", 0))
        while len(self.received) < length:
            self.read()
        self.received = self.received[length:]
        return int(lines[0].split()[1]), fields

    def read(self):
        part = self.socket.recv(65_536)
        if not part:
            raise OSError("the server has closed the connection")
        self.received += part


def processor_time(pid: int) -> int:
    """Returns the processor time of a process in nanoseconds."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks)


def connect(port: int) -> Client:
    for _ in range(200):
        try:
            return Client(port)
        except OSError:
            time.sleep(0.05)
    raise OSError(f"nothing listens on port {port}")


def measure(program: str, connections: int, port: int) -> float:
    """Returns the processor time for a request, in microseconds."""
    with tempfile.TemporaryDirectory() as state:
        server = subprocess.Popen(
            [program, "serve", "--http.listeners", f"http://127.0.0.1:{port}", "--http.loops", "2",
             "--http.sharesThreads", "false", "--sessions.durability", "memory",
             "--sessions.stateDirectory", state, "--log.level", "error"], stdout=subprocess.DEVNULL)
        try:
            first = connect(port)
            paths = []
            for _ in range(SESSIONS):
                first.send("/v1/sessions", CREATE)
                paths.append(first.receive()[1]["location"])
            clients = [Client(port) for _ in range(connections)]
            choice = random.Random(7)

            def post(count: int):
                for _ in range(count // connections):
                    for client in clients:
                        client.send(choice.choice(paths) + "/inputs/increment")
                    for client in clients:
                        status = client.receive()[0]
                        if status != 200:
                            raise OSError(f"expected the status 200, got {status}")

            post(2000)
            before = processor_time(server.pid)
            post(REQUESTS)
            return (processor_time(server.pid) - before) / REQUESTS / 1000
        finally:
            server.terminate()
            server.wait(20)


def main() -> int:
    programs = sys.argv[1:]
    if not programs:
        print(__doc__, file=sys.stderr)
        return 2
    port = 19_500
    for connections in (1, 16):
        found = {program: [] for program in programs}
        for run in range(RUNS):
            for program in programs if run % 2 == 0 else reversed(programs):
                port += 1
                found[program].append(measure(program, connections, port))
        for program, times in found.items():
            print(f"{connections} connections, {program}: {statistics.median(times):.1f} µs "
                  f"({min(times):.1f} to {max(times):.1f})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
