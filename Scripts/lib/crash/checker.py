"""Judges what clients saw of sessions, by the rules of `SessionChecker` in JournalTesting."""

import threading


class Known:
    """What is known about one session."""

    def __init__(self):
        self.epoch = None
        self.newest = 0
        self.changes = {}
        self.outputs = {}
        self.responses = {}
        self.sent = set()
        self.acknowledged = {}


class Checker:
    """Collects what all clients see. May be used by several threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.sessions = {}
        self.creations = {}
        self.found = {kind: [] for kind in ("lost", "twice", "contents", "uneven", "sessions", "epochs")}
        # Marks that the server adds.
        self.added = set()
        self.acknowledged = 0
        self.resumed = 0
        self.restarted = 0

    def report(self, kind: str, text: str) -> None:
        self.found[kind].append(text)

    @property
    def violations(self) -> list:
        return [f"{kind}: {text}" for kind, texts in self.found.items() for text in texts]

    def created(self, session: str, key: str) -> None:
        with self.lock:
            self.sessions.setdefault(session, Known())
            first = self.creations.setdefault(key, session)
            if first != session:
                self.report("twice", f"the key {key} created {first} and {session}")

    def send(self, session: str, marks: list) -> None:
        with self.lock:
            self.sessions[session].sent.update(marks)

    def acknowledge(self, session: str, marks: list, key: str, version: int, change: str) -> None:
        with self.lock:
            known = self.sessions[session]
            self.acknowledged += 1
            first = known.responses.setdefault(key, (version, change))
            if first != (version, change):
                self.report("twice", f"{session}: the key {key} was answered with versions {first[0]} and {version}")
            for mark in marks:
                known.acknowledged[mark] = version
            known.newest = max(known.newest, version)
            self._compare(session, known.changes, version, change)

    def floor(self, session: str) -> int:
        """Returns the version that a request that is sent now must show at least."""
        with self.lock:
            return self.sessions[session].newest

    def changed(self, session: str, epoch: str, version: int, change: str) -> None:
        with self.lock:
            self._note(session, epoch)
            known = self.sessions[session]
            known.newest = max(known.newest, version)
            self._compare(session, known.changes, version, change)

    def showed(self, session: str, version: int, outputs: dict, floor: int = 0, epoch: str = None) -> None:
        """Records the outputs of a session."""
        with self.lock:
            if epoch:
                self._note(session, epoch)
            known = self.sessions[session]
            if version < floor:
                self.report("lost", f"{session}: expected version {floor} or a later one, got {version}")
            known.newest = max(known.newest, version)
            self._compare(session, known.outputs, version, outputs)
            self._check_marks(session, known, version, outputs.get("marks", []))

    def uneven(self, session: str, text: str) -> None:
        with self.lock:
            self.report("uneven", f"{session}: {text}")

    def missing(self, session: str, status: int) -> None:
        with self.lock:
            self.report("sessions", f"{session}: expected the session to last, got {status}")

    def began(self, event: str, isFirst: bool) -> None:
        """Records how a stream began."""
        with self.lock:
            if event == "resume":
                self.resumed += 1
            elif not isFirst:
                self.restarted += 1

    def _note(self, session: str, epoch: str) -> None:
        known = self.sessions[session]
        if known.epoch not in (None, epoch):
            self.report("epochs", f"{session}: expected the epoch {known.epoch}, got {epoch}")
        known.epoch = epoch

    def _compare(self, session: str, contents: dict, version: int, content) -> None:
        first = contents.setdefault(version, content)
        if first != content:
            self.report("contents", f"{session}: version {version} was {first}, and {content}")

    def _check_marks(self, session: str, known: Known, version: int, marks: list) -> None:
        shown = set(marks)
        if len(shown) != len(marks):
            self.report("twice", f"{session}: version {version} has a mark twice: {marks}")
        if not shown <= known.sent | self.added:
            self.report("twice", f"{session}: version {version} has marks that were never sent: {shown - known.sent}")
        lost = [mark for mark, since in known.acknowledged.items() if since <= version and mark not in shown]
        if lost:
            self.report("lost", f"{session}: version {version} is without {lost}")
