#!/usr/bin/env python3
"""measure_wait.py PORT h1|h2

Prints how long a client waits for a response of a running `http-target` while another connection floods the server:
50,000 pipelined HTTP/1.1 requests, or 50,000 POSTs with trailers on one HTTP/2 connection. Requires an idle machine.
"""
import os
import socket
import struct
import sys
import threading
import time

REQUESTS = 50_000
IN_FLIGHT = 900
GET = b"GET /headers HTTP/1.1\r\nHost: h\r\n\r\n"


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def post(index):
    head = field(b":method", b"POST") + field(b":scheme", b"http") + field(b":path", b"/echo")
    head += field(b":authority", b"h")
    stream = 2 * index + 1
    return frame(1, 4, stream, head) + frame(1, 5, stream, field(b"x", b"1"))


class Flood:
    """One connection that sends as fast as the server accepts it; HTTP/2 keeps the limit of open streams."""

    def __init__(self, port, is_multiplexed):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.is_multiplexed = is_multiplexed
        self.answered = 0
        self.last = time.monotonic()
        self.change = threading.Condition()

    def receive(self):
        rest = b""
        while data := self.socket.recv(1 << 20):
            rest += data
            with self.change:
                rest = self.count(rest)
                self.last = time.monotonic()
                self.change.notify()

    def count(self, data):
        if not self.is_multiplexed:
            self.answered += data.count(b"HTTP/1.1 200")
            return data[-11:] if not data.endswith(b"HTTP/1.1 200") else b""
        offset = 0
        while len(data) - offset >= 9:
            length = int.from_bytes(data[offset : offset + 3], "big")
            if len(data) - offset < 9 + length:
                break
            self.answered += data[offset + 3] == 1
            offset += 9 + length
        return data[offset:]

    def run(self):
        threading.Thread(target=self.receive, daemon=True).start()
        parts = [post(index) if self.is_multiplexed else GET for index in range(REQUESTS)]
        start = time.monotonic()
        if self.is_multiplexed:
            window = struct.pack(">I", 1 << 30)
            greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, struct.pack(">H", 4) + window)
            self.socket.sendall(greeting + frame(8, 0, 0, window))
        step = IN_FLIGHT // 2
        for sent in range(0, REQUESTS, step):
            with self.change:
                while self.is_multiplexed and self.answered < sent - step:
                    if not self.change.wait(10):
                        raise SystemExit("expected the server to answer the flood within 10 s")
            self.socket.sendall(b"".join(parts[sent : sent + step]))
        with self.change:
            while self.answered < REQUESTS:
                if not self.change.wait(10):
                    raise SystemExit(f"the server answered {self.answered} of {REQUESTS} requests")
        return self.last - start


class Bystander(threading.Thread):
    """Sends one request after the other and records the time to each response in milliseconds."""

    def __init__(self, port):
        super().__init__()
        self.port = port
        self.waits = []
        self.is_over = False

    def run(self):
        client = socket.create_connection(("127.0.0.1", self.port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while not self.is_over:
            start = time.monotonic()
            client.sendall(GET)
            client.recv(65536)
            self.waits.append((time.monotonic() - start) * 1000)
            time.sleep(0.0005)


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in ("h1", "h2"):
        raise SystemExit(__doc__)
    port, kind = int(sys.argv[1]), sys.argv[2]
    output, report = os.pipe()
    # A separate process, because Python threads block each other.
    if os.fork() == 0:
        time.sleep(0.5)
        os.write(report, f"{Flood(port, kind == 'h2').run():.2f}".encode())
        os._exit(0)
    os.close(report)
    bystander = Bystander(port)
    bystander.start()
    time.sleep(0.4)
    idle = max(bystander.waits)
    bystander.waits.clear()
    seconds = os.read(output, 100).decode() or "?"
    bystander.is_over = True
    bystander.join()
    waits = sorted(bystander.waits)
    print(
        f"{kind}: {REQUESTS} requests in {seconds} s; {len(waits)} waits: median {waits[len(waits) // 2]:.2f} ms, "
        f"99 % {waits[len(waits) * 99 // 100]:.2f} ms, longest {waits[-1]:.2f} ms (before the flood {idle:.2f} ms)"
    )


main()
