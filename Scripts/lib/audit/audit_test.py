"""Tests of the audit's clients and report; they run before every audit."""

import contextlib
import io
import unittest

from h1wire import Fault, Reader, parse_head
from h2wire import HEADERS, Peer, block, frame, integer, literal
from outcomes import Outcome, Report


class Socket:
    """A fake socket with received bytes."""

    def __init__(self, data: bytes, ends: bool = True) -> None:
        self.data, self.ends = data, ends

    def settimeout(self, _: float) -> None:
        pass

    def sendall(self, _: bytes) -> None:
        pass

    def recv(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        if not taken and not self.ends:
            raise TimeoutError
        return taken


class ReportTests(unittest.TestCase):
    def status(self, exceptions: dict[str, str], *outcomes: Outcome, servers=("s",)) -> tuple[int, str]:
        report = Report(exceptions)
        report.parts, report.servers = ["part"], list(servers)
        report.add(list(outcomes))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = report.print(False)
        return status, out.getvalue()

    def test_a_new_finding_fails(self) -> None:
        status, text = self.status({}, Outcome("part/s/a"), Outcome("part/s/b", "wrong"))
        self.assertEqual(status, 1)
        self.assertIn("part/s/b  FAIL", text)
        self.assertNotIn("part/s/a", text)

    def test_an_explained_finding_passes_and_is_shown(self) -> None:
        status, text = self.status({"part/*/b": "because"}, Outcome("part/s/b", "wrong"))
        self.assertEqual(status, 0)
        self.assertIn("wrong (because)", text)

    def test_an_unused_exception_is_reported(self) -> None:
        status, text = self.status({"part/s/c": "because", "other/s/c": "because", "part/t/c": "because"}, Outcome("part/s/b"))
        self.assertEqual(status, 0)
        self.assertEqual(text.count("no longer occurs"), 1)
        self.assertIn("part/s/c", text)


class ReaderTests(unittest.TestCase):
    def read(self, data: bytes, is_head: bool = False):
        return Reader(Socket(data)).answer(is_head, 1)

    def test_content_is_framed(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nDate: x\r\n"
        self.assertEqual(self.read(head + b"Content-Length: 2\r\n\r\nabc").body, b"ab")
        self.assertEqual(self.read(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n").body, b"ab")
        self.assertEqual(self.read(head + b"Content-Length: 2\r\n\r\n", True).body, b"")
        self.assertEqual(self.read(b"HTTP/1.1 100 Continue\r\n\r\n" + head + b"Content-Length: 0\r\n\r\n").status, 200)

    def test_a_protocol_violation_is_a_fault(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nDate: x\r\n"
        for data in (b"HTTP/1.0 200 OK\r\n\r\n", b"HTTP/1.1 20 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", head + b"X : y\r\n\r\n",
                     head + b"X: \0\r\n\r\n", head + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
                     head + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", head + b"Content-Length: 5\r\n\r\na",
                     head + b"Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n", b"HTTP/1.1 200 OK"):
            with self.assertRaises(Fault, msg=data):
                self.read(data)

    def test_a_head_is_parsed(self) -> None:
        self.assertEqual(parse_head(b"HTTP/1.1 404 \r\nDate: d\r\nA:  b \r\nA: c").values("a"), ["b", "c"])


class PeerTests(unittest.TestCase):
    def test_integers_have_a_prefix(self) -> None:
        # The examples of RFC 7541, appendix C.1.
        self.assertEqual(integer(10, 5), b"\x0a")
        self.assertEqual(integer(1337, 5), b"\x1f\x9a\x0a")
        self.assertEqual(literal(b"a", b"bc"), b"\x00\x01a\x02bc")

    def test_frames_are_parsed_in_any_pieces(self) -> None:
        peer = Peer(Socket(frame(HEADERS, 4, 1, block((":status", "200"))) + frame(0, 1, 1, b"abc")))
        self.assertTrue(peer.answered(1))
        self.assertEqual((peer.stream(1).status, peer.stream(1).content), (200, 3))

    def test_goaway_is_recorded(self) -> None:
        peer = Peer(Socket(frame(7, 0, 0, bytes(4) + b"\0\0\0\x05")))
        peer.until(lambda: peer.closed)
        self.assertEqual(peer.goaway, (0, 5))
        self.assertIn("STREAM_CLOSED", peer.summary())


if __name__ == "__main__":
    unittest.main()
