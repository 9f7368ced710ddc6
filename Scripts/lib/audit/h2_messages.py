"""RFC 9113, section 8: HTTP requests and responses; field compression (RFC 7541). Kept in Python for independence."""

from h2cases import CASES, Case, Talk, case
from h2wire import (COMPRESSION_ERROR, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, HEADERS,
                    PROTOCOL_ERROR, block, integer, literal)


def malformed(section: str, title: str, head) -> None:
    """A request whose fields cause a stream error; `head` creates the fields for a connection."""
    def run(t: Talk) -> str:
        t.request(1, head(t))
        return t.malformed()
    CASES.append(Case(f"{section} {title}", run))


def accepted(section: str, title: str, head, *statuses: int) -> None:
    def run(t: Talk) -> str:
        t.request(1, head(t))
        return t.answer(1, *statuses)
    CASES.append(Case(f"{section} {title}", run))


def fields(t: Talk, **changed: str | None) -> list[tuple[str, str]]:
    """Returns the pseudo-header fields of a request, with some changed or (by None) omitted."""
    pseudo = {"method": "GET", "scheme": t.scheme, "path": t.endpoint.document, "authority": "localhost"} | changed
    return [(f":{name}", value) for name, value in pseudo.items() if value is not None]


# 8.1 Framing of messages

@case("8.1", "a request with trailers")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(DATA, 0, 1, b"{}")
    t.frame(HEADERS, END_STREAM | END_HEADERS, 1, block(("x-sum", "1")))
    return t.answer(1)


@case("8.1", "trailers without content before them")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(HEADERS, END_STREAM | END_HEADERS, 1, block(("x-sum", "1")))
    return t.answer(1)


@case("8.1", "trailers that do not end the stream")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(HEADERS, END_HEADERS, 1, block(("x-sum", "1")))
    return t.malformed()


for title, trailer in (("a pseudo-field", (":method", "POST")), ("a name in upper case", ("X-Sum", "1")),
                       ("a connection-specific field", ("connection", "close")), ("an empty name", ("", "1")),
                       ("a line break", ("x-sum", "1\r\nx: y"))):
    def trailed(t: Talk, trailer: tuple = trailer) -> str:
        t.open(1)
        t.frame(DATA, 0, 1, b"{}")
        t.frame(HEADERS, END_STREAM | END_HEADERS, 1, block(trailer))
        return t.malformed()
    CASES.append(Case(f"8.1 trailers with {title}", trailed))


@case("8.1", "DATA after trailers")
def _(t: Talk) -> str:
    t.open(1)
    t.frame(HEADERS, END_STREAM | END_HEADERS, 1, block(("x-sum", "1")))
    t.frame(DATA, END_STREAM, 1, b"x")
    it = t.stream(1)
    t.until(lambda: it.reset is not None or t.goaway is not None)
    return "" if it.reset == 5 or t.goaway and t.goaway[1] == 5 else t.summary()


@case("8.1", "a response to HEAD has no content")
def _(t: Talk) -> str:
    t.request(1, t.head(method="HEAD"))
    return t.answer(1, 200) or ("" if t.stream(1).content == 0 and int(t.stream(1).value("content-length")) > 0
                                else f"unexpected size of the content: {t.stream(1).content} bytes")


@case("8.1", "a response has as much content as its content-length")
def _(t: Talk) -> str:
    t.get(1)
    return t.answer(1, 200) or ("" if t.stream(1).content == int(t.stream(1).value("content-length"))
                                else f"unexpected size of the content: {t.stream(1).content} bytes")


@case("8.2", "a response's fields are valid")
def _(t: Talk) -> str:
    t.get(1)
    if finding := t.answer(1, 200):
        return finding
    head = t.stream(1).heads[0]
    names = [name for name, _ in head]
    wrong = [name for name in names if name != name.lower() or name in
             ("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade")]
    if names[0] != ":status" or names.count(":status") != 1 or any(name[0] == ":" for name in names[1:]):
        return f"its pseudo-fields are {[name for name in names if name[0] == ':']}"
    return f"it has {wrong}" if wrong else "" if "date" in names else "it has no date"


# 8.1.1 Lengths

for title, length, parts in (
        ("more than received", "3", (b"{}",)), ("less than received", "1", (b"{}",)),
        ("more than received in several frames", "5", (b"{", b"}")), ("less than received in several frames", "3", (b"{}", b"{}")),
        ("0 with content", "0", (b"x",))):
    def mismatched(t: Talk, length: str = length, parts: tuple = parts) -> str:
        t.open(1, ("content-length", length))
        for part in parts[:-1]:
            t.frame(DATA, 0, 1, part)
        t.frame(DATA, END_STREAM, 1, parts[-1])
        return t.malformed()
    CASES.append(Case(f"8.1.1 a length of {title}", mismatched))

malformed("8.1.1", "a length without content", lambda t: t.post(("content-length", "1")))
for value in ("-1", "+1", "0x1", "1, 1", "", "one", "1.0", "99999999999999999999"):
    malformed("8.1.1", f"a length of {value!r}", lambda t, value=value: t.post(("content-length", value)))
malformed("8.1.1", "two lengths", lambda t: t.post(("content-length", "0"), ("content-length", "0")))


@case("8.1.1", "a matching length over several frames")
def _(t: Talk) -> str:
    t.open(1, ("content-length", "4"))
    for part in (b"{", b"", b" ", b"", b" }"):
        t.frame(DATA, 0, 1, part)
    t.frame(DATA, END_STREAM, 1)
    return t.answer(1)


@case("8.1.1", "a matching length with trailers")
def _(t: Talk) -> str:
    t.open(1, ("content-length", "2"))
    t.frame(DATA, 0, 1, b"{}")
    t.frame(HEADERS, END_STREAM | END_HEADERS, 1, block(("x-sum", "1")))
    return t.answer(1)


@case("8.1.1", "a mismatched length with trailers")
def _(t: Talk) -> str:
    t.open(1, ("content-length", "3"))
    t.frame(DATA, 0, 1, b"{}")
    t.frame(HEADERS, END_STREAM | END_HEADERS, 1, block(("x-sum", "1")))
    return t.malformed()


# 8.2 Fields

for title, name in (("upper case", "X-Name"), ("a space", "x name"), ("a colon", "x:name"), ("a line end", "x\nname"),
                    ("a carriage return", "x\rname"), ("NUL", "x\0name"), ("nothing", ""), ("a slash", "x/name"),
                    ("a byte above 127", "x\xe9name"), ("DEL", "x\x7fname"), ("a space at its end", "xname "),
                    ("a comma", "x,name"), ("a quotation mark", "x\"name")):
    malformed("8.2.1", f"a name with {title}", lambda t, name=name: t.head((name, "value")))

for title, value in (("a line end", "a\nb"), ("a carriage return", "a\rb"), ("NUL", "a\0b"), ("a line end last", "a\n"),
                     ("a space first", " a"), ("a space last", "a "), ("a tab first", "\ta"), ("a tab last", "a\t"),
                     ("a request inside", "a\r\n\r\nGET / HTTP/1.1\r\n\r\n"), ("NUL only", "\0")):
    malformed("8.2.1", f"a value with {title}", lambda t, value=value: t.head(("x-name", value)))

for title, value in (("nothing", ""), ("spaces and tabs inside", "a \t b"), ("bytes above 127", "\xe9\xff"),
                     ("all of ASCII's marks", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")):
    accepted("8.2.1", f"a value with {title}", lambda t, value=value: t.head(("x-name", value)), 200)

for name, value in (("connection", "close"), ("connection", "keep-alive"), ("keep-alive", "timeout=5"),
                    ("proxy-connection", "keep-alive"), ("transfer-encoding", "chunked"),
                    ("transfer-encoding", "identity"), ("upgrade", "websocket"), ("te", "gzip"),
                    ("te", "trailers, deflate;q=0.5"), ("te", "")):
    malformed("8.2.2", f"{name}: {value}", lambda t, name=name, value=value: t.head((name, value)))
accepted("8.2.2", "te: trailers", lambda t: t.head(("te", "trailers")), 200)
malformed("8.2.2", "a length and a coding (smuggling)",
          lambda t: t.post(("content-length", "0"), ("transfer-encoding", "chunked")))
accepted("8.2.3", "a cookie in several fields", lambda t: t.head(("cookie", "a=1"), ("x", "y"), ("cookie", "b=2")), 200)


# 8.3 Pseudo-fields

for name in ("method", "scheme", "path"):
    malformed("8.3.1", f"no :{name}", lambda t, name=name: block(*fields(t, **{name: None})))
    malformed("8.3.1", f":{name} twice", lambda t, name=name: block(*fields(t), (f":{name}", dict(fields(t))[f":{name}"])))
malformed("8.3.1", ":authority twice", lambda t: block(*fields(t), (":authority", "localhost")))
malformed("8.3.1", "neither :authority nor host", lambda t: block(*fields(t, authority=None)))
malformed("8.3", "an unknown pseudo-field", lambda t: block(*fields(t), (":unknown", "x")))
malformed("8.3", ":status in a request", lambda t: block(*fields(t), (":status", "200")))
malformed("8.3", ":protocol without its setting", lambda t: block(*fields(t), (":protocol", "websocket")))
malformed("8.3", "an empty pseudo-field's name", lambda t: block(*fields(t), (":", "x")))
malformed("8.3", "a pseudo-field in upper case", lambda t: block(*fields(t, method=None), (":Method", "GET")))
malformed("8.3", "a pseudo-header field after a regular field",
          lambda t: block(*fields(t, path=None), ("x", "y"), (":path", t.endpoint.document)))
malformed("8.3", "no fields", lambda t: b"")

for title, path in (("empty", ""), ("without a slash", "index"), ("with a space", "/a b"), ("with a line end", "/a\nb"),
                    ("with CR LF", "/a\r\nx: y"), ("with a fragment", "/a#b"), ("with NUL", "/a\0"),
                    ("that is a whole URI", "http://localhost/"), ("with a byte above 127", "/\xe9"),
                    ("that is an asterisk, for GET", "*"), ("with a request line", "/ HTTP/1.1\r\nHost: x"),
                    ("with a tab", "/\t"), ("with an escaped NUL", "/%00"), ("with DEL", "/\x7f"), ("with quotes", "/a\"b")):
    malformed("8.3.1", f"a path {title}", lambda t, path=path: block(*fields(t, path=path)))
for path in ("/[a]", "/a|b^c", "/%", "/%zz", "/?q=100%", "/?[]{}|^`\\%zz"):
    accepted("8.3.1", f"the path {path!r}, as browsers send it", lambda t, path=path: block(*fields(t, path=path)), 200, 404)
accepted("8.3.1", "an asterisk for OPTIONS", lambda t: block(*fields(t, method="OPTIONS", path="*")))
accepted("8.3.1", "a path with a query", lambda t: block(*fields(t, path=f"{t.endpoint.document}?a=%20b&c")), 200)

for method in ("", "GE T", "GET\0", "GET\n", "G(T", "G\xc9T", "GET /x HTTP/1.1\r\n"):
    malformed("8.3.1", f"the method {method!r}", lambda t, method=method: block(*fields(t, method=method)))
accepted("8.3.1", "an unknown method", lambda t: block(*fields(t, method="BREW")))

for scheme in ("", "ht tp", "1http", "http:", "htt\0p", "http\r\n", "ht/tp"):
    malformed("8.3.1", f"the scheme {scheme!r}", lambda t, scheme=scheme: block(*fields(t, scheme=scheme)))
accepted("8.3.1", "an unsupported scheme", lambda t: block(*fields(t, scheme="gopher")), 400, 404, 421, 501)

for authority in ("", "user@localhost", "user:word@localhost", "local host", "localhost/", "localhost:port",
                  "localhost:65536", "localhost\0", "localhost\r\nx: y", "localhost#", "localhost?", "[::1",
                  "::1", "localhost:1:2"):
    malformed("8.3.1", f"the authority {authority!r}",
              lambda t, authority=authority: block(*fields(t, authority=authority)))
malformed("8.3.1", "a host that differs from :authority", lambda t: t.head(("host", "elsewhere")))
malformed("8.3.1", "two hosts", lambda t: t.head(("host", "localhost"), ("host", "localhost")))
malformed("8.3.1", "two hosts without :authority",
          lambda t: block(*fields(t, authority=None), ("host", "localhost"), ("host", "localhost")))
malformed("8.3.1", "a host with user information without :authority",
          lambda t: block(*fields(t, authority=None), ("host", "me@localhost")))
accepted("8.3.1", "a host that is the same as :authority", lambda t: t.head(("host", "localhost")), 200)
accepted("8.3.1", "host instead of :authority", lambda t: block(*fields(t, authority=None), ("host", "localhost")), 200)


# 8.5 CONNECT

malformed("8.5", "CONNECT with :path and :scheme", lambda t: block(*fields(t, method="CONNECT")))
malformed("8.5", "CONNECT with :path",
          lambda t: block(*fields(t, method="CONNECT", scheme=None, authority="localhost:1")))
malformed("8.5", "CONNECT with :scheme", lambda t: block(*fields(t, method="CONNECT", path=None)))
malformed("8.5", "CONNECT without :authority",
          lambda t: block(*fields(t, method="CONNECT", path=None, scheme=None, authority=None)))
accepted("8.5", "CONNECT is refused",
      lambda t: block(*fields(t, method="CONNECT", path=None, scheme=None, authority="localhost:1")), 405, 501)


# RFC 9110 §10.1.1

@case("8.1", "a client that expects 100 receives it or a response")
def _(t: Talk) -> str:
    t.open(1, ("expect", "100-continue"), ("content-length", "2"))
    t.until(lambda: len(t.stream(1).heads) > 0)
    t.frame(DATA, END_STREAM, 1, b"{}")
    return t.answer(1)


# RFC 7541, field compression

def broken(title: str, head, *codes: int) -> None:
    def run(t: Talk) -> str:
        t.request(1, head(t))
        return t.connection_error(*(codes or (COMPRESSION_ERROR,)))
    CASES.append(Case(f"7541 {title}", run))


broken("index 0", lambda t: b"\x80" + t.head())
broken("an unused index", lambda t: t.head() + b"\xbe")
broken("an index beyond both tables", lambda t: t.head() + integer(9999, 7, 0x80))
broken("an index that overflows", lambda t: t.head() + b"\xff" + b"\xff" * 12 + b"\x01")
broken("an unused name index", lambda t: t.head() + integer(70, 4) + b"\x01x")
broken("an incomplete string", lambda t: t.head() + b"\x00\x05ab")
broken("an incomplete integer", lambda t: t.head() + b"\x00\x7f\xff")
broken("a length beyond the block", lambda t: t.head() + b"\x00\x01x\x7f\xff\xff\x03a")
broken("a table larger than announced", lambda t: integer(4097, 5, 0x20) + t.head())
broken("a table size update after a field", lambda t: t.head() + integer(0, 5, 0x20))
broken("Huffman: EOS", lambda t: t.head() + b"\x00\x01x\x84\xff\xff\xff\xff")
broken("Huffman: padding of a byte", lambda t: t.head() + b"\x00\x01x\x82\x1f\xff")
broken("Huffman: padding of zeros", lambda t: t.head() + b"\x00\x01x\x81\x18")
broken("Huffman: an incomplete code", lambda t: t.head() + b"\x00\x01x\x82\xff\xfe")


@case("7541", "fields of both tables, with Huffman and without")
def _(t: Talk) -> str:
    scheme = b"\x87" if t.scheme == "https" else b"\x86"
    # GET and / from the static table; an authority and a custom field added to the dynamic table, then read from it.
    first = b"\x82" + scheme + b"\x84" + b"\x41" + integer(9, 7) + b"localhost" + literal(b"x", b"y", 0x40)
    t.request(1, first)
    if finding := t.answer(1, 200):
        return finding
    t.request(3, b"\x82" + scheme + b"\x84" + b"\xbf\xbe" + b"\x00\x01h\x81\x1f")
    return t.answer(3, 200)


@case("7541", "table size updates before a block")
def _(t: Talk) -> str:
    t.request(1, integer(0, 5, 0x20) + integer(4096, 5, 0x20) + t.head())
    return t.answer(1, 200)


@case("7541", "a table size of 0 evicts all entries")
def _(t: Talk) -> str:
    t.request(1, t.head() + literal(b"x", b"y", 0x40))
    if finding := t.answer(1, 200):
        return finding
    t.request(3, integer(0, 5, 0x20) + t.head() + b"\xbe")
    return t.connection_error(COMPRESSION_ERROR)


@case("7541", "a never-indexed field")
def _(t: Talk) -> str:
    t.request(1, t.head() + literal(b"authorization", b"secret", 0x10))
    return t.answer(1, 200)


@case("7541", "rejected requests still update the table")
def _(t: Talk) -> str:
    t.request(1, t.head(("Upper", "case")) + literal(b"x-later", b"y", 0x40))
    if finding := t.malformed():
        return finding
    t.request(3, t.head() + b"\xbe")
    return t.answer(3, 200)


# 10.5.1 Field lists that are too large

@case("10.5.1", "a field list above the announced size")
def _(t: Talk) -> str:
    size = t.settings.get(6)
    if size is None:
        return "expected a size in the server's settings"
    parts = [literal(b"x-%d" % number, b"v" * 1000) for number in range(size // 1000 + 2)]
    head = t.head() + b"".join(parts)
    t.frame(HEADERS, END_STREAM, 1, head[:16000])
    t.frame(CONTINUATION, END_HEADERS, 1, head[16000:])
    return t.either(lambda: t.answer(1, 431), lambda: t.stream_error(1, PROTOCOL_ERROR, ENHANCE_YOUR_CALM))


@case("10.5.1", "a field list that is small only on the wire")
def _(t: Talk) -> str:
    t.request(1, t.head() + literal(b"x", b"v" * 4000, 0x40) + b"\xbe" * 8000)
    return t.either(lambda: t.answer(1, 431), lambda: t.connection_error(ENHANCE_YOUR_CALM))


@case("10.5.1", "a cookie in very many fields")
def _(t: Talk) -> str:
    t.request(1, t.head() + literal(b"cookie", b"a=b", 0x40) + b"\xbe" * 12000)
    return t.either(lambda: t.answer(1, 431), lambda: t.connection_error(ENHANCE_YOUR_CALM))
