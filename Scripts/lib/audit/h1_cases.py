"""The HTTP/1.1 requests of the audit, and the results that RFC 9112 allows.

`{doc}` is a target that returns 200, `{post}` is one that accepts a POST. Each case starts with a new connection.

The cases are kept in Python for independence: they share no code with the server or its Swift tests.
"""

from dataclasses import dataclass, field

HIDDEN = "GET {doc}?smuggled HTTP/1.1\r\nHost: h\r\n\r\n"


@dataclass
class Case:
    """Bytes and the allowed result: responses in order, then the connection stays open or closes."""

    name: str
    text: str
    # The allowed statuses of each response; an empty tuple allows any final status.
    answers: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    closes: bool = False
    # The indices of responses to HEAD.
    heads: tuple[int, ...] = ()
    # The content of the response, if the server echoes the body.
    echoes: bytes | None = None
    # Whether the client closes its side after the bytes.
    ends: bool = False
    pieces: int = 0


CASES: list[Case] = []


def request(line: str = "GET {doc} HTTP/1.1", *fields: str, body: str = "", host: bool = True) -> str:
    return "\r\n".join([line, *(["Host: localhost"] if host else []), *fields]) + "\r\n\r\n" + body


def post(*fields: str, body: str = "") -> str:
    return request("POST {post} HTTP/1.1", *fields, body=body)


def chunked(body: str, *fields: str) -> str:
    return post("Transfer-Encoding: chunked", *fields, body=body)


def accepted(name: str, text: str, *statuses: int, **more) -> None:
    """One response, and the connection stays open."""
    CASES.append(Case(name, text, [tuple(statuses)], **more))


def rejected(name: str, text: str, *statuses: int) -> None:
    """One error response, and the connection closes, because the bytes after it cannot be trusted."""
    CASES.append(Case(name, text, [tuple(statuses) or (400,)], closes=True))


# 2.2 Parsing

accepted("2.2 an empty line before the request", "\r\n" + request(), 200)
rejected("2.2 two empty lines before the request", "\r\n\r\n" + request())
rejected("2.2 a request line that ends in LF", request().replace("\r\n", "\n", 1))
rejected("2.2 a field line that ends in LF", "GET {doc} HTTP/1.1\r\nHost: h\n\r\n")
rejected("2.2 an empty line with only LF", "GET {doc} HTTP/1.1\r\nHost: h\r\n\n")
rejected("2.2 all lines end in LF", request().replace("\r\n", "\n"))
rejected("2.2 CR in the request line", request("GET {doc}\r HTTP/1.1"))
rejected("2.2 CR in a field's value", request("GET {doc} HTTP/1.1", "X: a\rb"))
rejected("2.2 CR before CR LF", request("GET {doc} HTTP/1.1", "X: a\r"))
rejected("2.2 CR instead of a line break", "GET {doc} HTTP/1.1\rHost: h\r\r\n\r\n")
rejected("2.2 white space before the first field", "GET {doc} HTTP/1.1\r\n Host: h\r\n\r\n")
rejected("2.2 NUL in the request line", request("GET {doc}\0 HTTP/1.1"))
rejected("2.2 NUL before the request", "\0" + request())
rejected("2.2 a TLS handshake", "\x16\x03\x01\x00\x05hello\r\n\r\n")
rejected("2.2 arbitrary bytes", "\xff\xfe\xfd\r\n\r\n")
CASES.append(Case("2.2 a request in single bytes", request(), [(200,)], pieces=1))
CASES.append(Case("2.2 a request in pieces of three bytes", request("GET {doc} HTTP/1.1", "X: y"), [(200,)], pieces=3))
CASES.append(Case("2.2 a request that ends early", "GET {doc} HTTP/1.1\r\nHost: h", [(400,)], closes=True, ends=True))

# 2.3 Versions

for version in ("HTTP/0.9", "HTTP/2.0", "HTTP/3.0", "HTTP/9.9"):
    rejected(f"2.3 {version}", request(f"GET {{doc}} {version}"), 505)
for version in ("HTTP/1.2", "HTTP/1.9"):
    accepted(f"2.3 {version}", request(f"GET {{doc}} {version}"), 200)
for version in ("HTTP/1", "HTTP/1.", "HTTP/1.10", "HTTP/01.1", "HTTP/1.1.1", "http/1.1", "HTP/1.1", "HTTP /1.1",
                "HTTP/1,1", "HTTP/-1.1", "XHTTP/1.1", "HTTP/1.1 ", " HTTP/1.1", "HTTP/1.1\t", "HTTP/1.1x"):
    rejected(f"2.3 the version {version!r}", request(f"GET {{doc}} {version}"))
rejected("2.3 no version", "GET {doc}\r\n\r\n")
CASES.append(Case("2.3 HTTP/1.0 closes", request("GET {doc} HTTP/1.0"), [(200,)], closes=True))
CASES.append(Case("2.3 HTTP/1.0 without a host", request("GET {doc} HTTP/1.0", host=False), [(200,)], closes=True))
accepted("2.3 HTTP/1.0 with keep-alive", request("GET {doc} HTTP/1.0", "Connection: keep-alive"), 200)

# 3 The request line

rejected("3 two spaces after the method", request("GET  {doc} HTTP/1.1"))
rejected("3 two spaces after the target", request("GET {doc}  HTTP/1.1"))
rejected("3 a tab after the method", request("GET\t{doc} HTTP/1.1"))
rejected("3 a tab after the target", request("GET {doc}\tHTTP/1.1"))
rejected("3 a space before the method", request(" GET {doc} HTTP/1.1"))
rejected("3 a vertical tab after the target", request("GET {doc}\x0bHTTP/1.1"))
rejected("3 a space in the target", request("GET {doc} x HTTP/1.1"))
rejected("3 no target", request("GET HTTP/1.1"))
rejected("3 only a method", request("GET"))
rejected("3 an empty request line with fields", "\r\nHost: h\r\n\r\n")
for method in ("G(T", "GE\x00T", "G\xc9T", "GET:", "{}", "[GET]", "\"GET\"", "G@T", "<GET>"):
    rejected(f"3.1 the method {method!r}", request().replace("GET", method, 1))
accepted("3.1 an unknown method", request("BREW {doc} HTTP/1.1"), 404, 405, 501)
accepted("3.1 methods are case-sensitive", request("get {doc} HTTP/1.1"), 404, 405, 501)
rejected("3.1 a long method that is not a token", request("{{" * 5000 + " {doc} HTTP/1.1"))
rejected("3.1 an unterminated method", request("A" * 5000 + " {doc} HTTP/1.1"), 400, 414, 431, 501)

# 3.2 Targets and Host

accepted("3.2.1 a path with a query", request("GET {doc}?a=b&c=%20 HTTP/1.1"), 200)
accepted("3.2.1 an unknown path", request("GET /of/nothing HTTP/1.1"), 404)
for target in ("/[a]", "/a|b^c", "/%", "/%1", "/%zz", "/?q=100%", "/?[]{{}}|^`\\%zz"):
    accepted(f"3.2.1 the target {target!r}, as browsers send it", request(f"GET {target} HTTP/1.1"), 200, 404)
for target in ("relative", "{doc}#fragment", "/a\x7fb", "/\xe9", "/%00", "/%%00", "/a<b>", "/a\"b", "/\\a", "*", "?a",
               "/a`b", "/a{{b}}", "/?a\"b", "/?a<b>", "/?\xe9"):
    rejected(f"3.2 the target {target!r}", request(f"GET {target} HTTP/1.1"))
accepted("3.2.2 absolute-form", request("GET http://localhost{doc} HTTP/1.1"), 200)
accepted("3.2.2 absolute-form with a port", request("GET http://localhost:80{doc} HTTP/1.1"), 200)
accepted("3.2.2 absolute-form takes precedence over Host", "GET http://localhost{doc} HTTP/1.1\r\nHost: other\r\n\r\n", 200)
accepted("3.2.2 absolute-form without a path", request("GET http://localhost HTTP/1.1"), 200)
accepted("3.2.2 a scheme in upper case", request("GET HTTP://localhost{doc} HTTP/1.1"), 200)
for target in ("http://", "http:///", "http://me@localhost/", "http://local host/", "http://localhost:x/", "ftp://h/",
               "javascript:x", "http:/localhost/", "http://[::1/", "http://localhost:99999/", "http//h/"):
    rejected(f"3.2.2 the target {target!r}", request(f"GET {target} HTTP/1.1"))
rejected("3.2.3 CONNECT", request("CONNECT localhost:443 HTTP/1.1"), 400, 405, 501)
rejected("3.2.3 CONNECT with a path", request("CONNECT {doc} HTTP/1.1"), 400, 405, 501)
rejected("3.2.3 authority-form for GET", request("GET localhost:80 HTTP/1.1"))
accepted("3.2.4 OPTIONS *", request("OPTIONS * HTTP/1.1"), 200, 204, 404, 405)
rejected("3.2.4 * for POST", request("POST * HTTP/1.1", "Content-Length: 0"))
rejected("3.2.4 * with more characters", request("OPTIONS *x HTTP/1.1"))
rejected("3.2 no Host", request(host=False))
rejected("3.2 two Hosts", request("GET {doc} HTTP/1.1", "Host: localhost"))
rejected("3.2 two Hosts that differ", request("GET {doc} HTTP/1.1", "Host: other"))
for host in ("", "a b", "a,b c", "me@localhost", "localhost/", "localhost:port", "localhost:65536", "[::1", "[x]", "a\0",
             "localhost#x", "localhost?x", "localhost:1:2", "http://localhost", "\"localhost\"", "a\tb", "-\x7f", "loc\xe9"):
    rejected(f"3.2 the Host {host!r}", f"GET {{doc}} HTTP/1.1\r\nHost: {host}\r\n\r\n")
for host in ("localhost:8080", "[::1]", "[::1]:80", "127.0.0.1", "LOCALHOST", "localhost:", "a-b.localhost"):
    accepted(f"3.2 the Host {host!r}", f"GET {{doc}} HTTP/1.1\r\nHost: {host}\r\n\r\n", 200)
accepted("3.2 white space around Host", "GET {doc} HTTP/1.1\r\nHost: \t localhost \t\r\n\r\n", 200)
rejected("3 a target that is too long", request("GET /" + "a" * 20000 + " HTTP/1.1"), 414)

# 5 Fields

for name, line in (("a space after the name", "X : y"), ("a tab after the name", "X\t: y"), ("no colon", "X"),
                   ("no name", ": y"), ("a space in the name", "X Y: z"), ("a line with only a space", " "),
                   ("a name with NUL", "X\0: y"), ("a name with a control", "X\x01: y"), ("a name above 127", "X\xe9: y"),
                   ("a name with parentheses", "X(Y): z"), ("a name with a slash", "X/Y: z"), ("a name in quotes", "\"X\": y"),
                   ("a value with NUL", "X: a\0b"), ("a value with a control", "X: a\x01b"), ("a value with DEL", "X: a\x7fb"),
                   ("a value with a vertical tab", "X: a\x0bb"), ("a value with a form feed", "X: a\x0cb"),
                   ("a value with LF", "X: a\nb"), ("a folded value", "X: a\r\n b"), ("a value folded with a tab", "X: a\r\n\tb"),
                   ("a fold before a value", "X:\r\n y"), ("a comma in the name", "X,Y: z"), ("a backslash in the name", "X\\: z")):
    rejected(f"5 {name}", request("GET {doc} HTTP/1.1", line))
for name, line in (("an empty value", "X:"), ("no space after the colon", "X:y"), ("tabs around the value", "X:\ty\t"),
                   ("bytes above 127 in a value", "X: \xe9\xff"), ("a colon in a value", "X: a:b: c"),
                   ("every character of a token", "!#$%&'*+-.^_`|~09azAZ: y"), ("the same field twice", "X: a\r\nX: b")):
    accepted(f"5 {name}", request("GET {doc} HTTP/1.1", line), 200)
rejected("5 a head that is too large", request("GET {doc} HTTP/1.1", "X: " + "y" * 70000), 431)
rejected("5 too many fields", request("GET {doc} HTTP/1.1", *["X: y"] * 2000), 431)
rejected("5 an unterminated field", "GET {doc} HTTP/1.1\r\nHost: h\r\nX: " + "y" * 70000, 431)

# 6 Bodies, and 11.2 smuggling

accepted("6.2 a length", post("Content-Length: 2", body="{{}}"), echoes=b"{}")
accepted("6.2 a length of 0", post("Content-Length: 0"), echoes=b"")
accepted("6.2 a length with leading zeros", post("Content-Length: 0000000000000002", body="{{}}"), echoes=b"{}")
accepted("6.3 no length means no body", post(), echoes=b"")
for value in ("+2", "-2", "0x2", "2 2", "2,2", "2, 2", "2.0", "2e0", "two", "", "\"2\"", "2;", "\x0b2", "2\0", "2h",
              "18446744073709551618", "99999999999999999999999", "4294967298, 2", "0b10", "１", "2,", ",2", "2_0", "²"):
    rejected(f"11.2 the length {value!r}", post(f"Content-Length: {value}", body="{{}}" + HIDDEN))
rejected("11.2 two lengths that agree", post("Content-Length: 2", "Content-Length: 2", body="{{}}" + HIDDEN))
rejected("11.2 two lengths that differ", post("Content-Length: 2", "Content-Length: 0", body="{{}}" + HIDDEN))
rejected("11.2 two lengths, 0 first", post("Content-Length: 0", "Content-Length: 2", body="{{}}" + HIDDEN))
rejected("11.2 a length with a space before its colon", post("Content-Length : 2", body="{{}}"))
rejected("11.2 a length with a space before its name", "POST {post} HTTP/1.1\r\nHost: h\r\nX: y\r\n Content-Length: 2\r\n\r\n{{}}")
rejected("11.2 a length after LF", post("X: y\nContent-Length: 2", body="{{}}"))
rejected("11.2 a length after CR", post("X: y\rContent-Length: 2", body="{{}}"))
rejected("11.2 CL.TE", post("Content-Length: 5", "Transfer-Encoding: chunked", body="0\r\n\r\n" + HIDDEN))
rejected("11.2 CL.TE with a length of 0", post("Content-Length: 0", "Transfer-Encoding: chunked", body="0\r\n\r\n" + HIDDEN))
rejected("11.2 TE.CL", post("Transfer-Encoding: chunked", "Content-Length: 4", body="5\r\nabcde\r\n0\r\n\r\n" + HIDDEN))
for coding in ("xchunked", "chunked, identity", "identity", "chunked, chunked", ",chunked", "chunked, gzip, chunked",
               "chunked,", "chunked;q=1", "chunked chunked", "\"chunked\"", "'chunked'", "\x0bchunked", "chunked\0",
               "gzip", "chunked, gzip", "", "ch unked", "chunked\x7f", "deflate", "chunkedchunked",
               "CHUNKED, identity", "chünked", "x", "gzip;a=\", chunked", "gzip, chunked;q=1"):
    rejected(f"11.2 TE.TE: {coding!r}", post(f"Transfer-Encoding: {coding}", body="0\r\n\r\n" + HIDDEN))
for coding in ("identity, chunked", "gzip, chunked", "gzip;a=\"b, c\", chunked"):
    rejected(f"6.1 TE.TE: {coding!r}", post(f"Transfer-Encoding: {coding}", body="0\r\n\r\n" + HIDDEN), 501)
for name, line in (("a space before the colon", "Transfer-Encoding : chunked"), ("a tab before the colon", "Transfer-Encoding\t: chunked"),
                   ("a space before the name", " Transfer-Encoding: chunked"), ("a fold", "Transfer-Encoding:\r\n chunked"),
                   ("a fold inside", "Transfer-Encoding: chun\r\n ked"), ("LF before it", "X: y\nTransfer-Encoding: chunked"),
                   ("CR before it", "X: y\rTransfer-Encoding: chunked"), ("LF after the name", "Transfer-Encoding\n: chunked"),
                   ("the field twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
                   ("the field twice, one invalid", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x"),
                   ("the field twice, the invalid one first", "Transfer-Encoding: x\r\nTransfer-Encoding: chunked"),
                   ("an invalid name", "Transfer\x00-Encoding: chunked")):
    rejected(f"11.2 TE.TE: {name}", post(line, body="0\r\n\r\n" + HIDDEN), 400, 501)
accepted("6.1 the coding in upper case", post("TRANSFER-ENCODING: CHUNKED", body="2\r\n{{}}\r\n0\r\n\r\n"), echoes=b"{}")
rejected("6.1 a coding in HTTP/1.0", request("POST {post} HTTP/1.0", "Transfer-Encoding: chunked", body="0\r\n\r\n"))
rejected("6.1 a coding and a length in HTTP/1.0",
        request("POST {post} HTTP/1.0", "Content-Length: 5", "Transfer-Encoding: chunked", body="0\r\n\r\n"))
CASES.append(Case("11.2 CL.0: a body that looks like a request",
                  post(f"Content-Length: {len(HIDDEN.format(doc='/'))}", body=HIDDEN.replace("{doc}", "/")), [()]))
CASES.append(Case("11.2 CL.0: GET with a body that looks like a request",
                  request("GET {doc} HTTP/1.1", f"Content-Length: {len(HIDDEN.format(doc='/'))}",
                          body=HIDDEN.replace("{doc}", "/")), [(200,)]))
CASES.append(Case("11.2 0.CL: a request after a body of length 0", post("Content-Length: 0") + request(), [(), (200,)]))
CASES.append(Case("11.2 HEAD with a body", request("HEAD {doc} HTTP/1.1", "Content-Length: 2", body="xx"), [(200,)], heads=(0,)))
CASES.append(Case("11.2 a length that Connection names",
                  post("Content-Length: 2", "Connection: content-length", body="{{}}"), [()], echoes=b"{}"))
CASES.append(Case("11.2 names with underscores",
                  post("Transfer_Encoding: chunked", "Content-Length: 2", "Content_Length: 0", body="{{}}"), [()], echoes=b"{}"))
rejected("6.2 a body that is too large", post("Content-Length: 9999999999"), 413)
rejected("6.2 a body that is too large, with 100-continue", post("Content-Length: 9999999999", "Expect: 100-continue"), 413)
CASES.append(Case("6.2 a body that ends early", post("Content-Length: 10", body="{{}}"), [(400,)], closes=True, ends=True))

# 7 Chunks

for name, body, echo in (
        ("one chunk", "2\r\n{{}}\r\n0\r\n\r\n", b"{}"), ("no chunk", "0\r\n\r\n", b""),
        ("chunks of one byte", "1\r\n{{\r\n1\r\n}}\r\n0\r\n\r\n", b"{}"), ("a size in upper case", "A\r\n{{        }}\r\n0\r\n\r\n", b"{        }"),
        ("a size in lower case", "a\r\n{{        }}\r\n0\r\n\r\n", b"{        }"), ("a size with zeros", "0000002\r\n{{}}\r\n0000\r\n\r\n", b"{}"),
        ("an extension", "2;a=b\r\n{{}}\r\n0;c\r\n\r\n", b"{}"), ("an extension in quotes", "2;a=\"b;c\"\r\n{{}}\r\n0\r\n\r\n", b"{}"),
        ("an extension after spaces", "2 ;a=b\r\n{{}}\r\n0\r\n\r\n", b"{}"),
        ("extensions with spaces", "2 ; a = b ;c=\"\\\"\xff\"\r\n{{}}\r\n0\r\n\r\n", b"{}"), ("trailers", "2\r\n{{}}\r\n0\r\nX: y\r\nZ: z\r\n\r\n", b"{}"),
        ("trailers that name framing", "2\r\n{{}}\r\n0\r\nContent-Length: 9\r\nTransfer-Encoding: x\r\n\r\n", b"{}")):
    accepted(f"7.1 {name}", chunked(body), echoes=echo)
    CASES.append(Case(f"7.1 {name}, in single bytes", chunked(body), [()], echoes=echo, pieces=1))
for size in ("0x2", "+2", "-2", " 2", "2 ", "\t2", "2\t", "2_0", "2h", "", "g", "2\0", "2,2", "2\r", "ffffffffffffffff",
             "8000000000000000", "10000000000000000", "100000000000000002", "fffffffffffffffff2", "2;x\0", "2;\x01", "２"):
    rejected(f"7.1 the size {size!r}", chunked(f"{size}\r\nab\r\n0\r\n\r\n" + HIDDEN))
for extension in (";", ";;", "; ", ";=", ";=b", ";a=", ";a=b=c", ";a=b c", ";bad[=x", ";a=\"", ";a=\"b", ";a=\"b\\\"",
                  ";a=\"b\"c", ";\xff", ";a=\xff", ";a=b ", ";a,b", ";a=\"\x01\""):
    rejected(f"7.1.1 the extension {extension!r}", chunked(f"2{extension}\r\nab\r\n0\r\n\r\n" + HIDDEN))
    rejected(f"7.1.1 the extension {extension!r} of the last chunk", chunked(f"0{extension}\r\n\r\n" + HIDDEN))
rejected("7.1 a size over the limit of bodies", chunked("7fffffffffffffff\r\nab"), 413)
rejected("7.1 a size line that ends in LF", chunked("2\nab\r\n0\r\n\r\n" + HIDDEN))
rejected("7.1 LF in an extension (TERM.EXT)", chunked("2;\nab\r\n2d\r\n0\r\n\r\n" + HIDDEN))
rejected("7.1 CR in an extension", chunked("2;a\rb\r\nab\r\n0\r\n\r\n" + HIDDEN))
rejected("7.1 an unterminated extension", chunked("2;" + "a" * 70000))
rejected("7.1 a chunk longer than its size", chunked("2\r\nabc\r\n0\r\n\r\n" + HIDDEN))
rejected("7.1 a chunk shorter than its size", chunked("5\r\nab\r\n0\r\n\r\n" + HIDDEN))
rejected("7.1 a chunk that ends in LF", chunked("2\r\nab\n0\r\n\r\n" + HIDDEN))
rejected("7.1 a chunk that ends in CR", chunked("2\r\nab\r0\r\n\r\n" + HIDDEN))
rejected("7.1 a chunk without a line break", chunked("2\r\nab0\r\n\r\n" + HIDDEN))
rejected("7.1 a last chunk that ends in LF", chunked("2\r\nab\r\n0\n\r\n" + HIDDEN))
rejected("7.1 an empty line with only LF at the end", chunked("2\r\nab\r\n0\r\n\n" + HIDDEN))
rejected("7.1 CR CR LF at the end", chunked("2\r\nab\r\n0\r\n\r\r\n" + HIDDEN))
for line in ("X : y", " X: y", "X", ": y", "X: a\0", "X: a\nb", "X: a\r\n b"):
    rejected(f"7.1.2 the trailer {line!r}", chunked(f"2\r\n{{{{}}}}\r\n0\r\n{line}\r\n\r\n"))
rejected("7.1.2 trailers that are too large", chunked("0\r\n" + "X: " + "y" * 70000), 400, 431)
rejected("7.1 chunks over the limit of bodies", chunked("100000\r\n" + "x" * 0x100000 + "\r\n1\r\nx\r\n0\r\n\r\n"), 413)
CASES.append(Case("7.1 chunks that end early", chunked("5\r\nab"), [(400,)], closes=True, ends=True))

# 9 Connections

CASES.append(Case("9.3 pipelined requests", request() * 5, [(200,)] * 5))
CASES.append(Case("9.3 a hundred pipelined requests", request() * 100, [(200,)] * 100))
CASES.append(Case("9.3 pipelined requests with bodies",
                  (post("Content-Length: 2", body="{{}}") + chunked("2\r\n{{}}\r\n0\r\n\r\n")) * 3 + request(), [()] * 6 + [(200,)]))
CASES.append(Case("9.3.2 responses in the order of the requests",
                  request("HEAD {doc} HTTP/1.1") + request("GET /of/nothing HTTP/1.1") + request(),
                  [(200,), (404,), (200,)], heads=(0,)))
CASES.append(Case("9.3 an invalid request after a valid one", request() + request("GET {doc} HTTP/9.9"),
                  [(200,), (400, 505)], closes=True))
for value in ("close", "Close", "keep-alive, close", "close, x", "x,\tclose ,y", ",close"):
    CASES.append(Case(f"9.6 Connection: {value}", request("GET {doc} HTTP/1.1", f"Connection: {value}") + request(),
                      [(200,)], closes=True))
CASES.append(Case("9.6 Connection in two lines", request("GET {doc} HTTP/1.1", "Connection: x", "Connection: close"),
                  [(200,)], closes=True))
for value in ("keep-alive", "x", "closed", "close-not", "\"close\"", ""):
    accepted(f"9.3 Connection: {value!r}", request("GET {doc} HTTP/1.1", f"Connection: {value}"), 200)
CASES.append(Case("9.6 a client that closes its side gets a response", request(), [(200,)], closes=True, ends=True))
CASES.append(Case("9.3 HTTP/1.0 with close and keep-alive",
                  request("GET {doc} HTTP/1.0", "Connection: keep-alive, close"), [(200,)], closes=True))

# RFC 9110: requirements for servers

CASES.append(Case("9110 9.3.2 HEAD", request("HEAD {doc} HTTP/1.1"), [(200,)], heads=(0,)))
accepted("9110 9.3.8 TRACE reveals nothing", request("TRACE {doc} HTTP/1.1", "Cookie: secret"), 404, 405, 501)
accepted("9110 9.3.7 OPTIONS", request("OPTIONS {doc} HTTP/1.1"), 200, 204, 405)
rejected("9110 10.1.1 an unknown expectation", post("Expect: wonders", "Content-Length: 2", body="{{}}"), 417)
rejected("9110 10.1.1 100-continue among others", post("Expect: 100-continue, x", "Content-Length: 2", body="{{}}"), 417)
accepted("9110 10.1.1 100-continue", post("Expect: 100-continue", "Content-Length: 2", body="{{}}"), echoes=b"{}")
accepted("9110 10.1.1 100-continue in upper case", post("EXPECT: 100-CONTINUE", "Content-Length: 2", body="{{}}"), echoes=b"{}")
accepted("9110 7.8 Upgrade is ignored", request("GET {doc} HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket"), 200)
accepted("9113 3.1 h2c by Upgrade is ignored",
     request("GET {doc} HTTP/1.1", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c",
             "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA"), 200)
accepted("9110 13 a condition that is not met", request("GET {doc} HTTP/1.1", "If-None-Match: \"another\""), 200)
accepted("9110 14.2 an invalid range", request("GET {doc} HTTP/1.1", "Range: lines=1-2"), 200)
accepted("9110 14.2 very many ranges", request("GET {doc} HTTP/1.1", "Range: bytes=" + ",".join(f"{i}-" for i in range(500))), 200, 206, 416)
