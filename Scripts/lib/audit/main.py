"""Runs the parts of the audit against the servers and prints the results. `Scripts/audit` prepares the environment."""

import argparse
import importlib
import sys
import time
from pathlib import Path

from outcomes import Outcome, Report
from servers import Endpoint, start_granary, start_target

PARTS = {
    "http1": "h1_conformance", "http2": "h2_conformance", "tls": "tls_cases", "lint": "lint", "varnishtest": "varnishtest",
    "sslyze": "sslyze_scan", "testssl": "testssl_scan", "slowhttptest": "slow",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/audit")
    parser.add_argument("--binaries", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="the folder of the certificates and logs")
    parser.add_argument("--server", choices=("http-target", "granary"), help="audit only one of the servers")
    parser.add_argument("--all", action="store_true", help="show passed cases, too")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; the default is all")
    arguments = parser.parse_args()
    if wrong := set(arguments.parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(wrong))}, expected one of {', '.join(PARTS)}")
    report = Report.load()
    report.parts = arguments.parts or list(PARTS)
    starts = {"http-target": start_target, "granary": start_granary}
    for name, start in starts.items():
        if arguments.server in (None, name):
            report.servers.append(name)
            audit(start(arguments.binaries / name, arguments.work / "certificates", arguments.work), report)
    return report.print(arguments.all)


def audit(endpoint: Endpoint, report: Report) -> None:
    try:
        for part in report.parts:
            started = time.monotonic()
            outcomes = importlib.import_module(PARTS[part]).run(endpoint)
            report.add(outcomes)
            failed = sum(1 for outcome in outcomes if outcome.finding)
            print(f"{part} against {endpoint.name}: {len(outcomes)} cases, {failed} with findings, "
                  f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    finally:
        end = endpoint.stop()
        report.add([Outcome(f"process/{endpoint.name}/exits cleanly", end)])


if __name__ == "__main__":
    sys.exit(main())
