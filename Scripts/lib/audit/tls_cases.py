"""Invalid input to the TLS port: incomplete, oversized or reordered records and handshakes, and other protocols. Each
gets an alert or is closed within the handshake timeout, and the next client is served.

The cases are kept in Python for independence: they share no code with the server or its Swift tests.
"""

import socket
import ssl
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable

from h1wire import Reader
from outcomes import Outcome
from servers import Endpoint

CHANGE, ALERT, HANDSHAKE, CONTENT = 20, 21, 22, 23
(UNEXPECTED, BAD_MAC, OVERFLOW, HANDSHAKE_FAILURE, ILLEGAL, DECODE, VERSION, NO_PROTOCOL) = (10, 20, 22, 40, 47, 50, 70, 120)
CASES: list[tuple[str, Callable[["Raw"], str]]] = []


def case(title: str):
    def register(run):
        CASES.append((title, run))
        return run
    return register


def record(kind: int, payload: bytes, version: int = 0x0301, length: int | None = None) -> bytes:
    return struct.pack(">BHH", kind, version, len(payload) if length is None else length) + payload


class Raw:
    """A connection to the TLS port, with a client of Python's ssl module whose bytes can be modified."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.sock = socket.create_connection(("127.0.0.1", endpoint.secure_port), 5)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.context = ssl.create_default_context(cafile=str(endpoint.authority))
        self.received = b""
        self.start()

    def start(self) -> None:
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = self.context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")

    def hello(self) -> bytes:
        """Returns the first flight of the client."""
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return self.outgoing.read()

    def send(self, data: bytes) -> None:
        try:
            self.sock.sendall(data)
        except OSError:
            pass  # The server closed the connection. Its alert is still read.

    def shake_hands(self, size: int = 1 << 20) -> str:
        """Finishes the handshake and sends the client's bytes in pieces of this size."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            try:
                self.tls.do_handshake()
                done = True
            except ssl.SSLWantReadError:
                done = False
            except ssl.SSLError as error:
                return f"the handshake failed: {error}"
            data = self.outgoing.read()
            for start in range(0, len(data), size):
                self.send(data[start:start + size])
            if done:
                return ""
            more = self.sock.recv(1 << 16)
            if not more:
                return "the server closed the connection during the handshake"
            self.incoming.write(more)
        return "the handshake did not finish"

    def get(self) -> str:
        """Sends a request over the established connection."""
        self.tls.write(f"GET {self.endpoint.document} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.send(self.outgoing.read())
        answer = b""
        while b"\r\n" not in answer:
            more = self.sock.recv(1 << 16)
            if not more:
                return "expected a response"
            self.incoming.write(more)
            try:
                answer += self.tls.read(1 << 16)
            except ssl.SSLWantReadError:
                pass
        return "" if answer.startswith(b"HTTP/1.1 200") else f"expected status 200, got {answer[:30]!r}"

    def ends(self, patience: float = 12) -> bool:
        """Reads to the end and returns whether the server closes in time."""
        deadline = time.monotonic() + patience
        while (left := deadline - time.monotonic()) > 0:
            self.sock.settimeout(left)
            try:
                data = self.sock.recv(1 << 16)
            except TimeoutError:
                return False
            except OSError:
                return True
            if not data:
                return True
            self.received += data
        return False

    def refused(self, *alerts: int) -> str:
        """Expects the server to close, with one of these alerts in cleartext if given."""
        if not self.ends(4):
            return "the connection stays open"
        alerts_received = self.alerts()
        if alerts and not any(alert in alerts for alert in alerts_received):
            return f"expected alert {' or '.join(map(str, alerts))}, got {alerts_received or self.received[:20]!r}"
        return ""

    def alerts(self) -> list[int]:
        found, rest = [], self.received
        while len(rest) >= 5:
            kind, _, length = struct.unpack(">BHH", rest[:5])
            if kind == ALERT and length == 2:
                found.append(rest[6])
            rest = rest[5 + length:]
        return found


# Accepted input

@case("a handshake in single bytes")
def _(raw: Raw) -> str:
    return raw.shake_hands(1) or raw.get()


@case("a ClientHello over many records")
def _(raw: Raw) -> str:
    hello = raw.hello()[5:]
    for start in range(0, len(hello), 7):
        raw.send(record(HANDSHAKE, hello[start:start + 7]))
    return raw.shake_hands() or raw.get()


for name, version in (("1.2", ssl.TLSVersion.TLSv1_2), ("1.3", ssl.TLSVersion.TLSv1_3)):
    def spoken(raw: Raw, version=version) -> str:
        raw.context.minimum_version = raw.context.maximum_version = version
        raw.start()
        return raw.shake_hands() or raw.get()
    CASES.append((f"TLS {name} is supported", spoken))

for cipher in ("ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"):
    def by_cipher(raw: Raw, cipher: str = cipher) -> str:
        raw.context.maximum_version = ssl.TLSVersion.TLSv1_2
        raw.context.set_ciphers(cipher)
        raw.start()
        return raw.shake_hands() or raw.get()
    CASES.append((f"{cipher} is supported", by_cipher))


# Rejected input

for name, sent in (
        ("a request in cleartext", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("the HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ("arbitrary bytes", b"\xff" * 64),
        ("zeros", bytes(64)), ("an SSH greeting", b"SSH-2.0-x\r\n" + bytes(10)),
        ("an SSL 2 hello", b"\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10" + bytes(40)),
        ("a record of an unknown type", record(99, bytes(8))),
        ("content before the handshake", record(CONTENT, b"GET / HTTP/1.1\r\n\r\n")),
        ("ChangeCipherSpec before the handshake", record(CHANGE, b"\x01")),
        ("an empty handshake record", record(HANDSHAKE, b"") * 100),
        ("a record above the maximum size", record(HANDSHAKE, bytes(5), length=0xFFFF) + bytes(70000)),
        ("a message other than ClientHello", record(HANDSHAKE, b"\x0e\x00\x00\x00")),
        ("Finished instead of ClientHello", record(HANDSHAKE, b"\x14\x00\x00\x0c" + bytes(12))),
        ("a message of 16 MiB", record(HANDSHAKE, b"\x01\xff\xff\xff" + bytes(1000)) + record(HANDSHAKE, bytes(16000)) * 50),
        ("an incomplete ClientHello", record(HANDSHAKE, b"\x01\x00\x00\x05\x03\x03\x00\x00\x00")),
        ("a fatal alert", record(ALERT, b"\x02\x28")), ("an alert of three bytes", record(ALERT, b"\x02\x28\x00"))):
    def strange(raw: Raw, sent: bytes = sent) -> str:
        raw.send(sent)
        return raw.refused()
    CASES.append((f"{name} is refused", strange))


for name, number in (("SSL 3", 0x0300), ("TLS 1.0", 0x0301), ("TLS 1.1", 0x0302)):
    def old(raw: Raw, number: int = number) -> str:
        raw.context.maximum_version = ssl.TLSVersion.TLSv1_2
        raw.start()
        hello = bytearray(raw.hello())
        hello[9:11] = struct.pack(">H", number)
        raw.send(bytes(hello))
        return raw.refused(VERSION, HANDSHAKE_FAILURE)
    CASES.append((f"{name} is refused", old))


@case("obsolete ciphers are refused")
def _(raw: Raw) -> str:
    raw.context.maximum_version = ssl.TLSVersion.TLSv1_2
    raw.context.set_ciphers("AES128-SHA:AES256-SHA256:ECDHE-RSA-AES128-SHA@SECLEVEL=0")
    raw.start()
    raw.send(raw.hello())
    return raw.refused(HANDSHAKE_FAILURE)


@case("unsupported protocols are refused")
def _(raw: Raw) -> str:
    raw.context.set_alpn_protocols(["http/0.9", "spdy/3"])
    raw.start()
    raw.send(raw.hello())
    return raw.refused(NO_PROTOCOL)


@case("an extension with an excessive length is refused")
def _(raw: Raw) -> str:
    hello = bytearray(raw.hello())
    # The length of the last extension's content.
    hello[-1] ^= 0xFF
    hello[9 + 2 + 32] = 0xFF
    raw.send(bytes(hello))
    return raw.refused(DECODE, ILLEGAL, HANDSHAKE_FAILURE)


@case("a second ClientHello is refused")
def _(raw: Raw) -> str:
    hello = raw.hello()
    raw.send(hello + hello)
    return raw.refused()


@case("a modified record is refused")
def _(raw: Raw) -> str:
    if finding := raw.shake_hands():
        return finding
    raw.tls.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    data = bytearray(raw.outgoing.read())
    data[-1] ^= 1
    raw.send(bytes(data))
    return raw.refused()


@case("cleartext content after the handshake is refused")
def _(raw: Raw) -> str:
    if finding := raw.shake_hands():
        return finding
    raw.send(record(CONTENT, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 0x0303))
    return raw.refused()


@case("an oversized record after the handshake is refused")
def _(raw: Raw) -> str:
    if finding := raw.shake_hands():
        return finding
    raw.send(record(CONTENT, bytes(20000), 0x0303))
    return raw.refused()


@case("endless ChangeCipherSpec records are refused")
def _(raw: Raw) -> str:
    raw.send(raw.hello() + record(CHANGE, b"\x01", 0x0303) * 20000)
    return raw.refused()


@case("a renegotiation in cleartext is refused")
def _(raw: Raw) -> str:
    raw.context.maximum_version = ssl.TLSVersion.TLSv1_2
    raw.start()
    hello = raw.hello()
    raw.send(hello)
    if finding := raw.shake_hands():
        return finding
    raw.send(hello)
    return raw.refused()


# Protocol negotiation

for protocol, sent, expected in (
        ("h2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5), b"\0"),
        ("h2", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\0"),
        ("http/1.1", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5), b"HTTP/1.1 505"),
        (None, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5), b"HTTP/1.1 505"),
        (None, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 200"),
        ("http/1.1", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 200")):
    def agreed(raw: Raw, protocol: str | None = protocol, sent: bytes = sent, expected: bytes = expected) -> str:
        raw.context.set_alpn_protocols([protocol] if protocol else [])
        raw.start()
        if finding := raw.shake_hands():
            return finding
        if raw.tls.selected_alpn_protocol() != protocol:
            return f"expected the protocol {protocol}, got {raw.tls.selected_alpn_protocol()}"
        raw.tls.write(sent)
        raw.send(raw.outgoing.read())
        answer = b""
        while len(answer) < len(expected):
            more = raw.sock.recv(1 << 16)
            if not more:
                return f"expected {expected!r}, got {answer!r} and the end"
            raw.incoming.write(more)
            try:
                answer += raw.tls.read(1 << 16)
            except ssl.SSLWantReadError:
                pass
        return "" if answer.startswith(expected) else f"expected {expected!r}, got {answer[:20]!r}"
    CASES.append((f"{sent[:3].decode()} after negotiating {protocol or 'no protocol'}", agreed))


# Slow clients

for name, sent in (("sends nothing", b""), ("begins a record", b"\x16\x03\x01"), ("begins a ClientHello", b"\x16\x03\x01\x02\x00\x01\x00")):
    def slow(raw: Raw, sent: bytes = sent) -> str:
        raw.send(sent)
        return "" if raw.ends(13) else "the connection is open after 13 s"
    CASES.append((f"a client that {name} is closed in time", slow))


@case("a client that sends half of its handshake is closed in time")
def _(raw: Raw) -> str:
    raw.send(raw.hello())
    return "" if raw.ends(13) else "the connection is open after 13 s"


@case("a client that ends without close_notify is closed")
def _(raw: Raw) -> str:
    if finding := raw.shake_hands() or raw.get():
        return finding
    raw.sock.shutdown(socket.SHUT_WR)
    return "" if raw.ends(4) else "the connection stays open"


@case("a client's close_notify is answered")
def _(raw: Raw) -> str:
    if finding := raw.shake_hands() or raw.get():
        return finding
    try:
        raw.tls.unwrap()
    except ssl.SSLError:
        pass
    raw.send(raw.outgoing.read())
    return "" if raw.ends(4) and raw.received else "expected close_notify"


def run(endpoint: Endpoint) -> list[Outcome]:
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda job: attempt(endpoint, *job), CASES))
    with endpoint.connect(True) as sock:
        sock.sendall(f"GET {endpoint.document} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        answer = Reader(sock).answer(False, 5)
    finding = "" if answer is not None and answer.status == 200 else "expected a response with status 200"
    return outcomes + [Outcome(f"tls/{endpoint.name}/the next client is served", finding)]


def attempt(endpoint: Endpoint, title: str, test: Callable[[Raw], str]) -> Outcome:
    name = f"tls/{endpoint.name}/{title}"
    try:
        raw = Raw(endpoint)
        try:
            finding = test(raw)
        finally:
            raw.sock.close()
    except OSError as error:
        finding = f"{type(error).__name__}: {error}"
    return Outcome(name, finding)
