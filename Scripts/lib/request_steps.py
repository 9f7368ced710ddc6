"""Finds the functions that a request runs, with a debug build of the server under callgrind."""

import collections
import dataclasses
import functools
import http.client
import itertools
import pathlib
import re
import signal
import subprocess
import time

from check_shape import FUNCTION
from http_bench.clients import HTTP1
from http_bench.processes import PATIENCE, Failure, Server, free_ports, output
from swift_declarations import DECLARATION

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The requests that are not counted, and those that are. After the first ones, caches and the history of a session are full.
WARM_UP, COUNTED = 100, 100
# A step runs for this share of the requests, so that nothing counts that only time or a number of requests causes, such as a date or a
# snapshot. It is not 1, because a request may find the work of a round of the loop or of a timer done.
SHARE = 0.9
# callgrind writes the calls since the last SIGURG to a file. The server's main thread waits for signals in `sigsuspend`, with which
# valgrind fails.
PRELOADED = """
#include <signal.h>
#include <unistd.h>
#include <valgrind/callgrind.h>
static void dump(int number) { (void)number; CALLGRIND_DUMP_STATS; }
int sigsuspend(const sigset_t *mask) {
    sigset_t urgent;
    (void)mask;
    signal(SIGURG, dump);
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &urgent, 0);
    for (;;) pause();
}
"""
POST = "POST → event, `disk`, HTTP/1.1"
RESTORE = "a stored session is restored by a GET"
STREAM = "GET of a stream with an API key"
NAME = re.compile(r"(c?)fn=\((\d+)\)(?: (.*))?$")
RECURSION = re.compile(r"'\d+$")
# A node below the root of a symbol's tree, and its first child.
NODE = re.compile(r"^  kind=(\w+)(?:\n    kind=(\w+))?", re.M)
# The kinds of symbols that may be written as functions. `Allocator` is also the kind of an initializer of a value.
WRITTEN = ("Function", "Allocator", "Constructor")
SPECIALIZATIONS = ("GenericSpecialization", "FunctionSignatureSpecialization")


@dataclasses.dataclass(frozen=True, order=True)
class Step:
    """A function that each request of a path calls."""

    # Relative to the root of the package.
    file: str
    line: int
    name: str
    # The calls for each request.
    calls: float


class CountedServer(Server):
    """A server with one loop under callgrind, and its sessions in a folder."""

    def __init__(self, tools: "Tools", folder: pathlib.Path, arguments: list = ()):
        self.counts, self.dumps, self.port = folder / "calls", 0, free_ports(1)[0]
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.counts}"]
        super().__init__(
            "counted", valgrind + tools.command(tools.stripped, self.port, folder, arguments), {"http1": self.port}, folder,
            {"LD_PRELOAD": str(tools.preloaded)})

    def await_listening(self) -> None:
        try:
            super().await_listening()
            await_ready(self)
        except BaseException:
            # The run may exceed its time while the server starts.
            self.stop()
            raise

    def settle(self) -> None:
        """Waits until no thread does anything. Some work of a request follows its response."""
        last, deadline = None, time.monotonic() + PATIENCE
        while True:
            present = self.states(), self.spent()
            if present == last and present[0] == {"S"}:
                return
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"expected a server without work, got threads in the states {sorted(present[0])}")
            last = present
            time.sleep(0.01)

    def states(self) -> set:
        """Returns the states of the threads, such as S (sleeping) and R (running)."""
        found = set()
        for file in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/stat"):
            try:
                # The name of the thread is in parentheses, and may contain anything.
                found.add(file.read_text().rpartition(")")[2].split()[0])
            except OSError:
                continue  # The thread has ended since it was listed.
        return found

    def take_calls(self) -> collections.Counter:
        """Returns the calls of each function since the last time."""
        self.settle()
        self.dumps += 1
        self.process.send_signal(signal.SIGURG)
        file, deadline = pathlib.Path(f"{self.counts}.{self.dumps}"), time.monotonic() + PATIENCE
        while True:
            text = file.read_text(errors="replace") if file.exists() else ""
            # The last line.
            if "\ntotals:" in text:
                file.unlink()
                return calls(text)
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"expected {file.name} from callgrind, got {self.log.read_text()[-300:]}")
            time.sleep(0.01)


class Tools:
    """The program of the server, and what it takes to count its calls and to find its functions."""

    def __init__(self, binary: pathlib.Path, folder: pathlib.Path):
        self.binary = binary
        # Debian's valgrind cannot read the compiler's debug information.
        self.stripped = folder / "stripped"
        output(["strip", "-g", "-o", self.stripped, binary], PATIENCE)
        self.preloaded = folder / "dump.so"
        source = folder / "dump.c"
        source.write_text(PRELOADED)
        output(["cc", "-shared", "-fPIC", "-o", self.preloaded, source], PATIENCE)
        self.addresses = {}
        for line in filtered(["nm", "--defined-only", binary], []).splitlines():
            address, kind, name = line.split(" ", 2)
            if kind in "tT" and name.startswith("$s"):
                self.addresses[name] = address

    def command(self, program: pathlib.Path, port: int, folder: pathlib.Path, arguments: list) -> list:
        """Returns the command of a server that does nothing by itself while its requests are counted."""
        return [
            program, "serve", "--http.port", port, "--http.loops", 1, "--http.idleTimeout", "1h", "--log.level", "error",
            "--sessions.durability", "disk", "--sessions.hibernateAfter", "1h", "--sessions.stateDirectory", folder / "state",
            "--sessions.turnWarning", "1h", "--stream.keepAlive", "1h", "--access.cookie", "false", *arguments]

    def steps(self, requests: list) -> list:
        """Returns the functions in the sources that the requests call, in the order of the files."""
        symbols = [symbol for symbol in steady(requests) if symbol in self.addresses]
        trees = filtered(["swift", "demangle", "--tree-only"], symbols).split("Demangling for ")[1:]
        symbols = [symbol for symbol, tree in zip(symbols, trees, strict=True) if is_written(tree)]
        names = filtered(["swift", "demangle", "--compact", "--simplified"], symbols).splitlines()
        places = filtered(["addr2line", "-e", self.binary], [self.addresses[symbol] for symbol in symbols]).splitlines()
        found = {}
        for symbol, name, place in zip(symbols, names, places, strict=True):
            if written := declaration(place):
                # The specializations of a function, and both functions of an initializer of a class, have the same place.
                count = sum(request[symbol] for request in requests) / len(requests)
                others = found[written].calls if written in found else 0
                found[written] = Step(*written, name.replace("__allocating_init", "init"), max(count, others))
        return sorted(found.values())


def steady(requests: list) -> list:
    """Returns the functions that at least their share of the requests call."""
    callers = collections.Counter(name for request in requests for name in request)
    return sorted(name for name, count in callers.items() if count >= SHARE * len(requests))


def is_written(tree: str) -> bool:
    """Returns whether a symbol is a function or an initializer, and neither an accessor, a closure, a thunk nor `defer`."""
    kinds = [child if kind == "Static" else kind for kind, child in NODE.findall(tree) if kind not in SPECIALIZATIONS]
    return bool(kinds) and kinds[0] in WRITTEN and 'text="$defer"' not in tree


def declaration(place: str):
    """Returns the file and line of a function in the sources, or None if it is none of them or is not written there."""
    path, _, line = place.split(" ")[0].rpartition(":")
    _, folder, rest = path.rpartition("/Sources/")
    if not folder:
        return None
    file = f"Sources/{rest}"
    lines = (ROOT / file).read_text().split("\n") if (ROOT / file).exists() else []
    text = lines[int(line) - 1] if 0 < int(line) <= len(lines) else ""
    if FUNCTION.match(text):
        return file, int(line)
    # The compiler's initializer has the line of its type.
    if DECLARATION.match(text):
        return None
    raise Failure(f"the program was not built from these sources: expected a function at {file}:{line}, got {text.strip()!r}")


def filtered(command: list, lines: list) -> str:
    """Returns the output of a command for the lines as its input."""
    try:
        done = subprocess.run(
            [str(part) for part in command], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
            timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} took more than {PATIENCE} seconds") from None
    if done.returncode:
        raise Failure(f"{command[0]} failed: {done.stderr[-500:]}")
    return done.stdout


def calls(text: str) -> collections.Counter:
    """Returns the calls of each function in a file of callgrind."""
    names, found, called = {}, collections.Counter(), ""
    for line in text.splitlines():
        if line.startswith("calls="):
            found[called] += int(line[6:].split()[0])
        elif match := NAME.match(line):
            if match[3]:
                # A recursive call has a name of its own.
                names[match[2]] = RECURSION.sub("", match[3])
            if match[1]:
                called = names[match[2]]
    return found


def await_ready(server: Server) -> None:
    """Waits until the server has opened its sessions."""
    deadline = time.monotonic() + PATIENCE
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", server.ports["http1"], timeout=PATIENCE)
        try:
            connection.request("GET", "/health/ready")
            if connection.getresponse().status == 200:
                return
        finally:
            connection.close()
        if time.monotonic() > deadline:
            raise Failure(f"the server is not ready: {server.log.read_text()[-500:]}")
        time.sleep(0.1)


def counted(server: CountedServer, requests) -> list:
    """Returns the calls of each request that is counted. The given requests are functions that send one and read its response."""
    requests = iter(requests)
    for _ in range(WARM_UP):
        next(requests)()
    server.take_calls()
    found = []
    for _ in range(COUNTED):
        next(requests)()
        found.append(server.take_calls())
    return found


def post(tools: Tools, folder: pathlib.Path) -> list:
    """Returns the steps of an input whose change a stream shows."""
    server = CountedServer(tools, folder)
    try:
        client = HTTP1(server.port, False)
        path = client.make_session()
        client.open_stream(path)
        return tools.steps(counted(server, itertools.repeat(lambda: client.send("POST", f"{path}/inputs/increment"))))
    finally:
        server.stop()


def restore(tools: Tools, folder: pathlib.Path) -> list:
    """Returns the steps of the first request of a session after a restart of the server."""
    port = free_ports(1)[0]
    server = Server("former", tools.command(tools.binary, port, folder, []), {"http1": port}, folder)
    try:
        await_ready(server)
        client = HTTP1(port, False)
        paths = [client.make_session() for _ in range(WARM_UP + COUNTED)]
        for path in paths:
            client.send("POST", f"{path}/inputs/increment")
    finally:
        server.stop()
    server = CountedServer(tools, folder)
    try:
        client = HTTP1(server.port, False)
        return tools.steps(counted(server, (functools.partial(client.send, "GET", path) for path in paths)))
    finally:
        server.stop()


def stream(tools: Tools, folder: pathlib.Path) -> list:
    """Returns the steps of a stream that is opened with an API key. Each has a session of its own, and is the first request with a key
    of its connection."""
    keys = folder / "api.keys"
    key = output([tools.binary, "keys", "new", "measures", "--access.apiKeys", keys], PATIENCE).split()[-1]
    server = CountedServer(tools, folder, ["--access.apiKeys", keys])
    try:
        owner = KeyClient(server.port, key)
        # Before the first one that is counted: neither the new sessions nor the accepted connections are steps.
        streams = [(KeyClient(server.port, key), owner.make_session()) for _ in range(WARM_UP + COUNTED)]
        return tools.steps(counted(server, (functools.partial(client.open, path) for client, path in streams)))
    finally:
        server.stop()


class KeyClient(HTTP1):
    """A connection that the server has accepted, and an API key."""

    def __init__(self, port: int, key: str):
        super().__init__(port, False)
        self.fields = ""
        self.request("GET", "/health/live")
        self.fields = f"Authorization: Bearer {key}\r\n"

    def request(self, method: str, path: str, fields: str = "", body: str = "") -> bytes:
        return super().request(method, path, self.fields + fields, body)

    def open(self, path: str) -> None:
        """Opens a stream over this connection, and reads its first event."""
        self.socket.sendall(
            f"GET {path}/outputs HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n{self.fields}\r\n".encode())
        self.stream = self.socket
        self.await_event(b"event: snapshot")


PATHS = {POST: post, RESTORE: restore, STREAM: stream}
