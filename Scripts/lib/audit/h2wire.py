"""An HTTP/2 client that sends any frames, including invalid ones, and records what it receives.

It shares no code with the server or the Swift test clients, so that the audit is independent of both.
"""

import socket
import struct
import time
from dataclasses import dataclass, field

from hpack import Decoder

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED, PRIORITIZED = 0x1, 0x1, 0x4, 0x8, 0x20
(NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR,
 REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY,
 HTTP_1_1_REQUIRED) = range(14)
NAMES = ("NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED FRAME_SIZE_ERROR "
         "REFUSED_STREAM CANCEL COMPRESSION_ERROR CONNECT_ERROR ENHANCE_YOUR_CALM INADEQUATE_SECURITY "
         "HTTP_1_1_REQUIRED").split()
(HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE,
 MAX_HEADER_LIST_SIZE) = range(1, 7)
ENABLE_CONNECT_PROTOCOL, NO_RFC7540_PRIORITIES = 8, 9


def frame(kind: int, flags: int, stream: int, payload: bytes = b"", length: int | None = None) -> bytes:
    """Returns a frame, whose length field may differ from the length of its payload."""
    size = len(payload) if length is None else length
    return struct.pack(">I", size)[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def setting(identifier: int, value: int) -> bytes:
    return struct.pack(">HI", identifier, value)


def integer(value: int, prefix: int, first: int = 0) -> bytes:
    """Returns an HPACK integer (RFC 7541 §5.1)."""
    limit = (1 << prefix) - 1
    if value < limit:
        return bytes((first | value,))
    out = bytearray((first | limit,))
    value -= limit
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def literal(name: bytes, value: bytes, first: int = 0, prefix: int = 4) -> bytes:
    """Returns a literal field without indexing and Huffman coding (RFC 7541 §6.2.2)."""
    return bytes((first,)) + integer(len(name), 7) + name + integer(len(value), 7) + value


def block(*fields: tuple[str, str]) -> bytes:
    return b"".join(literal(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields)


def window(increment: int) -> bytes:
    return struct.pack(">I", increment)


@dataclass
class Stream:
    """The received frames of one stream."""

    heads: list[list[tuple[str, str]]] = field(default_factory=list)
    content: int = 0
    frames: list[int] = field(default_factory=list)
    ended: bool = False
    reset: int | None = None

    @property
    def status(self) -> int | None:
        for head in self.heads:
            status = int(dict(head)[":status"])
            if status >= 200:
                return status
        return None

    def value(self, name: str) -> str | None:
        return next((value for head in self.heads for key, value in head if key == name), None)


class Peer:
    """One connection."""

    patience = 2.0

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.streams: dict[int, Stream] = {}
        self.goaway: tuple[int, int] | None = None
        self.closed = False
        self.settings: dict[int, int] = {}
        self.settings_frames = 0
        self.settings_acks = 0
        self.pongs: list[bytes] = []
        self.first_frame: int | None = None
        self.window_updates: list[tuple[int, int]] = []
        self.raw = b""
        self.decoder = Decoder()
        self.fault = ""
        self.head_block: tuple[int, bytearray] | None = None
        self.acks_settings = True

    # Sending

    def send(self, data: bytes) -> None:
        try:
            self.sock.sendall(data)
        except OSError:
            # The server may have closed the connection. The frames before are still read.
            pass

    def frame(self, *args, **kwargs) -> None:
        self.send(frame(*args, **kwargs))

    def begin(self, *settings: bytes) -> None:
        """Sends the preface and settings, and waits for the server's settings and acknowledgement."""
        self.send(PREFACE + frame(SETTINGS, 0, 0, b"".join(settings)))
        self.until(lambda: self.settings_frames > 0 and self.settings_acks > 0)

    def request(self, stream: int, head: bytes, flags: int = END_STREAM | END_HEADERS) -> None:
        self.frame(HEADERS, flags, stream, head)

    def stream(self, number: int) -> Stream:
        return self.streams.setdefault(number, Stream())

    # Receiving

    def until(self, condition, patience: float | None = None) -> bool:
        """Reads until the condition holds, and returns whether it does."""
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        while not condition():
            left = deadline - time.monotonic()
            if left <= 0 or self.closed or not self.read(left):
                return condition()
        return True

    def read(self, patience: float) -> bool:
        self.sock.settimeout(max(0.001, patience))
        try:
            data = self.sock.recv(1 << 16)
        except TimeoutError:
            return False
        except OSError:
            data = b""
        if not data:
            self.closed = True
            return True
        self.raw += data
        while len(self.raw) >= 9:
            size = int.from_bytes(self.raw[:3], "big")
            if self.raw[:5] == b"HTTP/" or len(self.raw) < 9 + size:
                break
            kind, flags = self.raw[3], self.raw[4]
            stream = int.from_bytes(self.raw[5:9], "big") & 0x7FFFFFFF
            payload = self.raw[9:9 + size]
            self.raw = self.raw[9 + size:]
            self.take(kind, flags, stream, payload)
        return True

    def take(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if self.first_frame is None:
            self.first_frame = kind
        if len(payload) > 16384:
            self.fault = f"expected frames of at most 16384 bytes, got {len(payload)}"
        if number:
            self.stream(number).frames.append(kind)
        if kind == DATA:
            stream = self.stream(number)
            stream.content += len(payload)
            stream.ended |= bool(flags & END_STREAM)
        elif kind in (HEADERS, CONTINUATION):
            self.take_head(kind, flags, number, payload)
        elif kind == RST_STREAM:
            self.stream(number).reset = int.from_bytes(payload, "big")
        elif kind == SETTINGS and flags & ACK:
            self.settings_acks += 1
        elif kind == SETTINGS:
            self.settings_frames += 1
            self.settings.update(struct.iter_unpack(">HI", payload))
            if self.acks_settings:
                self.frame(SETTINGS, ACK, 0)
        elif kind == PING and flags & ACK:
            self.pongs.append(payload)
        elif kind == GOAWAY:
            last, code = struct.unpack(">II", payload[:8])
            self.goaway = (last, code)
        elif kind == WINDOW_UPDATE:
            self.window_updates.append((number, int.from_bytes(payload, "big")))

    def take_head(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if kind == HEADERS:
            self.head_block = (number, bytearray())
            self.stream(number).ended |= bool(flags & END_STREAM)
        if self.head_block is None or self.head_block[0] != number:
            self.fault = "unexpected CONTINUATION"
            return
        self.head_block[1].extend(payload)
        if flags & END_HEADERS:
            fields = self.decoder.decode(bytes(self.head_block[1]))
            self.stream(number).heads.append([(str(name), str(value)) for name, value in fields])
            self.head_block = None

    # State

    def answered(self, number: int) -> bool:
        """Waits for a complete response and returns whether it was received."""
        return self.until(lambda: self.stream(number).ended or self.stream(number).reset is not None
                          or self.goaway is not None) and self.stream(number).ended

    def is_usable(self) -> bool:
        """Sends PING and returns whether the server acknowledges it, so that the connection is usable."""
        before = len(self.pongs)
        self.frame(PING, 0, 0, b"are you?")
        return self.until(lambda: len(self.pongs) > before or self.goaway is not None) and self.goaway is None

    def summary(self) -> str:
        """Returns a summary of the received frames for a finding."""
        parts = []
        if self.goaway:
            parts.append(f"GOAWAY {code_name(self.goaway[1])}")
        for number, stream in sorted(self.streams.items()):
            if stream.reset is not None:
                parts.append(f"RST_STREAM {number} {code_name(stream.reset)}")
            elif stream.status is not None:
                parts.append(f"{stream.status} on {number}" + ("" if stream.ended else ", incomplete"))
        if self.closed:
            parts.append("closed")
        if self.raw:
            parts.append(f"bytes {self.raw[:40]!r}")
        return "; ".join(parts) or "nothing"


def code_name(code: int) -> str:
    return NAMES[code] if code < len(NAMES) else hex(code)
