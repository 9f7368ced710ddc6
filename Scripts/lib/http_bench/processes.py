"""Server processes: their start, processor time, memory and end."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import time

# The time that only a failure takes, in seconds.
PATIENCE = 120


class Failure(Exception):
    """A failed measurement; the message states the reason."""


def free_ports(count: int) -> list:
    """Returns unused ports of this machine."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def tree(pid: int) -> list:
    """Returns the process and all its descendants."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                found += tree(int(child))
        except OSError:
            continue  # The process has exited since it was listed.
    return found


def processor_clock(pid: int) -> int:
    """Returns the clock of a process's user and system time, including that of its finished threads."""
    return ~pid << 3 | 2


class Server:
    """A running server. `ports` maps a protocol to its port."""

    def __init__(self, name: str, command: list, ports: dict, folder: pathlib.Path, environment: dict = None):
        self.name, self.ports = name, ports
        self.log = folder / f"{name.replace(' ', '-')}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                # Two servers cannot keep their sessions in one directory.
                env={**os.environ, "XDG_STATE_HOME": str(folder / f"{self.log.stem}-state"), **(environment or {})})
        try:
            self.await_listening()
        except Failure:
            self.stop()
            raise

    def await_listening(self) -> None:
        deadline = time.monotonic() + PATIENCE
        for port in set(self.ports.values()):
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    if self.process.poll() is not None or time.monotonic() > deadline:
                        raise Failure(f"{self.name} did not start: {self.log.read_text()[-500:]}") from None
                    time.sleep(0.05)

    def spent(self) -> int:
        """Returns the processor time of all its processes in nanoseconds."""
        return sum(time.clock_gettime_ns(processor_clock(pid)) for pid in tree(self.process.pid))

    def settle(self) -> None:
        """Waits until it has nothing to do, such as to compress the page."""
        last, deadline = self.spent(), time.monotonic() + PATIENCE
        while True:
            time.sleep(0.5)
            spent = self.spent()
            if spent - last < 5_000_000:
                return
            if time.monotonic() > deadline:
                raise Failure(f"{self.name} still works after {PATIENCE} s")
            last = spent

    def written(self) -> int:
        """Returns the bytes that all its processes have caused to be written to disks."""
        return sum(
            int(re.search(r"^write_bytes: (\d+)", pathlib.Path(f"/proc/{pid}/io").read_text(), re.MULTILINE)[1])
            for pid in tree(self.process.pid))

    def resident(self) -> int:
        """Returns the memory of all its processes in bytes; shared pages count once."""
        total = 0
        for pid in tree(self.process.pid):
            for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) << 10
        return total

    def stop(self) -> None:
        """Terminates the process and its descendants, by SIGKILL if it does not exit in time."""
        others = tree(self.process.pid)[1:]
        self.process.terminate()
        try:
            # No verdict depends on it: a peer that does not exit is killed.
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            for pid in others:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue  # It exited with its parent.


def output(command: list, timeout: float, environment: dict = None) -> str:
    """Runs a command and returns its standard output and standard error."""
    try:
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} took more than {timeout:.0f} seconds") from None
    if done.returncode:
        raise Failure(f"{command[0]} failed: {(done.stderr or done.stdout)[-500:]}")
    return done.stdout + done.stderr


class Conversation:
    """A load generator that reports readiness, waits for a line, and ends at the end of its standard input."""

    def __init__(self, command: list, environment: dict = None):
        self.name = str(command[0])
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env={**os.environ, **(environment or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def read_line(self) -> str:
        """Returns the next line of output."""
        line = self.process.stdout.readline().strip()
        if not line:
            raise Failure(f"{self.name} failed: {self.process.stderr.read()[-500:]}")
        return line

    def proceed(self) -> None:
        self.process.stdin.write("\n")
        self.process.stdin.flush()
