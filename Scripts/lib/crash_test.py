"""Kills a server under load and checks what its clients saw. Scripts/crash-test builds the server first."""

import argparse
import pathlib
import random
import signal
import sys
import tempfile
import time

from crash.checker import Checker
from crash.clients import MACHINES, Gate, Marks, Reader, Typist, Writer, await_progress, create, look, stop
from crash.connection import Connection
from crash.deploy import DeployTest
from crash.server import BLAME, Server
from crash.traps import TrapTest
from crash.waiting import Failure


class Terminated(BaseException):
    """The run was ended by SIGTERM."""


def give_up(*_) -> None:
    raise Terminated


class Test:
    def __init__(self, options, folder: pathlib.Path):
        self.random = random.Random(options.seed)
        self.server = Server(options.binary, folder, options.early, options.durability)
        self.port = self.server.port
        self.gate = Gate()
        self.checker = Checker(options.checker, folder / "sightings")
        self.options = options
        self.starts = []
        self.unsearched = []
        self.blamed = 0

    def run(self) -> None:
        try:
            self.starts.append(self.server.start())
            marks = Marks()
            writers = [
                Writer(self.port, self.checker, self.fork(), machine, marks, self.gate)
                for machine in MACHINES for _ in range(3)]
            readers = [Reader(self.port, self.checker, self.fork(), writer) for writer in writers]
            typist = Typist(self.port, self.checker, self.fork())
            # Sends its inputs while the others send none.
            witness = Writer(self.port, self.checker, self.fork(), MACHINES[0], marks)
            witness.repeated = 0
            for client in writers + readers:
                client.start()
            for number in range(self.options.rounds):
                # Without clients that are served, a kill proves nothing.
                await_progress(writers + readers)
                if self.options.early:
                    self.kill_after(witness)
                else:
                    self.round(number, typist)
            stop(writers + readers)
            self.finish(writers)
        finally:
            self.server.kill()

    def fork(self) -> random.Random:
        return random.Random(self.random.getrandbits(64))

    def round(self, number: int, typist: Typist) -> None:
        time.sleep(self.random.uniform(0.02, 0.4))
        # Between a keystroke and the end of its debounce of 300 ms.
        typist.type(f"text {number}")
        time.sleep(self.random.uniform(0, 0.25))
        self.server.kill()
        self.starts.append(self.server.start())
        # The next keystroke would replace this one.
        self.unsearched += typist.missing()
        typist.typed.clear()

    def kill_after(self, witness: Writer) -> None:
        """Kills a server that acknowledges too early after an acknowledgement, before any other request has it store the input."""
        session = create(witness.connection, self.checker, witness.machine)
        with self.gate.closed():
            witness.send(session)
            self.server.kill()
        self.starts.append(self.server.start())
        look(witness.connection, self.checker, session)

    def finish(self, writers: list) -> None:
        self.server.kill()
        self.starts.append(self.server.start())
        connection = Connection(self.port)
        for writer in writers:
            for session in writer.sessions:
                look(connection, self.checker, session)
        self.checker.judge()
        self.blamed = self.server.count(BLAME)

    def verdict(self) -> str:
        count = self.checker.count
        slowest = max(self.starts) * 1000
        median = sorted(self.starts)[len(self.starts) // 2] * 1000
        rows = [
            ("seed", self.options.seed), ("kills", self.options.rounds + 1),
            ("inputs acknowledged", self.checker.acknowledgements), ("sessions", len(self.checker.newest)),
            ("acknowledged inputs or versions lost", count("lost input", "lost version")),
            ("sessions lost", count("lost session")), ("versions with two contents", count("two contents")),
            ("inputs run twice, or never sent", count("repeated input", "invented input")),
            ("streams with a gap", count("uneven versions")), ("streams that resumed", self.checker.resumed),
            ("streams that began again in the same epoch", self.checker.restarted),
            ("streams in a new epoch", count("new epoch")),
            ("keystrokes not searched for exactly once", len(self.unsearched)),
            ("sessions blamed for a kill", self.blamed),
            ("first response after a start", f"{median:.0f} ms, at most {slowest:.0f} ms"),
        ]
        return "\n".join(f"{name:48}{value}" for name, value in rows)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/crash-test")
    parser.add_argument("binary", help=argparse.SUPPRESS)
    parser.add_argument("checker", help=argparse.SUPPRESS)
    parser.add_argument("rounds", nargs="?", type=int, default=20, metavar="N", help="the number of kills")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--early", action="store_true", help="use a journal that acknowledges too early")
    parser.add_argument("--deploy", action="store_true", help="deploy another build with SIGUSR2 instead, and roll back")
    parser.add_argument("--traps", action="store_true", help="end the server by inputs that trap instead")
    parser.add_argument("--durability", choices=["process", "disk"], default="disk")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, give_up)
    with tempfile.TemporaryDirectory(prefix="crash-test-") as name:
        kind = DeployTest if options.deploy else TrapTest if options.traps else Test
        test = kind(options, pathlib.Path(name))
        try:
            test.run()
        except (Terminated, KeyboardInterrupt):
            sys.exit(f"the run was aborted (seed {options.seed})")
        except Failure as failure:
            sys.exit(f"{failure} (seed {options.seed})")
    print(test.verdict())
    if options.deploy or options.traps:
        for problem in test.problems[:20]:
            print(problem, file=sys.stderr)
        print("failed" if test.problems else "passed")
        return 1 if test.problems else 0
    violations = test.checker.violations + [f"search: {text}" for text in test.unsearched]
    violations += ["blame: a session is blamed for a kill"] * test.blamed
    if options.early:
        found = test.checker.count("lost input", "lost version", "lost session")
        print("loss was found, as expected" if found else "expected to find loss, found none")
        return 0 if found else 1
    for violation in violations[:20]:
        print(violation, file=sys.stderr)
    print("passed" if not violations and test.checker.resumed else "failed")
    return 0 if not violations and test.checker.resumed else 1


if __name__ == "__main__":
    sys.exit(main())
