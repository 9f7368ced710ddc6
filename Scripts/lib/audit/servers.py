"""The audited servers. Each one is started on free ports of this machine and stopped with SIGTERM."""

import os
import re
import socket
import ssl
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Endpoint:
    """A running server."""

    name: str
    port: int
    secure_port: int
    process: subprocess.Popen
    authority: Path
    # A target with some content, one that accepts a POST, and one with large content.
    document: str
    post: str
    large: str
    # The targets to lint.
    routes: tuple[str, ...]

    def connect(self, secure: bool, protocols: tuple[str, ...] = ("http/1.1",), timeout: float = 5) -> socket.socket:
        plain = socket.create_connection(("127.0.0.1", self.secure_port if secure else self.port), timeout)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not secure:
            return plain
        context = ssl.create_default_context(cafile=str(self.authority))
        context.set_alpn_protocols(list(protocols))
        return context.wrap_socket(plain, server_hostname="localhost")

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def resident(self) -> int:
        """Returns the server's resident memory in bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def sockets(self) -> int:
        """Returns the number of the server's open sockets."""
        count = 0
        for entry in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                count += os.readlink(entry).startswith("socket:")
            except FileNotFoundError:
                pass  # The descriptor was closed after it was listed.
        return count

    def stop(self) -> str:
        """Stops the server as a supervisor does, and returns a finding if it does not exit cleanly."""
        if self.process.poll() is not None:
            return f"exited early with status {self.process.returncode}"
        self.process.terminate()
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "expected an exit within 20 s after SIGTERM"
        return "" if status == 0 else f"expected exit status 0, got {status}"


def launch(command: list[str], log: Path, expected: str) -> tuple[subprocess.Popen, int, int]:
    with open(log, "wb") as file:
        # Two servers cannot keep their sessions in one directory.
        environment = {**os.environ, "XDG_STATE_HOME": tempfile.mkdtemp(prefix="granary-audit-")}
        process = subprocess.Popen(
            command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(expected, log.read_text(errors="replace"), re.S):
            return process, int(found[1]), int(found[2])
        time.sleep(0.05)
    process.kill()
    process.wait()
    raise SystemExit(f"{command[0]} did not start:\n{log.read_text(errors='replace')}")


def start_target(binary: Path, certificates: Path, logs: Path) -> Endpoint:
    pairs = [part for kind in ("ecdsa", "rsa")
             for part in ("--certificate", certificates / f"{kind}.pem", "--key", certificates / f"{kind}.key")]
    command = [str(part) for part in [binary, "--port", "0", "--tls-port", "0", *pairs]]
    process, port, secure = launch(
        command, logs / "http-target.log", r"http://127\.0\.0\.1:(\d+).*https://127\.0\.0\.1:(\d+)")
    return Endpoint(
        "http-target", port, secure, process, certificates / "ca.pem", "/", "/echo", "/large?bytes=8000000",
        ("/", "/echo", "/headers", "/cookies", "/slow?seconds=0", "/large?bytes=10000", "/events?interval=0&count=3",
         "/elsewhere", "/slow?seconds=x"))


def start_granary(binary: Path, certificates: Path, logs: Path) -> Endpoint:
    files = [",".join(str(certificates / f"{kind}.{end}") for kind in ("ecdsa", "rsa")) for end in ("pem", "key")]
    command = [str(binary), "serve", "--http.port", "0", "--tls.port", "0", "--tls.certificates", files[0],
               "--tls.privateKeys", files[1]]
    process, port, secure = launch(
        command, logs / "granary.log", r"http://127\.0\.0\.1:(\d+).*https://127\.0\.0\.1:(\d+)")
    return Endpoint(
        "granary", port, secure, process, certificates / "ca.pem", "/", "/v1/sessions", "/",
        ("/", "/style.css", "/main.js", "/icon.svg", "/health/live", "/health/ready", "/v1/machines", "/elsewhere", "/v1/sessions/none",
         "/problems/not-found"))
