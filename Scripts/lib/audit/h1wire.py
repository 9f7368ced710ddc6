"""An HTTP/1.1 client that sends any bytes and parses responses strictly: a violation by the server is a fault.

It shares no code with the server or the Swift test clients, so that the audit is independent of both.
"""

import re
import socket
import time
from dataclasses import dataclass, field

STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5]\d\d) [\t\x20-\x7e\x80-\xff]*\Z")
FIELD_LINE = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*\Z")


class Fault(Exception):
    """The server violated the protocol."""


@dataclass
class Answer:
    status: int
    fields: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key == name]


class Reader:
    """Reads responses from a socket."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.buffer = b""
        self.ended = False
        self.was_reset = False

    def more(self, deadline: float) -> bool:
        left = deadline - time.monotonic()
        if self.ended or left <= 0:
            return False
        self.sock.settimeout(left)
        try:
            data = self.sock.recv(1 << 16)
        except TimeoutError:
            return False
        except OSError:
            self.was_reset = True
            data = b""
        if not data:
            self.ended = True
            return False
        self.buffer += data
        return True

    def answer(self, is_head: bool, patience: float) -> Answer | None:
        """Returns the next final response, or None if there is none in time."""
        deadline = time.monotonic() + patience
        while True:
            while b"\r\n\r\n" not in self.buffer:
                if not self.more(deadline):
                    if self.buffer:
                        raise Fault(f"a response is incomplete: {self.buffer[:60]!r}")
                    return None
            head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
            answer = parse_head(head)
            if answer.status >= 200:
                break
        answer.body = self.content(answer, is_head, deadline)
        return answer

    def content(self, answer: Answer, is_head: bool, deadline: float) -> bytes:
        lengths, codings = answer.values("content-length"), answer.values("transfer-encoding")
        if len(lengths) + len(codings) > 1:
            raise Fault(f"expected one of Content-Length and Transfer-Encoding, got {lengths} and {codings}")
        if is_head or answer.status in (204, 304):
            return b""
        if codings:
            if codings != ["chunked"]:
                raise Fault(f"expected the transfer coding chunked, got {codings}")
            return self.chunks(deadline)
        if not lengths:
            while self.more(deadline):
                pass
            body, self.buffer = self.buffer, b""
            return body
        if not re.fullmatch(r"\d+", lengths[0]):
            raise Fault(f"expected a valid Content-Length, got {lengths[0]!r}")
        return self.take(int(lengths[0]), deadline)

    def take(self, count: int, deadline: float) -> bytes:
        while len(self.buffer) < count:
            if not self.more(deadline):
                raise Fault(f"expected {count} bytes, got {len(self.buffer)}")
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def chunks(self, deadline: float) -> bytes:
        body = b""
        while True:
            while b"\r\n" not in self.buffer:
                if not self.more(deadline):
                    raise Fault("a chunked body is incomplete")
            line, self.buffer = self.buffer.split(b"\r\n", 1)
            if not re.fullmatch(rb"[0-9a-fA-F]+", line):
                raise Fault(f"expected a chunk size, got {line!r}")
            body += self.take(int(line, 16), deadline)
            if self.take(2, deadline) != b"\r\n":
                raise Fault("expected a line break after a chunk")
            if int(line, 16) == 0:
                return body

    def ends(self, patience: float) -> bool:
        """Reads to the end and returns whether the server closes its side in time."""
        deadline = time.monotonic() + patience
        while self.more(deadline):
            pass
        return self.ended


def parse_head(head: bytes) -> Answer:
    lines = head.split(b"\r\n")
    line = STATUS_LINE.match(lines[0])
    if line is None:
        raise Fault(f"expected a status line, got {lines[0][:60]!r}")
    answer = Answer(int(line[1]))
    for text in lines[1:]:
        found = FIELD_LINE.match(text)
        if found is None:
            raise Fault(f"expected a field line, got {text[:60]!r}")
        answer.fields.append((found[1].decode().lower(), found[2].decode("latin-1")))
    if answer.status >= 200 and len(answer.values("date")) != 1:
        raise Fault(f"expected one Date, got {len(answer.values('date'))}")
    return answer
