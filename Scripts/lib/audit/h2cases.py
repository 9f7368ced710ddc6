"""How a case of HTTP/2 is written: what is sent, and which ends RFC 9113 allows."""

from dataclasses import dataclass
from typing import Callable

from h2wire import (END_HEADERS, END_STREAM, HEADERS, PROTOCOL_ERROR, Peer, block, code_name)
from servers import Endpoint

CASES: list["Case"] = []


@dataclass
class Case:
    """A connection on which something is sent; `run` answers with what is wrong, if anything."""

    name: str
    run: Callable[["Talk"], str]
    # Whether the preface and the settings have been exchanged before.
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
        """A request's fields as they should be, and more behind them."""
        return block((":method", method), (":scheme", self.scheme), (":path", path or self.endpoint.document),
                     (":authority", "localhost"), *more)

    def post(self, *more: tuple[str, str]) -> bytes:
        return self.head(*more, method="POST", path=self.endpoint.post)

    def get(self, stream: int = 1, *more: tuple[str, str]) -> None:
        self.frame(HEADERS, END_STREAM | END_HEADERS, stream, self.head(*more))

    def open(self, stream: int = 1, *more: tuple[str, str]) -> None:
        """A request whose content is to come."""
        self.frame(HEADERS, END_HEADERS, stream, self.post(*more))

    # Ends. Each answers with what is wrong, or with nothing.

    def connection_error(self, *codes: int) -> str:
        """The connection ends, with GOAWAY and one of these codes."""
        self.until(lambda: self.goaway is not None or self.closed)
        if self.goaway is None:
            return f"expected GOAWAY {names(codes)}, got {self.told()}"
        if self.goaway[1] not in codes:
            return f"expected GOAWAY {names(codes)}, got {self.told()}"
        # The socket has to go, too.
        if not self.until(lambda: self.closed, 4):
            return "the connection stays open behind GOAWAY"
        return ""

    def stream_error(self, stream: int, *codes: int) -> str:
        """The stream ends with one of these codes and the connection goes on, or that ends (RFC 9113 §5.4.1)."""
        it = self.stream(stream)
        self.until(lambda: it.reset is not None or self.goaway is not None or self.closed or it.ended)
        if self.goaway is not None and self.goaway[1] in codes:
            return ""
        if it.reset not in codes:
            return f"expected RST_STREAM {names(codes)}, got {self.told()}"
        if it.status is not None:
            return f"answered with {it.status} all the same"
        return "" if self.is_well() else f"the connection did not go on: {self.told()}"

    def malformed(self, stream: int = 1) -> str:
        return self.stream_error(stream, PROTOCOL_ERROR)

    def answer(self, stream: int = 1, *statuses: int) -> str:
        """A whole answer comes, of one of these statuses where any is named, and the connection goes on."""
        if not self.answered(stream):
            return f"expected an answer, got {self.told()}"
        status = self.stream(stream).status
        if statuses and status not in statuses:
            return f"expected {' or '.join(map(str, statuses))}, got {status}"
        return "" if self.is_well() else f"the connection did not go on: {self.told()}"

    def well(self) -> str:
        """Nothing comes of it, and the next request is answered."""
        if not self.is_well():
            return f"expected nothing to come of it, got {self.told()}"
        # Above all that a case has used, but for those that go to the end.
        self.get(2001)
        return self.answer(2001, 200)

    def either(self, *ends: Callable[[], str]) -> str:
        """One of several ends; the first that is right."""
        findings = []
        for end in ends:
            finding = end()
            if not finding:
                return ""
            findings.append(finding)
        return " / ".join(findings)


def names(codes: tuple[int, ...]) -> str:
    return " or ".join(code_name(code) for code in codes)
