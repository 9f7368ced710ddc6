"""Runs httplint on the responses of each route, in cleartext and over TLS."""

import time

from httplint import HttpRequestLinter, HttpResponseLinter, levels

from h1wire import Answer, Reader
from outcomes import Outcome
from servers import Endpoint

METHODS = ("GET", "HEAD", "OPTIONS", "DELETE")


def run(endpoint: Endpoint) -> list[Outcome]:
    outcomes = []
    for secure in (False, True):
        wire = "tls" if secure else "cleartext"
        for route in endpoint.routes:
            for method in METHODS:
                name = f"lint/{endpoint.name}/{wire}/{method} {route}"
                notes = lint(endpoint, secure, method, route)
                outcomes += [Outcome(f"{name}: {kind}", text) for kind, text in notes.items()] or [Outcome(name)]
    return outcomes


def lint(endpoint: Endpoint, secure: bool, method: str, route: str) -> dict[str, str]:
    """Returns the findings by the name of the note."""
    answer = ask(endpoint, secure, method, route)
    request = HttpRequestLinter()
    request.process_request_topline(method.encode(), route.encode(), b"1.1")
    request.process_headers([(b"Host", b"localhost")])
    request.finish_content(True)
    response = HttpResponseLinter(start_time=time.time())
    response.request = request
    response.is_head_response = method == "HEAD"
    response.process_response_topline(b"1.1", str(answer.status).encode(), b"")
    response.process_headers([(name.encode(), value.encode("latin-1")) for name, value in answer.fields])
    response.feed_content(answer.body)
    response.finish_content(True)
    return {type(note).__name__: str(note.summary) for note in response.notes
            if note.level in (levels.BAD, levels.WARN)}


def ask(endpoint: Endpoint, secure: bool, method: str, route: str) -> Answer:
    with endpoint.connect(secure) as sock:
        sock.sendall(f"{method} {route} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = Reader(sock).answer(method == "HEAD", 10)
    if answer is None:
        raise RuntimeError(f"expected a response to {method} {route}")
    return answer
