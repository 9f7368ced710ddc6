"""Writes down what clients saw of sessions, which the program CrashChecker judges by the rules of JournalTesting."""

import collections
import json
import pathlib
import subprocess
import threading

from crash.waiting import Failure


class Checker:
    """Collects what all clients see. May be used by several threads."""

    def __init__(self, program: str, log: pathlib.Path, added: list = ()):
        """Creates a checker. `added` are the marks that the server may add to each session."""
        self.program, self.log, self.added = program, log, list(added)
        self.lock, self.file = threading.Lock(), log.open("w")
        # The newest version and the acknowledged marks of each session.
        self.newest = {}
        self.acknowledged = collections.defaultdict(set)
        self.acknowledgements = 0
        self.resumed = 0
        self.restarted = 0
        self.violations = []

    def record(self, sighting: str, session: str, **values) -> None:
        """Records a sighting with the values of the case of `Sighting` that has its name."""
        with self.lock:
            self.newest[session] = max(self.newest.get(session, 0), values.get("version", 0))
            if sighting == "acknowledged":
                self.acknowledged[session].update(values["marks"])
                self.acknowledgements += 1
            self.write(sighting, session, **values)
            if sighting == "created":
                self.write("sent", session, marks=self.added)

    def write(self, sighting: str, session: str, **values) -> None:
        self.file.write(json.dumps({sighting: {"session": session, **values}}) + "\n")

    def showed(self, session: str, version: int, outputs: dict, floor: int = 0, epoch: str = None) -> None:
        """Records the outputs of a session."""
        texts = {name: json.dumps(value, sort_keys=True) for name, value in outputs.items()}
        self.record(
            "outputs", session, outputs=texts, marks=outputs.get("marks", []), version=version, epoch=epoch, floor=floor)

    def missing(self, session: str, status: int) -> None:
        self.record("end", session, detail=f"status {status}")

    def floor(self, session: str) -> int:
        """Returns the version that a request that is sent now must show at least."""
        with self.lock:
            return self.newest[session]

    def began(self, event: str, isFirst: bool) -> None:
        """Records how a stream began."""
        with self.lock:
            if event == "resume":
                self.resumed += 1
            elif not isFirst:
                self.restarted += 1

    def judge(self) -> None:
        """Finds the violations in what was recorded, in their order."""
        with self.lock:
            self.file.flush()
            with self.log.open() as log:
                run = subprocess.run([self.program], stdin=log, capture_output=True, text=True, check=False)
        if run.returncode:
            raise Failure(f"{self.program} ended with status {run.returncode}: {run.stderr}")
        self.violations = run.stdout.splitlines()

    def count(self, *kinds: str) -> int:
        """Returns the number of violations of kinds, such as `lost input`."""
        return sum(violation.startswith(tuple(f"{kind} in " for kind in kinds)) for violation in self.violations)
