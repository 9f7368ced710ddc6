"""The framework for HTTP/2 cases: what a case sends, and the results that RFC 9113 allows.

The cases are kept in Python for independence: they share no code with the server or its Swift tests.
"""

from dataclasses import dataclass
from typing import Callable

from h2wire import (END_HEADERS, END_STREAM, HEADERS, PROTOCOL_ERROR, Peer, block, code_name)
from servers import Endpoint

CASES: list["Case"] = []


@dataclass
class Case:
    """One case. `run` uses a connection and returns a finding, or an empty string."""

    name: str
    run: Callable[["Talk"], str]
    # Whether the preface and the settings are exchanged before.
    begins: bool = True


def case(section: str, title: str, begins: bool = True):
    def register(run):
        CASES.append(Case(f"{section} {title}", run, begins))
        return run
    return register


class Talk(Peer):
    """A connection with one of the servers."""

    def __init__(self, endpoint: Endpoint, secure: bool) -> None:
        super().__init__(endpoint.connect(secure, ("h2",)))
        self.endpoint = endpoint
        self.scheme = "https" if secure else "http"

    def head(self, *more: tuple[str, str], method: str = "GET", path: str | None = None) -> bytes:
        """Returns the fields of a valid request, followed by more."""
        return block((":method", method), (":scheme", self.scheme), (":path", path or self.endpoint.document),
                     (":authority", "localhost"), *more)

    def post(self, *more: tuple[str, str]) -> bytes:
        return self.head(*more, method="POST", path=self.endpoint.post)

    def get(self, stream: int = 1, *more: tuple[str, str]) -> None:
        self.frame(HEADERS, END_STREAM | END_HEADERS, stream, self.head(*more))

    def open(self, stream: int = 1, *more: tuple[str, str]) -> None:
        """Sends the head of a request with content."""
        self.frame(HEADERS, END_HEADERS, stream, self.post(*more))

    # Results. Each method returns a finding, or an empty string.

    def connection_error(self, *codes: int) -> str:
        """Expects the connection to end with GOAWAY and one of these codes."""
        self.until(lambda: self.goaway is not None or self.closed)
        if self.goaway is None:
            return f"expected GOAWAY {names(codes)}, got {self.summary()}"
        if self.goaway[1] not in codes:
            return f"expected GOAWAY {names(codes)}, got {self.summary()}"
        # The socket must be closed, too.
        if not self.until(lambda: self.closed, 4):
            return "expected the connection to close after GOAWAY"
        return ""

    def stream_error(self, stream: int, *codes: int) -> str:
        """Expects a stream error, or a connection error (RFC 9113 §5.4.1), with one of these codes."""
        it = self.stream(stream)
        self.until(lambda: it.reset is not None or self.goaway is not None or self.closed or it.ended)
        if self.goaway is not None and self.goaway[1] in codes:
            return ""
        if it.reset not in codes:
            return f"expected RST_STREAM {names(codes)}, got {self.summary()}"
        if it.status is not None:
            return f"unexpected response with {it.status} on the reset stream"
        return "" if self.is_usable() else f"expected a usable connection, got {self.summary()}"

    def malformed(self, stream: int = 1) -> str:
        return self.stream_error(stream, PROTOCOL_ERROR)

    def answer(self, stream: int = 1, *statuses: int) -> str:
        """Expects a complete response, with one of these statuses if given, on a connection that stays usable."""
        if not self.answered(stream):
            return f"expected a response, got {self.summary()}"
        status = self.stream(stream).status
        if statuses and status not in statuses:
            return f"expected {' or '.join(map(str, statuses))}, got {status}"
        return "" if self.is_usable() else f"expected a usable connection, got {self.summary()}"

    def unaffected(self) -> str:
        """Expects no reaction, and a response to the next request."""
        if not self.is_usable():
            return f"expected no reaction, got {self.summary()}"
        # Above the stream IDs of all cases except those that use the highest ID.
        self.get(2001)
        return self.answer(2001, 200)

    def either(self, *ends: Callable[[], str]) -> str:
        """Expects one of several results."""
        findings = []
        for end in ends:
            finding = end()
            if not finding:
                return ""
            findings.append(finding)
        return " / ".join(findings)


def names(codes: tuple[int, ...]) -> str:
    return " or ".join(code_name(code) for code in codes)
