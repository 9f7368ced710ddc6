"""Ends the server by inputs that trap, and restarts it like a supervisor."""

import contextlib
import http.client
import json
import pathlib
import threading
import time
import uuid

from crash.clients import MACHINES, Client, await_progress, stop
from crash.connection import Connection, Cut, Refused
from crash.server import BLAME, Server
from crash.waiting import PATIENCE, Failure, wait_for

# The input that ends the process.
TRAP = "trap"
# A server that never starts again must not be started forever.
MOST_RESTARTS = 100


class Supervisor(threading.Thread):
    """Starts the server again whenever it has ended."""

    def __init__(self, server: Server):
        super().__init__(daemon=True)
        self.server, self.stopping, self.restarts, self.error = server, threading.Event(), 0, None

    def run(self) -> None:
        while not self.stopping.is_set():
            if self.server.process.poll() is not None:
                try:
                    self.server.start()
                except Failure as error:
                    # The next input that traps may arrive before the first response to the supervisor.
                    if self.restarts >= MOST_RESTARTS:
                        self.error = error
                        return
                except Exception as error:  # Reported by the main thread.
                    self.error = error
                    return
                self.restarts += 1
            time.sleep(0.005)


class Load(Client):
    """Sends inputs to a session."""

    def __init__(self, port: int, session: str):
        super().__init__(port, None, None)
        self.session = session

    def work(self) -> None:
        connection = Connection(self.port)
        while not self.stopping.is_set():
            if connection.insist("POST", f"{self.session}/inputs/note", "m4", until=self.stopping.is_set):
                self.count += 1


class TrapTest:
    def __init__(self, options, folder: pathlib.Path):
        self.options = options
        self.server = Server(options.binary, folder, False, options.durability)
        self.port = self.server.port
        self.connection = Connection(self.port)
        self.problems = []
        self.incidents = 0
        self.quarantined = 0
        self.blamed = 0
        self.restarts = 0

    def run(self) -> None:
        self.server.start()
        supervisor = Supervisor(self.server)
        supervisor.start()
        try:
            bystanders = {session: self.look(session) for session in self.sessions()}
            for session in self.sessions():
                self.poison(session)
                self.check(bystanders)
            # The log is written by a thread of its own.
            with contextlib.suppress(Failure):
                wait_for("all traps are logged", lambda: self.server.count(BLAME) >= 3 * len(MACHINES))
            self.blamed = self.server.count(BLAME)
            if self.blamed != 3 * len(MACHINES):
                self.problems.append(f"expected {3 * len(MACHINES)} traps in the log, got {self.blamed}")
            self.kill_in_turns(bystanders, supervisor)
            if self.server.count(BLAME) != self.blamed:
                self.problems.append("expected kill -9 to blame nobody")
        finally:
            supervisor.stopping.set()
            supervisor.join(PATIENCE)
            self.restarts = supervisor.restarts
            self.server.kill()
        if supervisor.error is not None:
            self.problems.append(f"the server did not start again: {supervisor.error}")

    def sessions(self) -> list:
        """Creates a session of each machine, with two marks."""
        created = []
        for machine in MACHINES:
            _, fields, _ = self.connection.insist("POST", "/v1/sessions", {"machine": machine}, str(uuid.uuid4()))
            for mark in ("m1", "m2"):
                self.note(fields["Location"], mark)
            created.append(fields["Location"])
        return created

    def note(self, session: str, mark: str, key: str = None) -> tuple:
        return self.connection.insist("POST", f"{session}/inputs/note", mark, key or str(uuid.uuid4()))

    def look(self, session: str) -> tuple:
        """Returns the version and the outputs of a session."""
        status, fields, text = self.connection.insist("GET", f"{session}/outputs")
        return status, fields.get("ETag"), json.loads(text)

    def poison(self, session: str) -> None:
        """Has a session end three processes."""
        before = self.look(session)
        for _ in range(2):
            key = str(uuid.uuid4())
            # The same key is sent until it is answered, as a client does whose connection was cut.
            status, fields, text = self.note(session, TRAP, key)
            if status != 500 or "incident" not in json.loads(text) or "Idempotency-Replayed" not in fields:
                self.problems.append(f"{session}: expected the incident for the key, got {status} {text}")
            self.incidents += 1
            if self.note(session, TRAP, key)[2] != text:
                self.problems.append(f"{session}: expected the same incident again")
            if self.look(session) != before:
                self.problems.append(f"{session}: expected the state before the input, got {self.look(session)}")
        if self.note(session, "m3")[0] != 200:
            self.problems.append(f"{session}: expected the next input to work")
        self.trap_once(session)
        status, text = self.read(session)
        if status == 503:
            self.quarantined += 1
        else:
            self.problems.append(f"{session}: expected quarantine after the third trap, got {status} {text}")

    def trap_once(self, session: str) -> None:
        """Sends an input that traps, and waits for the next process."""
        while True:
            try:
                self.connection.request("POST", f"{session}/inputs/note", TRAP)
                self.problems.append(f"{session}: expected no answer to an input that traps")
            except Refused:  # The server cannot run it yet.
                time.sleep(0.01)
                continue
            except Cut:  # The process has ended.
                self.connection.insist("GET", "/health/live")
            return

    def read(self, session: str) -> tuple:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", session)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, text

    def check(self, bystanders: dict) -> None:
        for session, before in bystanders.items():
            if self.look(session) != before:
                self.problems.append(f"{session}: expected {before}, got {self.look(session)}")

    def kill_in_turns(self, bystanders: dict, supervisor: Supervisor) -> None:
        """Kills the server while it runs turns."""
        clients = [Load(self.port, each) for each in bystanders]
        for client in clients:
            client.start()
        for _ in range(5):
            # Otherwise a kill might hit a process that has run no turn.
            await_progress(clients)
            restarts = supervisor.restarts
            self.server.process.kill()
            wait_for("the next process", lambda: supervisor.restarts > restarts or supervisor.error)
            if supervisor.error is not None:
                break
        stop(clients)

    def verdict(self) -> str:
        rows = [
            ("restarts", self.restarts), ("inputs that trapped", self.blamed),
            ("keys with their incident", self.incidents), ("sessions quarantined", self.quarantined),
            ("problems", len(self.problems)),
        ]
        return "\n".join(f"{name:52}{value}" for name, value in rows)
