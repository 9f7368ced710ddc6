"""Clients that send inputs with keys, and that follow streams."""

import contextlib
import http.client
import itertools
import json
import threading
import time
import uuid

from crash.connection import Connection
from crash.waiting import PATIENCE, Failure, wait_for

MACHINES = ("ricemill", "unio", "composable", "observable", "plain")
# A client begins a new session after so many inputs, because the lists of marks grow.
INPUTS_PER_SESSION = 120


class Marks:
    """Numbers the marks of all clients."""

    def __init__(self):
        self.lock, self.numbers = threading.Lock(), itertools.count(1)

    def __call__(self) -> str:
        with self.lock:
            return f"m{next(self.numbers)}"


class Gate:
    """Lets clients send requests until it is closed."""

    def __init__(self):
        self.changed = threading.Condition()
        self.is_open = True
        # The number of requests in flight.
        self.inside = 0

    def __enter__(self) -> None:
        with self.changed:
            self.changed.wait_for(lambda: self.is_open)
            self.inside += 1

    def __exit__(self, *_) -> None:
        with self.changed:
            self.inside -= 1
            self.changed.notify_all()

    @contextlib.contextmanager
    def closed(self):
        """Waits until no request is in flight, and lets no other begin before the end of the context."""
        with self.changed:
            self.is_open = False
        try:
            with self.changed:
                if not self.changed.wait_for(lambda: self.inside == 0, PATIENCE):
                    raise Failure(f"waited {PATIENCE} s for: no request is in flight")
            yield
        finally:
            with self.changed:
                self.is_open = True
                self.changed.notify_all()


class Client(threading.Thread):
    """A thread that ends when it is asked to, and keeps its own error."""

    def __init__(self, port: int, checker, random, gate: Gate = None):
        super().__init__(daemon=True)
        self.port, self.checker, self.random = port, checker, random
        self.gate = gate or Gate()
        self.stopping = threading.Event()
        self.error = None
        # The number of inputs that were acknowledged, or of events that arrived.
        self.count = 0

    def run(self) -> None:
        try:
            self.work()
        except Exception as error:  # Reported by the main thread, which must not report success without this client.
            self.error = error


class Writer(Client):
    """Uses one session of a machine after another."""

    def __init__(self, port: int, checker, random, machine: str, mark, gate: Gate = None):
        super().__init__(port, checker, random, gate)
        self.machine, self.mark = machine, mark
        self.limit = INPUTS_PER_SESSION
        # The share of answered keys that are repeated, which must not run them again.
        self.repeated = 0.1
        self.connection = Connection(port)
        self.sessions = []

    def work(self) -> None:
        # The number of the last session's inputs; none before the first session.
        count = self.limit
        while not self.stopping.is_set():
            with self.gate:
                if count >= self.limit:
                    self.sessions.append(create(self.connection, self.checker, self.machine))
                    count = 0
                # A session that does not exist is found out once.
                count = count + 1 if self.send(self.sessions[-1]) else self.limit

    def send(self, session: str) -> bool:
        """Sends an input. Returns whether its session exists."""
        marks = [self.mark() for _ in range(self.random.choice([1, 1, 1, 2]))]
        key = str(uuid.UUID(int=self.random.getrandbits(128)))
        if len(marks) == 1:
            path, body = f"{session}/inputs/note", marks[0]
        else:
            path, body = f"{session}/inputs", [{"input": "note", "value": mark} for mark in marks]
        self.checker.record("sent", session, marks=marks)
        exists = self.await_answer(session, path, body, key, marks)
        if exists and self.random.random() < self.repeated:
            exists = self.await_answer(session, path, body, key, marks)
        return exists

    def await_answer(self, session: str, path: str, body, key: str, marks: list) -> bool:
        status, _, text = self.connection.insist("POST", path, body, key)
        if status in (404, 410):
            self.checker.missing(session, status)
            return False
        if status != 200:
            raise RuntimeError(f"expected status 200, got {status}: {text}")
        version, change = split(text)
        self.checker.record("acknowledged", session, marks=marks, key=key, version=version, change=change)
        self.count += 1
        return True


class Reader(Client):
    """Follows the newest session of a writer, and reconnects with the position that it has reached."""

    def __init__(self, port: int, checker, random, writer: Writer):
        super().__init__(port, checker, random, writer.gate)
        self.writer = writer
        self.session = None
        self.position = None
        self.outputs = {}

    def work(self) -> None:
        while not self.stopping.is_set():
            if not self.writer.sessions:
                time.sleep(0.01)
                continue
            if self.writer.sessions[-1] != self.session:
                self.session, self.position, self.outputs = self.writer.sessions[-1], None, {}
            try:
                self.follow()
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)

    def follow(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            headers = {"Accept": "text/event-stream"}
            if self.position:
                headers["Last-Event-ID"] = self.position
            floor = self.checker.floor(self.session)
            with self.gate:
                connection.request("GET", f"{self.session}/outputs", headers=headers)
                response = connection.getresponse()
            if response.status in (204, 404, 410):
                self.checker.missing(self.session, response.status)
                time.sleep(0.1)
                return
            if response.status != 200:
                time.sleep(0.01)
                return
            self.read(response, floor)
        finally:
            connection.close()

    def read(self, response, floor: int) -> None:
        isFirst, event = True, {}
        for line in iter(response.readline, b""):
            text = line.decode().rstrip("\n")
            if text:
                name, _, value = text.partition(": ")
                event[name] = value
                continue
            if "data" in event:
                if self.take(event, isFirst, floor if isFirst else 0):
                    return
                isFirst = False
            event = {}
            if self.stopping.is_set() or self.writer.sessions[-1] != self.session:
                return

    def take(self, event: dict, isFirst: bool, floor: int) -> bool:
        """Takes an event. Returns whether it was the last."""
        kind = event.get("event")
        if kind == "end":
            return True
        epoch, _, number = event["id"].partition(".")
        version = int(number)
        before = int(self.position.partition(".")[2]) if self.position else None
        if isFirst:
            self.checker.began(kind, before is None)
        if kind == "change":
            if before is not None and version != before + 1:
                self.checker.record("fault", self.session, detail=f"version {version} follows {before}")
            self.checker.record("change", self.session, change=event["data"], version=version, epoch=epoch)
            self.outputs.update(json.loads(event["data"]))
        elif kind == "snapshot":
            self.outputs = json.loads(event["data"])
        elif version != before:
            self.checker.record("fault", self.session, detail=f"resumed at version {version} instead of {before}")
        self.position = event["id"]
        self.count += 1
        # A stream that resumes shows the rest of the changes right behind, so only a snapshot must be new enough.
        self.checker.showed(
            self.session, version, dict(self.outputs), floor if kind == "snapshot" else 0, epoch)
        return False


class Typist(Client):
    """Types into one session of the Ricemill machine, which searches when the typing has paused for 300 ms."""

    def __init__(self, port: int, checker, random):
        super().__init__(port, checker, random)
        self.connection = Connection(port)
        self.session = None
        self.typed = []

    def type(self, text: str) -> None:
        """Types a text. Returns when the keystroke is acknowledged."""
        self.session = self.session or create(self.connection, self.checker, "ricemill")
        key = str(uuid.UUID(int=self.random.getrandbits(128)))
        status, _, answer = self.connection.insist("POST", f"{self.session}/inputs/text", text, key)
        if status != 200:
            self.checker.missing(self.session, status)
            return
        self.typed.append(text)

    def missing(self) -> list:
        """Waits until all texts were searched for. Returns the ones that were not, or more than once."""
        if not self.session:
            return []
        deadline = time.monotonic() + PATIENCE
        while True:
            is_late = time.monotonic() > deadline
            _, _, text = self.connection.insist("GET", f"{self.session}/outputs")
            searches = json.loads(text).get("searches", [])
            wrong = [text for text in self.typed if searches.count(text) != 1]
            if not wrong or is_late:
                return wrong
            time.sleep(0.05)


def await_progress(clients: list) -> None:
    """Waits until each writer has an acknowledgement, and each reader an event, that it did not have at the call, or has failed."""
    before = {client: client.count for client in clients}
    wait_for("each client makes progress", lambda: all(
        client.error or client.count > count for client, count in before.items()))


def stop(clients: list) -> None:
    """Stops clients, and throws a Failure if one of them has failed."""
    for client in clients:
        client.stopping.set()
    for client in clients:
        client.join(PATIENCE)
    for client in clients:
        if client.error is not None:
            raise Failure(f"a client failed: {client.error!r}")
        if client.is_alive():
            raise Failure(f"a client got no answer within {PATIENCE} s")


def create(connection: Connection, checker, machine: str) -> str:
    """Creates a session with a key and returns its path."""
    key = str(uuid.uuid4())
    status, fields, text = connection.insist("POST", "/v1/sessions", {"machine": machine}, key)
    if status != 201:
        raise RuntimeError(f"expected status 201, got {status}: {text}")
    checker.record("created", fields["Location"], key=key)
    return fields["Location"]


def split(text: str) -> tuple:
    """Returns the version and the text of the changes of a response."""
    head, _, rest = text.partition(',"changes":')
    return int(head.rpartition(":")[2]), rest[:-1]


def look(connection: Connection, checker, session: str) -> None:
    """Reads a session and checks it."""
    floor = checker.floor(session)
    status, fields, text = connection.insist("GET", f"{session}/outputs")
    if status != 200:
        return checker.missing(session, status)
    checker.showed(session, int(fields["ETag"].strip('"').rpartition(".")[2]), json.loads(text), floor)
