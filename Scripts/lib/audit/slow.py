"""Runs slowhttptest, which holds connections for as long as it can: the server closes each about 10 seconds after it
was opened, and still serves other clients."""

import csv
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from outcomes import Outcome
from servers import Endpoint

CONNECTIONS = 200
RATE = 100
# Seconds for opening the connections, plus the timeout of 10, plus the time that the tool needs to notice.
LIMIT = CONNECTIONS // RATE + 10 + 5
# Over TLS, the receive buffer of the tool's kernel holds enough data for some more seconds.
TLS_LIMIT = LIMIT + 5
TEST_LENGTH = TLS_LIMIT + 3


def run(endpoint: Endpoint) -> list[Outcome]:
    http, https = f"http://127.0.0.1:{endpoint.port}", f"https://localhost:{endpoint.secure_port}"
    modes = {
        "slow headers": ["-H", "-i", "2", "-x", "24", "-u", http + endpoint.document],
        "slow headers, nothing more": ["-H", "-i", "60", "-u", http + endpoint.document],
        "slow headers over TLS": ["-H", "-i", "2", "-x", "24", "-u", https + endpoint.document],
        "slow body": ["-B", "-i", "2", "-s", "8192", "-x", "10", "-u", http + endpoint.post],
        "slow body, nothing more": ["-B", "-i", "60", "-s", "8192", "-u", http + endpoint.post],
        "slow body over TLS": ["-B", "-i", "2", "-s", "8192", "-x", "10", "-u", https + endpoint.post],
        "very many ranges": ["-R", "-a", "1", "-b", "3000", "-u", http + endpoint.document],
    }
    reads = {
        "slow read": ["-w", "10", "-y", "20", "-k", "3", "-u", http + endpoint.document],
        "slow read of large content": ["-w", "512", "-y", "1024", "-k", "3", "-u", http + endpoint.large],
        # Large content, because small content fits into the tool's receive buffer, which it does not shrink over TLS.
        "slow read over TLS": ["-w", "10", "-y", "20", "-k", "10", "-u", https + endpoint.large],
    }
    before = endpoint.resident()
    # Only two at a time, because the tool measures time in iterations of its loop.
    with ThreadPoolExecutor(2) as pool:
        outcomes = [one for found in pool.map(lambda mode: attack(endpoint, *mode), modes.items()) for one in found]
    for mode, options in reads.items():
        limit = TLS_LIMIT if "TLS" in mode else LIMIT
        outcomes += slow_read(endpoint, mode, limit, ["-X", "-n", "5", "-z", "32", *options])
    grown = endpoint.resident() - before
    outcomes.append(Outcome(f"slowhttptest/{endpoint.name}/memory",
                            f"memory grew by {grown >> 20} MiB" if grown > 64 << 20 else ""))
    return outcomes


def slow_read(endpoint: Endpoint, mode: str, limit: int, options: list[str]) -> list[Outcome]:
    """Counts the server's sockets, because the tool notices a reset only after it has read its kernel's receive buffer,
    which takes minutes at its pace."""
    before = endpoint.sockets()
    seen: dict[str, int] = {}

    def count() -> None:
        time.sleep(CONNECTIONS // RATE + 2)
        seen["at first"] = endpoint.sockets() - before
        time.sleep(limit - (CONNECTIONS // RATE + 2))
        seen["at last"] = endpoint.sockets() - before

    watch = threading.Thread(target=count)
    watch.start()
    _, service = attack(endpoint, mode, options)
    watch.join()
    finding = ""
    if seen["at first"] < CONNECTIONS // 2:
        finding = f"expected at least {CONNECTIONS // 2} held connections, got {seen['at first']}"
    elif seen["at last"] > 5:
        finding = f"{seen['at last']} connections are open after {limit} s"
    return [Outcome(f"slowhttptest/{endpoint.name}/{mode}: closed in time", finding), service]


def attack(endpoint: Endpoint, mode: str, options: list[str]) -> list[Outcome]:
    name = f"slowhttptest/{endpoint.name}/{mode}"
    with TemporaryDirectory() as folder:
        command = ["slowhttptest", "-c", str(CONNECTIONS), "-r", str(RATE), "-l", str(TEST_LENGTH), "-p", "3", "-g",
                   "-o", str(Path(folder) / "run"), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TEST_LENGTH + 60)
        table = Path(folder) / "run.csv"
        if not table.exists():
            raise RuntimeError(f"slowhttptest failed: {(done.stdout + done.stderr)[-300:]}")
        rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(table.open())]
    return [Outcome(f"{name}: closed in time", closing(rows)), Outcome(f"{name}: service available", service(rows))]


def closing(rows: list[dict[str, int]]) -> str:
    most = max(row["Connected"] for row in rows)
    if most == 0 and max(row["Closed"] for row in rows) == 0:
        return "no connection was opened"
    late = [row for row in rows if row["Seconds"] >= LIMIT and row["Connected"] > 0]
    return f"{late[0]['Connected']} connections are open after {late[0]['Seconds']} s" if late else ""


def service(rows: list[dict[str, int]]) -> str:
    gone = [row["Seconds"] for row in rows if row["Service Available"] == 0]
    return f"not available at {gone[0]} s" if gone else ""
