"""Walks RFC 9112 section by section, with every published shape of request smuggling, in cleartext and over TLS."""

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
        finding = f"the server has ended; {finding}"
    return Outcome(name, finding)


class Attempt:
    """One case on one connection."""

    def __init__(self, endpoint: Endpoint, case: Case, sock: socket.socket, secure: bool) -> None:
        self.endpoint, self.case, self.sock, self.secure = endpoint, case, sock, secure
        self.reader = Reader(sock)

    def bytes(self, text: str) -> bytes:
        text = text.replace("{doc}", self.endpoint.document).replace("{post}", self.endpoint.post)
        # What is not in Latin 1 stands for its bytes in UTF-8.
        return b"".join(c.encode("latin-1" if ord(c) < 256 else "utf-8")
                        for c in text.replace("{{", "{").replace("}}", "}"))

    def run(self) -> str:
        self.send(self.bytes(self.case.text))
        if self.case.ends:
            # Over TLS the end of a side is said by TLS; the socket below it does as well.
            # Of the socket only: Python's TLS would forget its keys.
            socket.socket.shutdown(self.sock, socket.SHUT_WR)
        for number, statuses in enumerate(self.case.answers):
            answer = self.reader.answer(number in self.case.heads, PATIENCE)
            if finding := self.judge(answer, number, statuses):
                return finding
        return self.end_of_it(answer)

    def send(self, data: bytes) -> None:
        size = self.case.pieces or len(data)
        try:
            for start in range(0, len(data), size):
                self.sock.sendall(data[start:start + size])
        except OSError:
            # Refused before all was sent; what was said is read.
            pass

    def judge(self, answer: Answer | None, number: int, statuses: tuple[int, ...]) -> str:
        if answer is None:
            return f"no answer {number + 1} came"
        if statuses and answer.status not in statuses:
            return f"answer {number + 1} is {answer.status}, expected {' or '.join(map(str, statuses))}"
        if answer.status >= 500 and answer.status not in (501, 505):
            return f"answer {number + 1} is {answer.status}"
        if answer.status >= 400 and number not in self.case.heads and b"smuggled" in answer.body:
            return "the answer holds what was smuggled"
        echoes = self.case.echoes
        if echoes is not None and self.endpoint.name == "http-target" and answer.body != echoes:
            return f"answer {number + 1} echoes {answer.body[:40]!r}, expected {echoes!r}"
        return ""

    def end_of_it(self, last: Answer) -> str:
        says_close = "close" in ",".join(last.values("connection")).lower()
        if self.case.closes:
            if not self.reader.ends(PATIENCE):
                return "the connection stays open"
            if self.reader.buffer:
                return f"behind the last answer came {self.reader.buffer[:60]!r}"
            if not says_close and not self.case.ends:
                return "the connection closes, which the last answer did not say"
            return ""
        if says_close:
            return "the last answer says that the connection closes"
        self.sock.sendall(self.bytes("GET {doc} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        answer = self.reader.answer(False, PATIENCE)
        if answer is None or answer.status != 200:
            return f"the next request is answered with {answer.status if answer else 'nothing'}"
        if not self.reader.ends(PATIENCE) or self.reader.buffer:
            return f"one answer too many: {self.reader.buffer[:60]!r}"
        return ""
