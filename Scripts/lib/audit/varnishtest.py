"""Runs our varnishtest scripts against the server; each file is a case."""

import subprocess
from pathlib import Path

from outcomes import Outcome
from servers import Endpoint

SCRIPTS = Path(__file__).resolve().parents[3] / "Tests" / "Varnish"


def run(endpoint: Endpoint) -> list[Outcome]:
    scripts = sorted(SCRIPTS.glob("*.vtc"))
    if not scripts:
        raise RuntimeError(f"expected scripts in {SCRIPTS}")
    return [attempt(endpoint, script) for script in scripts]


def attempt(endpoint: Endpoint, script: Path) -> Outcome:
    command = ["varnishtest", "-t", "30", "-Dserver=127.0.0.1:%d" % endpoint.port, "-Ddoc=" + endpoint.document,
               "-Dpost=" + endpoint.post, str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    finding = ""
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.startswith("----")]
        finding = " ".join(lines)[-400:] or done.stdout[-400:]
    return Outcome(f"varnishtest/{endpoint.name}/{script.stem}", finding)
