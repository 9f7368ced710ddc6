"""Clients that send one request at a time, so that the work of a request does not depend on how many arrive together."""

import json
import socket
import ssl
import struct

from http_bench.processes import Failure

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACKNOWLEDGED, WHOLE_HEAD = 1, 1, 5
LARGEST_WINDOW = (1 << 30) - 1


def connect(port: int, protocol: str, secure: bool) -> socket.socket:
    """Opens a connection. The server's certificate is a test's, so it is not verified."""
    plain = socket.create_connection(("127.0.0.1", port), 60)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not secure:
        return plain
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols([protocol])
    return context.wrap_socket(plain, server_hostname="localhost")


class HTTP1:
    """A connection of HTTP/1.1."""

    def __init__(self, port: int, secure: bool):
        self.port, self.secure = port, secure
        self.socket = connect(port, "http/1.1", secure)
        self.stream = None

    def make_session(self) -> str:
        """Creates a session of the counter and returns its path."""
        body = json.dumps({"machine": "counter"})
        head = self.request("POST", "/v1/sessions", f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n", body)
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:] if line)
        return fields["location"]

    def open_stream(self, path: str) -> None:
        """Reads the events of a session from now on, over another connection."""
        self.stream = connect(self.port, "http/1.1", self.secure)
        self.stream.sendall(f"GET {path}/outputs HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.await_event(b"event: snapshot")

    def send(self, method: str, path: str) -> None:
        """Sends a request without a body and reads its response, and the event if there is a stream."""
        self.request(method, path, "Content-Length: 0\r\n" if method == "POST" else "")
        if self.stream:
            self.await_event(b"event: change")

    def request(self, method: str, path: str, fields: str = "", body: str = "") -> bytes:
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n{body}".encode())
        found = b""
        while b"\r\n\r\n" not in found:
            found += received(self.socket)
        head, rest = found.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 20"):
            raise Failure(f"expected a response of success, got {found[:300]}")
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
        while len(rest) < length:
            rest += received(self.socket)
        return head

    def await_event(self, name: bytes) -> None:
        found = b""
        # An event ends with an empty line, and a chunk with another line end.
        while name not in found or not found.endswith(b"\n\n\r\n"):
            found += received(self.stream)


class HTTP2:
    """A connection of HTTP/2. It carries the stream of events as well."""

    def __init__(self, port: int, secure: bool):
        self.socket = connect(port, "h2", secure)
        # Windows that need no update for as many responses as are counted.
        self.socket.sendall(
            PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", 4, LARGEST_WINDOW))
            + frame(WINDOW, 0, 0, struct.pack(">I", LARGEST_WINDOW)))
        self.buffer, self.last, self.stream = b"", -1, None

    def open_stream(self, path: str) -> None:
        """Reads the events of a session from now on, over this connection."""
        self.stream = self.begin("GET", f"{path}/outputs", {"accept": "text/event-stream"})
        self.await_frames(lambda kind, stream, flags: kind == DATA and stream == self.stream)

    def send(self, method: str, path: str) -> None:
        """Sends a request without a body and reads its response, and the event if there is a stream."""
        awaited = {self.begin(method, path)} | ({self.stream} if self.stream else set())

        def is_done(kind: int, stream: int, flags: int) -> bool:
            if stream == self.stream and kind == DATA or kind in (DATA, HEADERS) and flags & END_STREAM:
                awaited.discard(stream)
            return not awaited

        self.await_frames(is_done)

    def begin(self, method: str, path: str, fields: dict = {}) -> int:
        """Sends the head of a request without a body and returns the number of its stream."""
        self.last += 2
        scheme = "https" if isinstance(self.socket, ssl.SSLSocket) else "http"
        pseudo = {":method": method, ":scheme": scheme, ":authority": "localhost", ":path": path}
        block = b"".join(literal(name, value) for name, value in {**pseudo, **fields}.items())
        self.socket.sendall(frame(HEADERS, WHOLE_HEAD, self.last, block))
        return self.last

    def await_frames(self, is_done) -> None:
        while True:
            while len(self.buffer) >= 9:
                end = 9 + int.from_bytes(self.buffer[:3], "big")
                if len(self.buffer) < end:
                    break
                kind, flags, stream = struct.unpack(">BBI", self.buffer[3:9])
                content, self.buffer = self.buffer[9:end], self.buffer[end:]
                # The status 200 is a field of the static table (RFC 7541, appendix A).
                if kind in (RESET, GOAWAY) or kind == HEADERS and content[0] != 0x88:
                    raise Failure(f"expected a response with 200, got frame {kind} with {content[:200]}")
                if kind in (SETTINGS, PING) and not flags & ACKNOWLEDGED:
                    self.socket.sendall(frame(kind, ACKNOWLEDGED, 0, content if kind == PING else b""))
                if is_done(kind, stream, flags):
                    return
            self.buffer += received(self.socket)


def received(connection: socket.socket) -> bytes:
    found = connection.recv(1 << 16)
    if not found:
        raise Failure("expected more bytes, got the end of the connection")
    return found


def frame(kind: int, flags: int, stream: int, content: bytes) -> bytes:
    return struct.pack(">I", len(content))[1:] + struct.pack(">BBI", kind, flags, stream) + content


def literal(name: str, value: str) -> bytes:
    """Returns a field that is not added to the table of the receiver (RFC 7541 §6.2.2)."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
