"""RFC 9113, sections 3 to 5: the preface, frames, streams and their states. Kept in Python for independence."""

from h2cases import CASES, Case, Talk, case
from h2wire import (ACK, CANCEL, COMPRESSION_ERROR, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM,
                    FRAME_SIZE_ERROR, GOAWAY, HEADERS, NO_ERROR, PING, PREFACE, PRIORITY, PRIORITIZED, PROTOCOL_ERROR,
                    REFUSED_STREAM, RST_STREAM, SETTINGS, STREAM_CLOSED, WINDOW_UPDATE, frame, setting, window)

UNKNOWN = 0xF7
WEIGHT = b"\0\0\0\0\x10"


# 3.4 The preface

@case("3.4", "the server's first frame is SETTINGS", begins=False)
def _(t: Talk) -> str:
    t.begin()
    return "" if t.first_frame == SETTINGS else f"expected SETTINGS, got a frame of type {t.first_frame}"


@case("3.4", "a preface in single bytes", begins=False)
def _(t: Talk) -> str:
    for byte in PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, END_STREAM | END_HEADERS, 1, t.head()):
        t.send(bytes((byte,)))
    return t.answer(1, 200)


@case("3.4", "a request in the same packet as the preface", begins=False)
def _(t: Talk) -> str:
    t.send(PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, END_STREAM | END_HEADERS, 1, t.head()))
    return t.answer(1, 200)


def not_served(t: Talk) -> str:
    if not t.until(lambda: t.closed, 6):
        return f"expected the connection to close, got {t.summary()}"
    return "" if not any(stream.status == 200 for stream in t.streams.values()) else t.summary()


@case("3.4", "another preface", begins=False)
def _(t: Talk) -> str:
    t.send(b"INVALID CONNECTION PREFACE\r\n\r\n")
    return not_served(t)


@case("3.4", "a preface with a wrong end", begins=False)
def _(t: Talk) -> str:
    t.send(b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n" + frame(SETTINGS, 0, 0))
    return not_served(t)


for title, first in (
        ("PING", frame(PING, 0, 0, b"12345678")), ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 0, window(1))),
        ("HEADERS", frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x82\x87\x84")),
        ("an acknowledgement", frame(SETTINGS, ACK, 0)), ("an unknown frame", frame(UNKNOWN, 0, 0, b"x"))):
    def first_frame(t: Talk, first: bytes = first) -> str:
        t.send(PREFACE + first + frame(SETTINGS, 0, 0))
        return t.connection_error(PROTOCOL_ERROR)
    CASES.append(Case(f"3.4 {title} before SETTINGS", first_frame, False))


# 4.1 The format of frames

for title, sent in (
        ("an unknown type", frame(UNKNOWN, 0, 0, b"of ours")),
        ("an unknown type with all flags", frame(UNKNOWN, 0xFF, 0, b"of ours")),
        ("an unknown type without payload", frame(0x16, 0, 0)),
        ("an unknown type on a stream that is idle", frame(UNKNOWN, 0, 1001, b"of ours")),
        ("an unknown type of the largest size", frame(UNKNOWN, 0, 0, bytes(16384)))):
    def ignored(t: Talk, sent: bytes = sent) -> str:
        t.send(sent)
        return t.unaffected()
    CASES.append(Case(f"4.1 {title} is ignored", ignored))


@case("4.1", "flags that PING does not have are ignored")
def _(t: Talk) -> str:
    t.frame(PING, 0xFE, 0, b"with all")
    return "" if t.until(lambda: b"with all" in t.pongs) else t.summary()


@case("4.1", "flags that HEADERS does not have are ignored")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_STREAM | END_HEADERS | 0xD2, 1, t.head())
    return t.answer(1, 200)


@case("4.1", "the reserved bit is ignored")
def _(t: Talk) -> str:
    t.frame(PING, 0, 0x80000000, b"reserved")
    if not t.until(lambda: b"reserved" in t.pongs):
        return t.summary()
    t.frame(HEADERS, END_STREAM | END_HEADERS, 0x80000001, t.head())
    return t.answer(1, 200)


@case("4.1", "an unknown type on an open stream is ignored")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(UNKNOWN, 0, 1, b"x")
    t.frame(DATA, END_STREAM, 1, b"{}")
    return t.answer(1)


# 4.2 Sizes

@case("4.2", "DATA of the largest size")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(DATA, 0, 1, bytes(16384))
    t.frame(DATA, END_STREAM, 1, bytes(16384))
    return t.answer(1)


@case("4.2", "DATA over the largest size")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(DATA, END_STREAM, 1, bytes(16385))
    return t.stream_error(1, FRAME_SIZE_ERROR)


@case("4.2", "HEADERS over the largest size")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_STREAM | END_HEADERS, 1, t.head(("x", "y" * 16384)))
    return t.connection_error(FRAME_SIZE_ERROR)


for title, kind, stream in (("SETTINGS", SETTINGS, 0), ("PING", PING, 0), ("GOAWAY", GOAWAY, 0),
                            ("an unknown type", UNKNOWN, 0)):
    def oversized(t: Talk, kind: int = kind, stream: int = stream) -> str:
        t.frame(kind, 0, stream, bytes(16386))
        return t.connection_error(FRAME_SIZE_ERROR)
    CASES.append(Case(f"4.2 {title} over the largest size", oversized))


@case("4.2", "frames in single bytes")
def _(t: Talk) -> str:
    whole = frame(HEADERS, END_HEADERS, 1, t.post()) + frame(DATA, END_STREAM, 1, b"{}") + frame(PING, 0, 0, b"whatever")
    for byte in whole:
        t.send(bytes((byte,)))
    return t.answer(1)


# 4.3 Header blocks

@case("4.3", "a block that cannot be decoded")
def _(t: Talk) -> str:
    t.request(1, b"\x00\xff\xff\xff\xff\xff\xff\xff\xff")
    return t.connection_error(COMPRESSION_ERROR)


for title, between in (
        ("PRIORITY", frame(PRIORITY, 0, 1, WEIGHT)), ("DATA", frame(DATA, END_STREAM, 1, b"x")),
        ("PING", frame(PING, 0, 0, bytes(8))), ("SETTINGS", frame(SETTINGS, 0, 0)),
        ("RST_STREAM", frame(RST_STREAM, 0, 1, window(CANCEL))),
        ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 0, window(1))), ("an unknown type", frame(UNKNOWN, 0, 0, b"x")),
        ("HEADERS of another stream", frame(HEADERS, END_STREAM | END_HEADERS, 3, b"\x82")),
        ("CONTINUATION of another stream", frame(CONTINUATION, END_HEADERS, 3, b"\x82"))):
    def interleaved(t: Talk, between: bytes = between) -> str:
        head = t.head()
        t.send(frame(HEADERS, END_STREAM, 1, head[:9]) + between + frame(CONTINUATION, END_HEADERS, 1, head[9:]))
        return t.connection_error(PROTOCOL_ERROR)
    CASES.append(Case(f"4.3 {title} inside a block", interleaved))


# 5.1 States of streams

for title, sent in (
        ("DATA", frame(DATA, END_STREAM, 1, b"x")), ("RST_STREAM", frame(RST_STREAM, 0, 1, window(CANCEL))),
        ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 1, window(100))),
        ("CONTINUATION", frame(CONTINUATION, END_HEADERS, 1, b"\x82"))):
    def on_idle(t: Talk, sent: bytes = sent) -> str:
        t.send(sent)
        return t.connection_error(PROTOCOL_ERROR)
    CASES.append(Case(f"5.1 idle: {title}", on_idle))


@case("5.1", "idle: PRIORITY is no error")
def _(t: Talk) -> str:
    t.frame(PRIORITY, 0, 1, WEIGHT)
    return t.unaffected()


@case("5.1", "half-closed (remote): DATA")
def _(t: Talk) -> str:
    t.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, t.head()) + frame(DATA, END_STREAM, 1, b"x"))
    return late(t, 1, STREAM_CLOSED)


@case("5.1", "half-closed (remote): HEADERS")
def _(t: Talk) -> str:
    t.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, t.head()) * 2)
    return late(t, 1, STREAM_CLOSED, PROTOCOL_ERROR)


@case("5.1", "half-closed (remote): CONTINUATION")
def _(t: Talk) -> str:
    t.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, t.head()) + frame(CONTINUATION, END_HEADERS, 1, b"\x82"))
    return late(t, 1, STREAM_CLOSED, PROTOCOL_ERROR)


def late(t: Talk, stream: int, *codes: int) -> str:
    """Expects a stream or connection error for a frame on a closed stream; a response may be in flight."""
    it = t.stream(stream)
    t.until(lambda: it.reset is not None or t.goaway is not None or t.closed)
    code = t.goaway[1] if t.goaway else it.reset
    return "" if code in codes else f"expected {codes}, got {t.summary()}"


for title, sent in (("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 1, window(1))), ("PRIORITY", frame(PRIORITY, 0, 1, WEIGHT))):
    def on_half_closed(t: Talk, sent: bytes = sent) -> str:
        t.get(1)
        t.send(sent)
        return t.answer(1, 200)
    CASES.append(Case(f"5.1 half-closed (remote): {title} is no error", on_half_closed))


@case("5.1", "half-closed (remote): RST_STREAM is no error")
def _(t: Talk) -> str:
    t.get(1)
    t.frame(RST_STREAM, 0, 1, window(CANCEL))
    t.get(3)
    return t.answer(3, 200)


def ended(t: Talk) -> bool:
    """Waits until both sides have closed stream 1."""
    t.get(1)
    return t.answered(1)


for title, sent, codes in (
        ("DATA", frame(DATA, END_STREAM, 1, b"x"), (STREAM_CLOSED,)),
        ("HEADERS", frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x82\x87\x84"), (STREAM_CLOSED, PROTOCOL_ERROR)),
        ("CONTINUATION", frame(CONTINUATION, END_HEADERS, 1, b"\x82"), (STREAM_CLOSED, PROTOCOL_ERROR))):
    def on_closed(t: Talk, sent: bytes = sent, codes: tuple = codes) -> str:
        if not ended(t):
            return f"expected a response, got {t.summary()}"
        t.send(sent)
        return late(t, 1, *codes)
    CASES.append(Case(f"5.1 closed by its end: {title}", on_closed))

for title, sent in (
        ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 1, window(1))), ("PRIORITY", frame(PRIORITY, 0, 1, WEIGHT)),
        ("RST_STREAM", frame(RST_STREAM, 0, 1, window(CANCEL)))):
    def after_end(t: Talk, sent: bytes = sent) -> str:
        if not ended(t):
            return f"expected a response, got {t.summary()}"
        t.send(sent)
        return t.unaffected()
    CASES.append(Case(f"5.1 closed by its end: {title} is no error", after_end))

for title, sent, codes in (
        ("DATA", frame(DATA, END_STREAM, 1, b"x"), (STREAM_CLOSED,)),
        ("HEADERS", frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x82\x87\x84"), (STREAM_CLOSED, PROTOCOL_ERROR)),
        ("CONTINUATION", frame(CONTINUATION, END_HEADERS, 1, b"\x82"), (STREAM_CLOSED, PROTOCOL_ERROR))):
    def on_reset(t: Talk, sent: bytes = sent, codes: tuple = codes) -> str:
        t.open(1)
        t.frame(RST_STREAM, 0, 1, window(CANCEL))
        t.send(sent)
        return late(t, 1, *codes)
    CASES.append(Case(f"5.1 closed by our reset: {title}", on_reset))


@case("5.1", "closed by our reset: PRIORITY is no error")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(RST_STREAM, 0, 1, window(CANCEL))
    t.frame(PRIORITY, 0, 1, WEIGHT)
    return t.unaffected()


@case("5.1", "frames in flight when the server resets a stream are ignored")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_HEADERS, 1, t.post(("Upper", "case")))
    if not t.until(lambda: t.stream(1).reset is not None):
        return t.summary()
    t.frame(WINDOW_UPDATE, 0, 1, window(1))
    t.frame(RST_STREAM, 0, 1, window(CANCEL))
    return t.unaffected()


# 5.1.1 Identifiers

@case("5.1.1", "an even identifier")
def _(t: Talk) -> str:
    t.get(2)
    return t.connection_error(PROTOCOL_ERROR)


@case("5.1.1", "a decreasing identifier")
def _(t: Talk) -> str:
    t.get(5)
    t.get(3)
    return t.connection_error(PROTOCOL_ERROR, STREAM_CLOSED)


@case("5.1.1", "identifiers may be skipped")
def _(t: Talk) -> str:
    t.get(101)
    return t.answer(101, 200)


@case("5.1.1", "a new stream closes the idle ones below it")
def _(t: Talk) -> str:
    t.get(5)
    if finding := t.answer(5, 200):
        return finding
    t.frame(DATA, END_STREAM, 3, b"x")
    return t.connection_error(PROTOCOL_ERROR, STREAM_CLOSED)


@case("5.1.1", "the highest identifier is answered")
def _(t: Talk) -> str:
    t.get(0x7FFFFFFF)
    return t.answer(0x7FFFFFFF, 200)


# 5.1.2 Concurrency

@case("5.1.2", "more streams than announced")
def _(t: Talk) -> str:
    limit = t.settings.get(3)
    if limit is None:
        return "expected a limit in the server's settings"
    heads = b"".join(frame(HEADERS, END_HEADERS, 2 * i + 1, t.post()) for i in range(limit + 1))
    t.send(heads)
    last = t.stream(2 * limit + 1)
    t.until(lambda: last.reset is not None or t.goaway is not None or t.closed, 5)
    code = t.goaway[1] if t.goaway else last.reset
    return "" if code in (PROTOCOL_ERROR, REFUSED_STREAM, ENHANCE_YOUR_CALM) else f"got {t.summary()[:200]}"


# 5.3 Deprecated priorities

@case("5.3.1", "HEADERS that depend on their own stream")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_STREAM | END_HEADERS | PRIORITIZED, 1, b"\0\0\0\x01\x10" + t.head())
    return t.stream_error(1, PROTOCOL_ERROR)


@case("5.3.1", "PRIORITY that depends on its own stream")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(PRIORITY, 0, 1, b"\0\0\0\x01\x10")
    return t.stream_error(1, PROTOCOL_ERROR)


# 5.4 Errors

@case("5.4.1", "GOAWAY has the last processed stream")
def _(t: Talk) -> str:
    t.get(3)
    if finding := t.answer(3, 200):
        return finding
    t.frame(PING, 0, 1, bytes(8))
    return t.connection_error(PROTOCOL_ERROR) or ("" if t.goaway[0] == 3 else f"expected stream 3, got {t.goaway[0]}")


@case("5.4.2", "a stream error does not affect other streams")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(HEADERS, END_STREAM | END_HEADERS, 3, t.head(("Upper", "case")))
    if finding := t.stream_error(3, PROTOCOL_ERROR):
        return finding
    t.frame(DATA, END_STREAM, 1, b"{}")
    return t.answer(1)


@case("5.4", "an unknown code of RST_STREAM is no error")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(RST_STREAM, 0, 1, window(0xFFFFFFFF))
    return t.unaffected()


# 5.5 Extensions

@case("5.5", "an unknown setting is ignored")
def _(t: Talk) -> str:
    t.frame(SETTINGS, 0, 0, setting(0xFFFF, 1) + setting(0x1234, 0xFFFFFFFF))
    return t.unaffected() or ("" if t.settings_acks == 2 else f"expected 2 acknowledgements, got {t.settings_acks}")


@case("5.5", "an unknown frame inside a block ends the connection")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_STREAM, 1, t.head())
    t.frame(UNKNOWN, 0, 1, b"x")
    return t.connection_error(PROTOCOL_ERROR)


@case("5.5", "a client's GOAWAY with an unknown code is no error")
def _(t: Talk) -> str:
    t.get(1)
    t.frame(GOAWAY, 0, 0, window(0) + window(0xABCD))
    return "" if t.answered(1) else t.summary()


@case("5.5", "a client's GOAWAY lets its streams finish")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(GOAWAY, 0, 0, window(0) + window(NO_ERROR) + b"bye")
    t.frame(DATA, END_STREAM, 1, b"{}")
    return "" if t.answered(1) else t.summary()
