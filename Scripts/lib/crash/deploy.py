"""Deploys a build with a migration under load, and rolls back."""

import http.client
import json
import pathlib
import random
import time
import uuid

from crash.checker import Checker
from crash.clients import MACHINES, Marks, Reader, Writer, look
from crash.connection import Connection
from crash.server import Failure, Server
from http_bench.processes import free_ports

# The mark that the migration of build 2 adds to the list of each session.
MIGRATED = "migrated"


class DeployTest:
    def __init__(self, options, folder: pathlib.Path):
        self.random = random.Random(options.seed)
        self.options = options
        self.port = free_ports(1)[0]
        self.server = Server(options.binary, self.port, folder, False, options.durability)
        self.checker = Checker()
        self.checker.added = {MIGRATED}
        self.exchanges = []
        self.problems = []
        self.refused = 0
        self.counts = {"old": 0, "new": 0, "migrated": 0}

    def run(self) -> None:
        self.server.build.write_text("1")
        try:
            self.server.start()
            clients = self.begin_load()
            time.sleep(1.5)
            old = self.acknowledged()
            # The second deployment of the same build meets streams that have resumed.
            for build in (2, 2):
                self.exchanges.append(self.server.replace(build))
                time.sleep(1.5)
            self.end_load(clients)
            self.check_migration(old)
            self.check_rollback(old)
        finally:
            self.server.kill()

    def begin_load(self) -> list:
        marks = Marks()
        writers = [
            Writer(self.port, self.checker, self.fork(), machine, marks) for machine in MACHINES for _ in range(2)]
        # The others create sessions in each build. These have streams that are in use during each exchange.
        for writer in writers[::2]:
            writer.limit = 1_000_000
        clients = writers + [Reader(self.port, self.checker, self.fork(), writer) for writer in writers]
        for client in clients:
            client.start()
        return clients

    def fork(self) -> random.Random:
        return random.Random(self.random.getrandbits(64))

    def end_load(self, clients: list) -> None:
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join(30)
            if client.error is not None:
                raise Failure(f"a client failed: {client.error!r}")
            if client.is_alive():
                raise Failure("a client got no answer within 30 seconds")
        self.refused = sum(client.connection.refused for client in clients if isinstance(client, Writer))

    def acknowledged(self) -> dict:
        """Returns the acknowledged marks of each session."""
        with self.checker.lock:
            return {session: set(known.acknowledged) for session, known in self.checker.sessions.items()}

    def outputs(self, session: str) -> tuple:
        """Returns the status and the marks of a session."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", f"{session}/outputs")
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, json.loads(text).get("marks", []) if response.status == 200 else []

    def check_migration(self, old: dict) -> None:
        """Checks that build 2 has migrated every session of build 1, and lost nothing."""
        connection = Connection(self.port)
        for session, known in self.acknowledged().items():
            look(connection, self.checker, session)
            status, marks = self.outputs(session)
            if status != 200 or not known <= set(marks):
                self.problems.append(f"{session}: expected all marks, got {status} {marks}")
            # A session that had no mark before the migration has nothing to migrate.
            if old.get(session):
                self.counts["old"] += 1
                self.counts["migrated"] += marks.count(MIGRATED)
                if marks.count(MIGRATED) != 1:
                    self.problems.append(f"{session}: expected one migration, got {marks.count(MIGRATED)}")
        self.problems += self.checker.violations
        if not self.checker.resumed:
            self.problems.append("expected streams to resume, none did")

    def check_rollback(self, old: dict) -> None:
        """Checks that build 1 has the sessions as they were before their migration, and build 2 has its own ones again."""
        everything = self.acknowledged()
        dormant = set()
        self.exchanges.append(self.server.replace(1))
        for session, known in everything.items():
            status, marks = self.outputs(session)
            if old.get(session):
                if status != 200 or MIGRATED in marks or not old[session] <= set(marks):
                    self.problems.append(f"{session}: expected its state before the migration, got {status} {marks}")
                self.check_input(session, len(marks))
            elif status == 503:
                dormant.add(session)
        self.counts["new"] = len(dormant)
        self.exchanges.append(self.server.replace(2))
        for session, known in everything.items():
            status, marks = self.outputs(session)
            if session in dormant and not known <= set(marks):
                self.problems.append(f"{session}: expected all marks after the rollback, got {status} {marks}")
            if old.get(session) and marks.count(MIGRATED) != 1:
                self.problems.append(f"{session}: expected another migration, got {status} {marks}")

    def check_input(self, session: str, count: int) -> None:
        status, _, text = Connection(self.port).insist("POST", f"{session}/inputs/note", "m0", str(uuid.uuid4()))
        if status != 200 or len(self.outputs(session)[1]) != count + 1:
            self.problems.append(f"{session}: expected an input to work after the rollback, got {status} {text}")

    def verdict(self) -> str:
        slowest = max(self.exchanges) * 1000
        rows = [
            ("seed", self.options.seed), ("exchanges", len(self.exchanges)),
            ("inputs acknowledged", self.checker.acknowledged), ("violations", len(self.checker.violations)),
            ("requests refused with 503 meanwhile", self.refused), ("streams that resumed", self.checker.resumed),
            ("streams that began again in the same epoch", self.checker.restarted),
            ("sessions of the old build", self.counts["old"]), ("sessions migrated", self.counts["migrated"]),
            ("sessions of the new build, dormant in the old one", self.counts["new"]),
            ("slowest exchange", f"{slowest:.0f} ms"),
        ]
        return "\n".join(f"{name:52}{value}" for name, value in rows)
