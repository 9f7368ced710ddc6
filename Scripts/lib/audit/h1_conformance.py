"""Checks RFC 9112 section by section, with every published form of request smuggling, in cleartext and over TLS.

These cases and their client are written in Python on purpose and share no code with the server or its Swift tests: a
mistake in the server's parser or in the Swift test clients cannot hide itself here.
"""

import socket
from concurrent.futures import ThreadPoolExecutor

from h1_cases import CASES, Case
from h1wire import Answer, Fault, Reader
from outcomes import Outcome
from servers import Endpoint

PATIENCE = 3.0


def run(endpoint: Endpoint) -> list[Outcome]:
    jobs = [(case, secure) for secure in (False, True) for case in CASES]
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda job: attempt(endpoint, *job), jobs))


def attempt(endpoint: Endpoint, case: Case, secure: bool) -> Outcome:
    name = f"http1/{endpoint.name}/{'tls' if secure else 'cleartext'}/{case.name}"
    try:
        with endpoint.connect(secure) as sock:
            finding = Attempt(endpoint, case, sock, secure).run()
    except (Fault, OSError) as error:
        finding = f"{type(error).__name__}: {error}"
    if not endpoint.is_alive():
        finding = f"the server exited; {finding}"
    return Outcome(name, finding)


class Attempt:
    """One case on one connection."""

    def __init__(self, endpoint: Endpoint, case: Case, sock: socket.socket, secure: bool) -> None:
        self.endpoint, self.case, self.sock, self.secure = endpoint, case, sock, secure
        self.reader = Reader(sock)

    def bytes(self, text: str) -> bytes:
        text = text.replace("{doc}", self.endpoint.document).replace("{post}", self.endpoint.post)
        # Characters outside of Latin 1 are sent as UTF-8.
        return b"".join(c.encode("latin-1" if ord(c) < 256 else "utf-8")
                        for c in text.replace("{{", "{").replace("}}", "}"))

    def run(self) -> str:
        self.send(self.bytes(self.case.text))
        if self.case.ends:
            # Closes the write side of the socket. Over TLS, this replaces close_notify: Python cannot send that without
            # discarding its keys.
            socket.socket.shutdown(self.sock, socket.SHUT_WR)
        for number, statuses in enumerate(self.case.answers):
            answer = self.reader.answer(number in self.case.heads, PATIENCE)
            if finding := self.judge(answer, number, statuses):
                return finding
        return self.check_end(answer)

    def send(self, data: bytes) -> None:
        size = self.case.pieces or len(data)
        try:
            for start in range(0, len(data), size):
                self.sock.sendall(data[start:start + size])
        except OSError:
            # The server rejected the request before its end. The response is still read.
            pass

    def judge(self, answer: Answer | None, number: int, statuses: tuple[int, ...]) -> str:
        if answer is None:
            return f"expected response {number + 1}, got none"
        if statuses and answer.status not in statuses:
            return f"response {number + 1}: expected {' or '.join(map(str, statuses))}, got {answer.status}"
        if answer.status >= 500 and answer.status not in (501, 505):
            return f"unexpected status {answer.status} in response {number + 1}"
        if answer.status >= 400 and number not in self.case.heads and b"smuggled" in answer.body:
            return "the response contains the smuggled request"
        echoes = self.case.echoes
        if echoes is not None and self.endpoint.name == "http-target" and answer.body != echoes:
            return f"response {number + 1}: expected the echo {echoes!r}, got {answer.body[:40]!r}"
        return ""

    def check_end(self, last: Answer) -> str:
        announces_close = "close" in ",".join(last.values("connection")).lower()
        if self.case.closes:
            if not self.reader.ends(PATIENCE):
                return "expected the connection to close"
            if self.reader.buffer:
                return f"unexpected bytes after the last response: {self.reader.buffer[:60]!r}"
            if not announces_close and not self.case.ends:
                return "the connection closed, but the last response had no Connection: close"
            return ""
        if announces_close:
            return "unexpected Connection: close in the last response"
        self.sock.sendall(self.bytes("GET {doc} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        answer = self.reader.answer(False, PATIENCE)
        if answer is None or answer.status != 200:
            return f"next request: expected 200, got {answer.status if answer else 'no response'}"
        if not self.reader.ends(PATIENCE) or self.reader.buffer:
            return f"unexpected extra response: {self.reader.buffer[:60]!r}"
        return ""
