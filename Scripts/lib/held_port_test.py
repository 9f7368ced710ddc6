"""Tests of held ports, with the socket options that the server sets (Sources/Base/CLinux/CLinux.c)."""

import socket
import unittest

from held_port import HeldPort


def bind(port: int, shares: bool) -> socket.socket:
    bound = socket.socket()
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shares:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(("127.0.0.1", port))
        return bound
    except OSError:
        bound.close()
        raise


class Listening:
    """The sockets of a server: a reservation until each loop has one of its own."""

    def __init__(self, port: int):
        with bind(port, False) as reservation:
            self.port = reservation.getsockname()[1]
            self.sockets = [bind(self.port, True) for _ in range(2)]
            for each in self.sockets:
                each.listen()

    def close(self) -> None:
        for each in self.sockets:
            each.close()


def connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port)).close()


class HeldPortTest(unittest.TestCase):
    def test_a_port_is_held_beside_its_server_and_for_the_next_ones(self):
        server = Listening(0)
        held = HeldPort(server.port)
        self.assertEqual(held.number, server.port)
        for _ in range(3):
            connect(held.number)
            server.close()
            with self.assertRaises(ConnectionRefusedError):
                connect(held.number)
            server = Listening(held.number)
        server.close()

    def test_connections_reach_the_server_only(self):
        held = HeldPort()
        server = Listening(held.number)
        self.addCleanup(server.close)
        # With SO_REUSEPORT, the kernel distributes connections over the sockets that listen.
        for _ in range(50):
            connect(held.number)

    def test_a_held_port_is_not_free(self):
        held = HeldPort()
        with socket.socket() as other, self.assertRaises(OSError):
            other.bind(("127.0.0.1", held.number))


if __name__ == "__main__":
    unittest.main()
