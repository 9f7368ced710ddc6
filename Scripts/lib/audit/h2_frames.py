"""RFC 9113, section 6: each type of frame, its size, stream and flow control. Kept in Python for independence."""

from h2cases import CASES, Case, Talk, case
from h2wire import (ACK, CANCEL, CONTINUATION, DATA, ENABLE_CONNECT_PROTOCOL, ENABLE_PUSH, END_HEADERS, END_STREAM,
                    ENHANCE_YOUR_CALM, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, GOAWAY, HEADER_TABLE_SIZE, HEADERS,
                    INITIAL_WINDOW_SIZE, MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE,
                    NO_RFC7540_PRIORITIES, PADDED, PING, PRIORITIZED, PRIORITY, PROTOCOL_ERROR, PUSH_PROMISE,
                    RST_STREAM, SETTINGS, STREAM_CLOSED, WINDOW_UPDATE, frame, setting, window)

LARGEST = 0x7FFFFFFF
WEIGHT = b"\0\0\0\0\x10"


def fatal(section: str, title: str, sent: bytes, *codes: int) -> None:
    def run(t: Talk) -> str:
        t.send(sent)
        return t.connection_error(*codes)
    CASES.append(Case(f"{section} {title}", run))


def fatal_on_open(section: str, title: str, sent: bytes, *codes: int) -> None:
    def run(t: Talk) -> str:
        t.open(1)
        t.send(sent)
        return t.connection_error(*codes)
    CASES.append(Case(f"{section} {title}", run))


def harmless(section: str, title: str, sent: bytes) -> None:
    def run(t: Talk) -> str:
        t.send(sent)
        return t.unaffected()
    CASES.append(Case(f"{section} {title}", run))


# 6.1 DATA

fatal("6.1", "DATA on stream 0", frame(DATA, END_STREAM, 0, b"x"), PROTOCOL_ERROR)
fatal_on_open("6.1", "padding as long as the payload", frame(DATA, END_STREAM | PADDED, 1, b"\x05abcd"), PROTOCOL_ERROR)
fatal_on_open("6.1", "padding longer than the payload", frame(DATA, END_STREAM | PADDED, 1, b"\xffabc"), PROTOCOL_ERROR)
fatal_on_open("6.1", "padding without its length", frame(DATA, END_STREAM | PADDED, 1), PROTOCOL_ERROR, FRAME_SIZE_ERROR)


@case("6.1", "DATA with padding")
def _(t: Talk) -> str:
    t.open(1, ("content-length", "2"))
    t.frame(DATA, END_STREAM | PADDED, 1, b"\x04{}\0\0\0\0")
    return t.answer(1)


@case("6.1", "DATA with only padding")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(DATA, PADDED, 1, b"\x04\0\0\0\0")
    t.frame(DATA, END_STREAM, 1)
    return t.answer(1)


@case("6.1", "padding is returned to the windows")
def _(t: Talk) -> str:
    t.open(1)
    # More than the windows allow if padding is not returned.
    for _ in range(300):
        if t.goaway or t.stream(1).reset is not None:
            break
        t.frame(DATA, PADDED, 1, b"\xff" + b"x" + bytes(255))
        t.until(lambda: False, 0.001)
    t.frame(DATA, END_STREAM, 1)
    return t.answer(1)


# 6.2 HEADERS

fatal("6.2", "HEADERS on stream 0", frame(HEADERS, END_STREAM | END_HEADERS, 0, b"\x82\x87\x84"), PROTOCOL_ERROR)
fatal("6.2", "padding longer than the payload", frame(HEADERS, END_STREAM | END_HEADERS | PADDED, 1, b"\xff\x82"),
      PROTOCOL_ERROR)
fatal("6.2", "padding without its length", frame(HEADERS, END_STREAM | END_HEADERS | PADDED, 1), FRAME_SIZE_ERROR,
      PROTOCOL_ERROR)
fatal("6.2", "an incomplete priority", frame(HEADERS, END_STREAM | END_HEADERS | PRIORITIZED, 1, b"\0\0\0"),
      FRAME_SIZE_ERROR, PROTOCOL_ERROR)


@case("6.2", "HEADERS with padding and a priority")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_STREAM | END_HEADERS | PADDED | PRIORITIZED, 1, b"\x03" + WEIGHT + t.head() + bytes(3))
    return t.answer(1, 200)


# 6.3 PRIORITY

fatal("6.3", "PRIORITY on stream 0", frame(PRIORITY, 0, 0, WEIGHT), PROTOCOL_ERROR)
for size in (0, 4, 6):
    def sized_priority(t: Talk, size: int = size) -> str:
        t.open(1)
        t.frame(PRIORITY, 0, 1, bytes(size))
        return t.stream_error(1, FRAME_SIZE_ERROR)
    CASES.append(Case(f"6.3 PRIORITY of {size} bytes", sized_priority))


# 6.4 RST_STREAM

fatal("6.4", "RST_STREAM on stream 0", frame(RST_STREAM, 0, 0, window(CANCEL)), PROTOCOL_ERROR)
for size in (0, 3, 5):
    fatal_on_open("6.4", f"RST_STREAM of {size} bytes", frame(RST_STREAM, 0, 1, bytes(size)), FRAME_SIZE_ERROR)


# 6.5 SETTINGS

fatal("6.5", "SETTINGS on a stream", frame(SETTINGS, 0, 1), PROTOCOL_ERROR)
fatal("6.5", "an acknowledgement with payload", frame(SETTINGS, ACK, 0, setting(1, 1)), FRAME_SIZE_ERROR)
for size in (1, 5, 7):
    fatal("6.5", f"SETTINGS of {size} bytes", frame(SETTINGS, 0, 0, bytes(size)), FRAME_SIZE_ERROR)
fatal("6.5.2", "ENABLE_PUSH of 2", frame(SETTINGS, 0, 0, setting(ENABLE_PUSH, 2)), PROTOCOL_ERROR)
for value in (1 << 31, 0xFFFFFFFF):
    fatal("6.5.2", f"INITIAL_WINDOW_SIZE of {value}", frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, value)),
          FLOW_CONTROL_ERROR)
for value in (0, 16383, 1 << 24, 0xFFFFFFFF):
    fatal("6.5.2", f"MAX_FRAME_SIZE of {value}", frame(SETTINGS, 0, 0, setting(MAX_FRAME_SIZE, value)), PROTOCOL_ERROR)
fatal("6.5.2", "ENABLE_CONNECT_PROTOCOL of 2 (RFC 8441)", frame(SETTINGS, 0, 0, setting(ENABLE_CONNECT_PROTOCOL, 2)),
      PROTOCOL_ERROR)
fatal("6.5.2", "NO_RFC7540_PRIORITIES of 2 (RFC 9218)", frame(SETTINGS, 0, 0, setting(NO_RFC7540_PRIORITIES, 2)),
      PROTOCOL_ERROR)
for title, settings in (
        ("MAX_FRAME_SIZE of 16384 and of 16777215",
         setting(MAX_FRAME_SIZE, 16384) + setting(MAX_FRAME_SIZE, 16777215)),
        ("ENABLE_PUSH of 0 and of 1", setting(ENABLE_PUSH, 0) + setting(ENABLE_PUSH, 1)),
        ("MAX_CONCURRENT_STREAMS of 0", setting(MAX_CONCURRENT_STREAMS, 0)),
        ("HEADER_TABLE_SIZE of 0", setting(HEADER_TABLE_SIZE, 0)),
        ("HEADER_TABLE_SIZE of 4294967295", setting(HEADER_TABLE_SIZE, 0xFFFFFFFF)),
        ("MAX_HEADER_LIST_SIZE of 0", setting(MAX_HEADER_LIST_SIZE, 0)), ("no settings", b"")):
    harmless("6.5.2", f"{title} is accepted", frame(SETTINGS, 0, 0, settings))


@case("6.5.3", "SETTINGS are acknowledged, once each")
def _(t: Talk) -> str:
    t.frame(SETTINGS, 0, 0, setting(MAX_CONCURRENT_STREAMS, 100))
    t.frame(SETTINGS, 0, 0)
    t.is_usable()
    return "" if t.settings_acks == 3 else f"expected 2 acknowledgements, got {t.settings_acks - 1}"


@case("6.5.3", "settings are applied in order")
def _(t: Talk) -> str:
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 100) + setting(INITIAL_WINDOW_SIZE, 1))
    t.get(1)
    t.until(lambda: t.stream(1).content >= 1)
    t.is_usable()
    return "" if t.stream(1).content == 1 else f"unexpected size of the content: {t.stream(1).content} bytes"


# 6.6 PUSH_PROMISE

fatal("6.6", "PUSH_PROMISE from a client", frame(PUSH_PROMISE, END_HEADERS, 1, window(2) + b"\x82\x87\x84"),
      PROTOCOL_ERROR)
fatal_on_open("6.6", "PUSH_PROMISE from a client on an open stream",
              frame(PUSH_PROMISE, END_HEADERS, 1, window(2) + b"\x82\x87\x84"), PROTOCOL_ERROR)


# 6.7 PING

fatal("6.7", "PING on a stream", frame(PING, 0, 1, bytes(8)), PROTOCOL_ERROR)
for size in (0, 6, 7, 9):
    fatal("6.7", f"PING of {size} bytes", frame(PING, 0, 0, bytes(size)), FRAME_SIZE_ERROR)
harmless("6.7", "an unsolicited PING acknowledgement is ignored", frame(PING, ACK, 0, b"unasked!"))


@case("6.7", "PING is answered with its payload")
def _(t: Talk) -> str:
    t.frame(PING, 0, 0, b"\0\xff12\n\r45")
    return "" if t.until(lambda: t.pongs == [b"\0\xff12\n\r45"]) else t.summary()


@case("6.7", "PING is answered while a stream is open")
def _(t: Talk) -> str:
    t.open(1)
    return "" if t.is_usable() else t.summary()


# 6.8 GOAWAY

fatal("6.8", "GOAWAY on a stream", frame(GOAWAY, 0, 1, bytes(8)), PROTOCOL_ERROR)
for size in (0, 7):
    fatal("6.8", f"GOAWAY of {size} bytes", frame(GOAWAY, 0, 0, bytes(size)), FRAME_SIZE_ERROR)


# 6.9 WINDOW_UPDATE and flow control

fatal("6.9", "an increment of 0 for the connection", frame(WINDOW_UPDATE, 0, 0, window(0)), PROTOCOL_ERROR)
for size in (0, 3, 5):
    fatal("6.9", f"WINDOW_UPDATE of {size} bytes", frame(WINDOW_UPDATE, 0, 0, bytes(size)), FRAME_SIZE_ERROR)
fatal_on_open("6.9", "WINDOW_UPDATE of 3 bytes on a stream", frame(WINDOW_UPDATE, 0, 1, bytes(3)), FRAME_SIZE_ERROR)
harmless("6.9", "the reserved bit of an increment is ignored", frame(WINDOW_UPDATE, 0, 0, window(0x80000001)))
fatal("6.9.1", "a connection window above the maximum", frame(WINDOW_UPDATE, 0, 0, window(LARGEST)) * 2,
      FLOW_CONTROL_ERROR)


@case("6.9", "an increment of 0 for a stream")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(WINDOW_UPDATE, 0, 1, window(0))
    return t.stream_error(1, PROTOCOL_ERROR)


@case("6.9.1", "a stream window above the maximum")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(WINDOW_UPDATE, 0, 1, window(LARGEST))
    return t.stream_error(1, FLOW_CONTROL_ERROR)


@case("6.9.1", "content waits for the stream's window")
def _(t: Talk) -> str:
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 1))
    t.get(1)
    t.until(lambda: t.stream(1).content >= 1)
    t.is_usable()
    if t.stream(1).content != 1 or t.stream(1).ended:
        return f"expected at most 1 bytes, got {t.stream(1).content}"
    t.frame(WINDOW_UPDATE, 0, 1, window(9))
    t.until(lambda: t.stream(1).content >= 10)
    t.is_usable()
    if t.stream(1).content != 10:
        return f"expected at most 10 bytes, got {t.stream(1).content}"
    t.frame(WINDOW_UPDATE, 0, 1, window(1 << 20))
    return t.answer(1, 200)


@case("6.9.1", "content waits for an initial window of 0")
def _(t: Talk) -> str:
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 0))
    t.get(1)
    t.until(lambda: t.stream(1).status is not None)
    t.is_usable()
    if t.stream(1).content:
        return f"expected at most 0 bytes, got {t.stream(1).content}"
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 65535))
    return t.answer(1, 200)


@case("6.9.1", "content waits for the connection's window")
def _(t: Talk) -> str:
    number = 1
    while number < 200 and sum(stream.content for stream in t.streams.values()) < 65535:
        t.frame(HEADERS, END_STREAM | END_HEADERS, number, t.head(path=t.endpoint.large))
        t.until(lambda: t.stream(number).ended, 0.2)
        number += 2
    t.is_usable()
    total = sum(stream.content for stream in t.streams.values())
    if total != 65535:
        return f"expected at most 65535 bytes, got {total}"
    t.frame(WINDOW_UPDATE, 0, 0, window(1000))
    t.frame(WINDOW_UPDATE, 0, number - 2, window(1000))
    t.until(lambda: sum(stream.content for stream in t.streams.values()) >= 66535)
    t.is_usable()
    total = sum(stream.content for stream in t.streams.values())
    return "" if total <= 66535 and total > 65535 else f"expected at most 66535 bytes, got {total}"


@case("6.9.2", "a smaller initial window makes a window negative")
def _(t: Talk) -> str:
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 10))
    t.get(1)
    t.until(lambda: t.stream(1).content >= 10)
    # The window is now 4 - 10, and it is 3 after 9 more bytes are granted.
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 4))
    t.frame(WINDOW_UPDATE, 0, 1, window(6))
    t.is_usable()
    if t.stream(1).content != 10:
        return f"expected no content for a negative window, got {t.stream(1).content - 10} bytes"
    t.frame(WINDOW_UPDATE, 0, 1, window(3))
    t.until(lambda: t.stream(1).content >= 13)
    t.is_usable()
    return "" if t.stream(1).content == 13 else f"expected 13 bytes, got {t.stream(1).content}"


@case("6.9.2", "settings that raise a window above the maximum")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(WINDOW_UPDATE, 0, 1, window(LARGEST - 65535))
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, LARGEST))
    return t.connection_error(FLOW_CONTROL_ERROR)


@case("6.9.2", "settings do not change the connection window")
def _(t: Talk) -> str:
    t.frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, LARGEST))
    t.frame(HEADERS, END_STREAM | END_HEADERS, 1, t.head(path=t.endpoint.large))
    t.until(lambda: t.stream(1).content > 65535 or t.stream(1).ended, 0.5)
    return "" if t.stream(1).content <= 65535 else f"unexpected size of the content: {t.stream(1).content} bytes"


@case("6.9.1", "content beyond the server's stream window")
def _(t: Talk) -> str:
    size = t.settings.get(INITIAL_WINDOW_SIZE, 65535)
    t.open(1)
    # In one write, so that no update can arrive in between.
    sent = b"".join(frame(DATA, 0, 1, bytes(16384)) for _ in range(size // 16384 * 3 + 1))
    t.send(sent)
    return t.either(lambda: t.stream_error(1, FLOW_CONTROL_ERROR, STREAM_CLOSED),
                    # A server that reads in between may have updated the window in time.
                    lambda: "" if any(number == 1 for number, _ in t.window_updates) and t.is_usable()
                    else "expected WINDOW_UPDATE")


@case("6.9", "the server updates its windows for consumed content")
def _(t: Talk) -> str:
    t.open(1)
    # Window for a response of the same size.
    t.send(frame(WINDOW_UPDATE, 0, 0, window(1 << 20)) + frame(WINDOW_UPDATE, 0, 1, window(1 << 20)))
    for _ in range(12):
        t.frame(DATA, 0, 1, bytes(16384))
        t.until(lambda: False, 0.02)
    t.frame(DATA, END_STREAM, 1)
    return t.answer(1)


# 6.10 CONTINUATION

fatal("6.10", "CONTINUATION on stream 0", frame(CONTINUATION, END_HEADERS, 0, b"\x82"), PROTOCOL_ERROR)
fatal("6.10", "CONTINUATION without HEADERS", frame(CONTINUATION, END_HEADERS, 1, b"\x82"), PROTOCOL_ERROR)


@case("6.10", "a block in several frames")
def _(t: Talk) -> str:
    head = t.head()
    t.frame(HEADERS, END_STREAM, 1, head[:5])
    t.frame(CONTINUATION, 0, 1, head[5:6])
    t.frame(CONTINUATION, 0, 1)
    t.frame(CONTINUATION, END_HEADERS, 1, head[6:])
    return t.answer(1, 200)


@case("6.10", "a block whose first frame is empty")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_STREAM, 1)
    t.frame(CONTINUATION, END_HEADERS, 1, t.head())
    return t.answer(1, 200)


@case("6.10", "CONTINUATION after a complete block")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_HEADERS, 1, t.post())
    t.frame(CONTINUATION, END_HEADERS, 1, b"\x82")
    return t.connection_error(PROTOCOL_ERROR)


@case("6.10", "CONTINUATION after the last CONTINUATION")
def _(t: Talk) -> str:
    head = t.post()
    t.frame(HEADERS, 0, 1, head[:5])
    t.frame(CONTINUATION, END_HEADERS, 1, head[5:])
    t.frame(CONTINUATION, END_HEADERS, 1, b"\x82")
    return t.connection_error(PROTOCOL_ERROR)


@case("6.10", "CONTINUATION after DATA")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(DATA, 0, 1, b"x")
    t.frame(CONTINUATION, END_HEADERS, 1, b"\x82")
    return t.connection_error(PROTOCOL_ERROR)


# 10.5 Floods: 50,000 frames without useful work end the connection.

for title, flood in (
        ("PING", frame(PING, 0, 0, bytes(8))), ("SETTINGS", frame(SETTINGS, 0, 0)),
        ("PRIORITY", frame(PRIORITY, 0, 1, WEIGHT)), ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 0, window(1))),
        ("unknown frames", frame(0xF7, 0, 0)), ("unsolicited PING acknowledgements", frame(PING, ACK, 0, bytes(8)))):
    def flooded(t: Talk, flood: bytes = flood) -> str:
        for _ in range(50):
            t.send(flood * 1000)
            if t.closed:
                break
            t.until(lambda: False, 0.001)
        return t.connection_error(ENHANCE_YOUR_CALM)
    CASES.append(Case(f"10.5 a flood of {title}", flooded))


@case("10.5", "a flood of empty DATA")
def _(t: Talk) -> str:
    t.open(1)
    for _ in range(50):
        t.send(frame(DATA, 0, 1) * 1000)
        t.until(lambda: False, 0.001)
    return t.connection_error(ENHANCE_YOUR_CALM)


@case("10.5", "a flood of CONTINUATION")
def _(t: Talk) -> str:
    t.frame(HEADERS, END_STREAM, 1, t.head())
    t.send(frame(CONTINUATION, 0, 1, b"\x0f\x00\x01a\x01b"[2:]) * 1000)
    return t.connection_error(ENHANCE_YOUR_CALM)


@case("10.5", "requests that are reset immediately (CVE-2023-44487)")
def _(t: Talk) -> str:
    for start in range(1, 20001, 1000):
        t.send(b"".join(frame(HEADERS, END_STREAM | END_HEADERS, number, t.head())
                        + frame(RST_STREAM, 0, number, window(CANCEL)) for number in range(start, start + 1000, 2)))
        t.until(lambda: False, 0.001)
    return t.connection_error(ENHANCE_YOUR_CALM)


@case("10.5", "resets that the client provokes (CVE-2025-8671)")
def _(t: Talk) -> str:
    for start in range(1, 20001, 1000):
        t.send(b"".join(frame(HEADERS, END_HEADERS, number, t.post()) + frame(WINDOW_UPDATE, 0, number, window(0))
                        for number in range(start, start + 1000, 2)))
        t.until(lambda: False, 0.001)
    return t.connection_error(ENHANCE_YOUR_CALM, PROTOCOL_ERROR)
