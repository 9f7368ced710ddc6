"""A client's connection over HTTP/1.1, which may be cut at any moment."""

import http.client
import json
import time

from crash.waiting import PATIENCE, Failure


class Cut(Exception):
    """The connection was cut, or the server refused the request for the moment."""


class Refused(Cut):
    """The server refused the request for the moment."""


class Connection:
    def __init__(self, port: int):
        self.port = port
        self.http = None
        # The number of requests that the server has refused for the moment.
        self.refused = 0

    def request(self, method: str, path: str, body=None, key: str = None) -> tuple:
        """Returns the status, the fields and the text of the response."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if key:
            headers["Idempotency-Key"] = f'"{key}"'
        text = None if body is None else json.dumps(body)
        try:
            if self.http is None:
                self.http = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            self.http.request(method, path, body=text, headers=headers)
            response = self.http.getresponse()
            content = response.read().decode()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Cut(str(error)) from None
        # A request that did not arrive in time, because this process got no processor, was not run either.
        if response.status in (408, 429, 503):
            self.refused += 1
            raise Refused(f"status {response.status}")
        return response.status, response.headers, content

    def insist(self, method: str, path: str, body=None, key: str = None, until=lambda: False) -> tuple:
        """Repeats a request until it is answered. Returns None if `until` returns true before."""
        deadline = time.monotonic() + PATIENCE
        while not until():
            try:
                return self.request(method, path, body, key)
            except Cut as cut:
                if time.monotonic() > deadline:
                    raise Failure(f"{method} {path} was not answered in {PATIENCE} s: {cut}") from None
                time.sleep(0.01)
        return None

    def close(self) -> None:
        if self.http is not None:
            self.http.close()
            self.http = None
