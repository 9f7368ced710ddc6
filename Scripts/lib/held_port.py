"""A port that stays free for a server between two of its starts."""

import os
import socket
import weakref


class HeldPort:
    """Reserves a TCP port of 127.0.0.1 until this object is released.

    Its socket is bound but does not listen. Linux lets the listening sockets of a server bind beside it, refuses connections while there
    are none, and assigns the port to nobody who requests any free one. Without it, another process could get the port while the
    server is stopped.
    """

    def __init__(self, number: int = 0):
        """Reserves a port on which a server of this user may listen already; 0 is any free one."""
        with socket.socket() as holder:
            # The first option is for servers that bind while this socket exists, the second one for those that listen already.
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            holder.bind(("127.0.0.1", number))
            self.number = holder.getsockname()[1]
            weakref.finalize(self, os.close, holder.detach())
