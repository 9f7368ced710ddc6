"""Tests of how the page's tests start their server, with a program that serves as it does."""

import stat
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from page.server import ADDRESSES, Server

# Prints its addresses in parts, is ready at the second request, and takes the ports that its arguments name.
PROGRAM = textwrap.dedent(f"""\
    #!{sys.executable}
    import http.server, os, sys, threading, time

    class Handler(http.server.BaseHTTPRequestHandler):
        requests = 0

        def do_GET(self):
            Handler.requests += 1
            self.send_response(200 if Handler.requests > 1 else 503)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    class Listener(http.server.ThreadingHTTPServer):
        allow_reuse_port = True

    if "--fails" in sys.argv:
        sys.exit("the configuration is invalid")
    ports = [int(argument) for argument in sys.argv if argument.isdigit()]
    servers = [Listener(("127.0.0.1", port), Handler) for port in ports]
    os.write(1, b"test 1.0 serves on http://127.0.0.1:%d\\nand for oper" % servers[0].server_port)
    time.sleep(0.1)
    os.write(1, b"ators on http://127.0.0.1:%d\\n\\n  counter  Counts.\\n" % servers[1].server_port)
    for server in servers:
        threading.Thread(target=server.serve_forever).start()
    """)


class OperatedServer(Server):
    def listeners(self):
        return [str(self.port_for("http")), str(self.port_for("admin"))]


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        previous, tempfile.tempdir = tempfile.tempdir, folder.name
        cls.addClassCleanup(setattr, tempfile, "tempdir", previous)
        cls.program = Path(folder.name) / "program"
        cls.program.write_text(PROGRAM)
        cls.program.chmod(stat.S_IRWXU)

    def test_a_restarted_server_keeps_the_ports_that_it_has_chosen(self):
        server = OperatedServer(binary=self.program)
        ports = set()
        for _ in range(3):
            server.start()
            ports.add((server.port, server.port_for("admin")))
            server.stop()
        self.assertEqual(len(ports), 1)
        self.assertNotIn(0, ports.pop())

    def test_a_server_that_does_not_start_fails_with_what_it_logs(self):
        with self.assertRaisesRegex(RuntimeError, "the configuration is invalid"):
            OperatedServer("--fails", binary=self.program).start()

    def test_addresses_are_complete_with_the_line_after_them(self):
        text = "a 1 serves on http://127.0.0.1:1\nand on https://127.0.0.1:2\nand for operators on http://127.0.0.1:3\n\n"
        self.assertEqual(ADDRESSES.search(text)[1], text[len("a 1 serves "):-1])
        for length in range(len(text)):
            self.assertIsNone(ADDRESSES.search(text[:length]))


if __name__ == "__main__":
    unittest.main()
