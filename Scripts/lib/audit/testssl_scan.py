"""Runs testssl.sh against the server: there may be no finding of medium or higher severity."""

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from outcomes import Outcome
from servers import Endpoint

BAD = ("MEDIUM", "HIGH", "CRITICAL", "FATAL")


def run(endpoint: Endpoint) -> list[Outcome]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scan.json"
        command = ["testssl", "--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", "--ip", "127.0.0.1",
                   "--add-ca", str(endpoint.authority), "--jsonfile", str(file), f"localhost:{endpoint.secure_port}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL)
        name = f"testssl/{endpoint.name}"
        if not file.exists():
            return [Outcome(f"{name}/scan", (done.stdout + done.stderr)[-500:])]
        findings = json.loads(file.read_text())
    if len(findings) < 50:
        return [Outcome(f"{name}/scan", f"expected at least 50 findings, got {len(findings)}: {done.stdout[-300:]}")]
    return [Outcome(f"{name}/{found['id']}",
                    f"{found['severity']}: {found['finding']}" if found["severity"] in BAD else "")
            for found in findings]
