"""What the browser talks to: the server, the fake of the search service, and a relay in front of the server."""

import http.server
import json
import os
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from held_port import HeldPort

GRANARY = sys.argv.pop(1) if len(sys.argv) > 1 else ""
SMALLEST_MACHINE = sys.argv.pop(1) if len(sys.argv) > 1 else ""
# The seconds after which what hangs fails. Nothing else depends on it: on a loaded machine, a debug server may start in half a minute.
PATIENCE = 120

# What the server prints when it listens: a line for each listener, and then something else.
ADDRESSES = re.compile(r" serves ((?:for operators )?on \S+\n(?:and .*\n)*)(?!and )(?=.*\n)")


class SearchService(http.server.ThreadingHTTPServer):
    """A fake of GitHub's search with two pages of three repositories whose names contain the query."""

    daemon_threads = True

    def __init__(self):
        self.queries = []
        super().__init__(("127.0.0.1", 0), SearchHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class SearchHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        parameters = urllib.parse.parse_qs(parts.query)
        query = parameters.get("q", [""])[0]
        page = int(parameters.get("page", ["1"])[0])
        self.server.queries.append(query)
        items = [{
            "id": number, "full_name": f"owner{number}/{query}", "description": f"All about {query}",
            "stargazers_count": 1000 * number,
            "html_url": f"https://github.com/owner{number}/{urllib.parse.quote(query)}",
            "language": None, "updated_at": "2026-01-02T03:04:05Z",
            "owner": {"login": f"owner{number}", "avatar_url": f"https://avatars.githubusercontent.com/u/{number}"},
        } for number in range(3 * page - 2, 3 * page + 1)]
        body = json.dumps({"total_count": 6, "incomplete_results": False, "items": items}).encode()
        self.send_response(200)
        if page == 1:
            host = self.headers["Host"]
            self.send_header("Link", f'<http://{host}{parts.path}?q={urllib.parse.quote(query)}&page=2>; rel="next"')
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Suppresses the request log."""


class Server:
    """The server under test. It chooses its ports when it first starts, and keeps them when it restarts."""

    def __init__(self, *arguments, binary=None, is_secure=False):
        self.binary, self.arguments = binary or GRANARY, arguments
        self.scheme = "https" if is_secure else "http"
        # The ports that the server has chosen, by what they are for: http, https or admin.
        self.held = {}
        self.process = None
        self.state = self.output = self.log = Path()

    def port_for(self, purpose) -> int:
        """Returns a port of the server; 0, which is any free one, before its first start."""
        return self.held[purpose].number if purpose in self.held else 0

    @property
    def port(self) -> int:
        return self.port_for(self.scheme)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def listeners(self) -> list:
        """Returns the arguments that decide about the listeners."""
        plain = ["--http.port", str(self.port_for("http"))]
        secure = ["--tls.selfSigned", "true", "--tls.port", str(self.port_for("https"))]
        return plain + secure if self.scheme == "https" else plain

    def start(self, keeps_sessions=False):
        # By default a restarted server has lost its sessions.
        if not keeps_sessions:
            self.state = Path(tempfile.mkdtemp())
        environment = {**os.environ, "XDG_STATE_HOME": str(self.state)}
        self.output, self.log = (Path(tempfile.mkdtemp()) / name for name in ["output", "log"])
        with self.output.open("wb") as output, self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", *self.listeners(), *self.arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=log, env=environment)
        try:
            self.wait_until_ready()
        except BaseException:
            self.stop(signal.SIGKILL)
            raise

    def wait_until_ready(self):
        deadline = time.monotonic() + PATIENCE
        while not (self.listens() and self.is_ready()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start: {self.output.read_text()}{self.log.read_text()[-2000:]}")
            time.sleep(0.05)

    def listens(self) -> bool:
        """Returns whether the server has printed its addresses, and holds their ports then."""
        addresses = ADDRESSES.search(self.output.read_text())
        if addresses is None:
            return False
        for role, scheme, port in re.findall(r"(for operators )?on (https?)://127\.0\.0\.1:(\d+)\n", addresses[1]):
            # While the server runs, nobody else can have the port.
            purpose = "admin" if role else scheme
            if purpose not in self.held:
                self.held[purpose] = HeldPort(int(port))
        return True

    def is_ready(self) -> bool:
        try:
            with self.get("/health/ready"):
                return True
        except OSError:
            return False

    def get(self, path):
        return urllib.request.urlopen(self.url + path, timeout=PATIENCE, context=ssl._create_unverified_context())

    def request(self, method, path, body=None, **fields):
        """Returns the status and the JSON of a response."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if body is not None:
            fields["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or "null")

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


class Relay:
    """A relay between the browser and the server, which knows the open event streams and can stop relaying them."""

    def __init__(self, port: int):
        self.upstream = port
        self.is_silent = False
        self.drops_cookies = False
        # The targets of the open streams, by connection.
        self.streams = {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.relay, args=(client,), daemon=True).start()

    def relay(self, client):
        """Relays bytes in both directions until either side closes."""
        try:
            server = socket.create_connection(("127.0.0.1", self.upstream))
        except OSError:
            # A page that another test has left still tries to reconnect, although its server is gone.
            client.close()
            return
        try:
            with client, server:
                while self.pass_on(client, server):
                    pass
        except OSError:
            pass
        finally:
            self.streams.pop(client, None)

    def pass_on(self, client, server) -> bool:
        ready, _, _ = select.select([client, server], [], [])
        for source in ready:
            data = source.recv(65536)
            if not data:
                return False
            if source is server:
                if self.drops_cookies:
                    data = re.sub(rb"(?i)\r\nset-cookie:", b"\r\nx-dropped:", data)
                if not (client in self.streams and self.is_silent):
                    client.sendall(data)
                continue
            stream = re.match(rb"GET (/v1/outputs\?\S+)", data)
            if stream:
                self.streams[client] = stream[1].decode()
            else:
                self.streams.pop(client, None)
            server.sendall(data)
        return True

    def sessions(self):
        """Returns the sessions of all open streams."""
        targets = list(self.streams.values())
        return {session for target in targets for session in re.findall(r"session=([\w-]+)", target)}

    def close(self):
        self.listener.close()
