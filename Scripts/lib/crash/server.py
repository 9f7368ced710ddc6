"""The server that is killed."""

import http.client
import os
import pathlib
import re
import signal
import subprocess
import time

from crash.waiting import PATIENCE, Failure, wait_for
from held_port import HeldPort

# The message of a server that blames a session for the end of the server before it.
BLAME = "a session ended the process before this one"
# The message at the end of a takeover, with the process if it has succeeded.
TAKEOVER_ENDS = re.compile(r"new server has taken over pid=(\d+)\s|takeover failed")


class Server:
    def __init__(self, binary: str, folder: pathlib.Path, isEarly: bool, durability: str):
        # Nobody else gets it while the server is down.
        self.held = HeldPort()
        self.port = port = self.held.number
        self.log = folder / "server.log"
        self.build = folder / "build"
        state = folder / "state"
        if isEarly:
            self.command = [binary, "early", str(port), str(state)]
        else:
            self.command = [
                binary, "serve", "--http.port", str(port), "--sessions.stateDirectory", str(state),
                "--sessions.durability", durability, "--sessions.historyChanges", "1000",
                "--sessions.historyBytes", "1MiB", "--sessions.idempotencyKeys", "100000",
                "--sessions.idempotencyBytes", "8MiB", "--sessions.maxSessionBytes", "64MiB", "--log.level", "info",
                "--http.drainTimeout", "4s", "--http.takeoverTimeout", f"{PATIENCE}s",
            ]
        self.process = None
        # The process that a server has started to replace itself, which is not a child of this one.
        self.successor = None

    def start(self) -> float:
        """Starts the server. Returns the seconds until its first response."""
        began = time.monotonic()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GRANARY_")}
        environment["CRASH_TEST_BUILD"] = str(self.build)
        # Writing the backtrace of a trap takes longer than all the rest.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        while True:
            if self.process.poll() is not None:
                raise Failure(f"the server did not start: {self.log.read_text()[-1000:]}")
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
                connection.request("GET", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA")
                connection.getresponse().read()
                connection.close()
                return time.monotonic() - began
            except (OSError, http.client.HTTPException):
                if time.monotonic() - began > PATIENCE:
                    raise Failure(f"the server did not answer within {PATIENCE} s") from None
                time.sleep(0.002)

    def kill(self) -> None:
        """Ends the process as kill -9 does."""
        if self.successor is not None:
            end(self.successor)
            self.successor = None
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
        if self.process is not None:
            self.process.wait()

    def replace(self, build: int) -> float:
        """Deploys a build with SIGUSR2. Returns the seconds until the new server has taken over."""
        began = time.monotonic()
        self.build.write_text(str(build))
        start = self.log.stat().st_size
        os.kill(self.successor or self.process.pid, signal.SIGUSR2)
        # The server gives up after its own limit, for the start and for opening the sessions.
        found = wait_for("the end of the takeover", lambda: self.find(TAKEOVER_ENDS, start), 3 * PATIENCE)
        if not found[1]:
            raise Failure(f"the new server has not taken over: {self.log.read_text(errors='replace')[-1000:]}")
        self.successor = int(found[1])
        return time.monotonic() - began

    def find(self, pattern: re.Pattern, start: int):
        """Returns the first match in the log after a number of bytes."""
        return pattern.search(self.log.read_bytes()[start:].decode(errors="replace"))

    def count(self, text: str) -> int:
        """Returns how often a text is in the log."""
        return self.log.read_text(errors="replace").count(text)


def end(process: int) -> None:
    """Kills a process that is not a child, and waits for its end."""
    try:
        os.kill(process, signal.SIGKILL)
        # An orphan that nobody has reaped has no command line.
        wait_for(f"the end of process {process}", lambda: not pathlib.Path(f"/proc/{process}/cmdline").read_bytes())
    except (ProcessLookupError, FileNotFoundError):
        pass
