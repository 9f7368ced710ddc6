"""Deploys a build with a migration under load, and rolls back."""

import contextlib
import http.client
import json
import pathlib
import random
import uuid

from crash.checker import Checker
from crash.clients import INPUTS_PER_SESSION, MACHINES, Marks, Reader, Writer, await_progress, look, stop
from crash.connection import Connection
from crash.server import Server
from crash.waiting import PATIENCE, wait_for

# The mark that the migration of build 2 adds to the list of each session.
MIGRATED = "migrated"


class DeployTest:
    def __init__(self, options, folder: pathlib.Path):
        self.random = random.Random(options.seed)
        self.options = options
        self.server = Server(options.binary, folder, False, options.durability)
        self.port = self.server.port
        self.checker = Checker(options.checker, folder / "sightings", [MIGRATED])
        self.exchanges = []
        self.problems = []
        self.refused = 0
        self.counts = {"old": 0, "new": 0, "migrated": 0}

    def run(self) -> None:
        self.server.build.write_text("1")
        try:
            self.server.start()
            writers, readers = self.begin_load()
            self.await_load(writers, readers)
            old = self.acknowledged()
            # The second deployment of the same build meets streams that have resumed.
            for build in (2, 2):
                self.exchanges.append(self.server.replace(build))
                self.await_load(writers, readers)
            stop(writers + readers)
            self.refused = sum(writer.connection.refused for writer in writers)
            self.check_migration(old)
            self.check_rollback(old)
        finally:
            self.server.kill()

    def begin_load(self) -> tuple:
        marks = Marks()
        writers = [
            Writer(self.port, self.checker, self.fork(), machine, marks) for machine in MACHINES for _ in range(2)]
        # The others create sessions in each build. These have streams that are in use during each exchange.
        for writer in writers[::2]:
            writer.limit = 1_000_000
        readers = [Reader(self.port, self.checker, self.fork(), writer) for writer in writers]
        for client in writers + readers:
            client.start()
        return writers, readers

    def await_load(self, writers: list, readers: list) -> None:
        """Waits until the server has answered all clients, and has new sessions with marks."""
        counts = [len(writer.sessions) for writer in writers]
        await_progress(writers + readers)
        wait_for("sessions of this build", lambda: all(
            writer.error or writer.limit > INPUTS_PER_SESSION or len(writer.sessions) > count
            for writer, count in zip(writers, counts)))
        await_progress(writers + readers)

    def fork(self) -> random.Random:
        return random.Random(self.random.getrandbits(64))

    def acknowledged(self) -> dict:
        """Returns the acknowledged marks of each session."""
        with self.checker.lock:
            return {session: set(self.checker.acknowledged[session]) for session in self.checker.newest}

    def outputs(self, session: str) -> tuple:
        """Returns the status and the marks of a session."""
        status, text = wait_for(f"an answer for {session}", lambda: self.answer(session))
        return status, json.loads(text).get("marks", []) if status == 200 else []

    def answer(self, session: str):
        """Returns the status and the text of the response; nothing if the server cannot respond yet."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", f"{session}/outputs")
            response = connection.getresponse()
            text = response.read().decode()
        # A session that the build cannot read has an incident. Without one, the refusal passes.
        if response.status in (408, 429) or response.status == 503 and "incident" not in json.loads(text):
            return None
        return response.status, text

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
        self.checker.judge()
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
            ("inputs acknowledged", self.checker.acknowledgements), ("violations", len(self.checker.violations)),
            ("requests refused with 503 meanwhile", self.refused), ("streams that resumed", self.checker.resumed),
            ("streams that began again in the same epoch", self.checker.restarted),
            ("sessions of the old build", self.counts["old"]), ("sessions migrated", self.counts["migrated"]),
            ("sessions of the new build, dormant in the old one", self.counts["new"]),
            ("slowest exchange", f"{slowest:.0f} ms"),
        ]
        return "\n".join(f"{name:52}{value}" for name, value in rows)
