"""The server that is killed."""

import http.client
import os
import pathlib
import subprocess
import time


class Failure(Exception):
    """The test could not be run; the message states the reason."""


class Server:
    def __init__(self, binary: str, port: int, folder: pathlib.Path, isEarly: bool, durability: str):
        self.port = port
        self.log = folder / "server.log"
        state = folder / "state"
        if isEarly:
            self.command = [binary, "early", str(port), str(state)]
        else:
            self.command = [
                binary, "serve", "--http.port", str(port), "--sessions.stateDirectory", str(state),
                "--sessions.durability", durability, "--sessions.historyChanges", "1000",
                "--sessions.historyBytes", "1MiB", "--log.level", "warning",
            ]
        self.process = None

    def start(self) -> float:
        """Starts the server. Returns the seconds until its first response."""
        began = time.monotonic()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GRANARY_")}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        while True:
            if self.process.poll() is not None:
                raise Failure(f"the server did not start: {self.log.read_text()[-1000:]}")
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                connection.request("GET", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA")
                connection.getresponse().read()
                connection.close()
                return time.monotonic() - began
            except (OSError, http.client.HTTPException):
                if time.monotonic() - began > 30:
                    raise Failure("the server did not answer within 30 seconds") from None
                time.sleep(0.002)

    def kill(self) -> None:
        """Ends the process as kill -9 does."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
